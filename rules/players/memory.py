"""Memory: what a seat knows about hidden cards from what it saw earlier.

A memory is given every position as its seat sees it (blind states). It remembers the cards that the seat saw move, and
the cards that a place cannot hold because of its seat's actions (`Hidden.lacking` of the game). The game may note more
(`Hidden.learn`).
"""

from __future__ import annotations

from collections import Counter

from rules.kernel import Address, Json, Place, Ruleset, State, Viewer, Worlds
from rules.kernel.declarations import Marked, Zone, places


class Memory:
    """A seat's memory of one game."""

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        self._ruleset, self._seat = ruleset, seat
        self._before: State | None = None
        self._table = _Table({}, Counter())
        self.known: dict[Address, Counter[str]] = {}
        """The cards that lie in places where the seat does not see them."""
        self.excluded: dict[Address, set[str]] = {}
        """The cards that do not lie in a place."""
        self.notes: object = None
        """The game's further notes."""

    def see(self, blind: State) -> None:
        """Take in the position after the next event; `blind` is that position as the seat sees it."""
        table = _Table.of(blind, self._seat)
        if self._before is not None:
            self._move(blind, table)
            for line in blind.told:
                hidden = self._ruleset.mind.hidden
                self.notes = hidden.learn(self.notes, self._before, blind, line)
                for address, cards in hidden.lacking(self._before, blind, line):
                    if address in table.counts:
                        self.excluded.setdefault(address, set()).update(cards)
        self._before, self._table = blind, table

    def worlds(self, blind: State) -> Worlds:
        """The positions that fit what the seat sees and remembers."""
        known = {address: [*cards.elements()] for address, cards in self.known.items()}
        return Worlds(
            self._ruleset.mind.hidden, blind, self._seat, known, self.excluded, self.notes
        )

    def _move(self, blind: State, table: _Table) -> None:
        """Take in which cards became visible or hidden."""
        shown = table.seen - self._table.seen
        gone = self._table.seen - table.seen
        for cards in self.known.values():
            cards.subtract(shown & cards)
        addresses = self._table.counts.keys() | table.counts.keys()
        grown = {each: table.counts[each] - self._table.counts[each] for each in addresses}
        lost = -sum(count for count in grown.values() if count < 0)
        drawn = any(map(self._hides_cards, blind.told))  # cards may have been played besides
        self._follow(grown, drawn or lost > shown.total())
        arrived = Counter[Address]()
        for card in gone.elements():
            gaining = [
                each
                for each, count in grown.items()
                if count > 0 and self._can_hold(blind, each, card)
            ]
            if len(gaining) == 1:
                self.known.setdefault(gaining[0], Counter())[card] += 1
                arrived[gaining[0]] += 1
        for address, count in grown.items():
            if count > arrived[address]:
                self.excluded.pop(address, None)
            if not table.counts[address]:
                self.known.pop(address, None)
                self.excluded.pop(address, None)

    def _follow(self, grown: dict[Address, int], unseen: bool) -> None:
        """Forget the known cards of places that cards may have left unseen, unless all of them went to one place."""
        if not unseen:
            return
        emptied = [each for each, count in grown.items() if count < 0]
        gaining = [each for each, count in grown.items() if count > 0]
        for address in emptied:
            cards = self.known.pop(address, None)
            whole = self._table.counts[address] == -grown[address]
            if cards and whole and len(gaining) == 1:
                self.known[gaining[0]] = self.known.get(gaining[0], Counter()) + cards

    def _hides_cards(self, line: Json) -> bool:
        """Whether a line tells this seat only how many cards moved, but not which."""
        members = self._ruleset.looks.vocabulary.lines.get(line["line"], ())
        return any(each.kind == "card" and isinstance(line.get(each.name), int) for each in members)

    def _can_hold(self, blind: State, address: Address, card: str) -> bool:
        zone = dict(blind.declared)[address.field]
        if not isinstance(zone, Zone) or zone.holds is None:
            return True
        return zone.holds(blind, Place(address.seat, address.index, 0), card)


class _Table:
    """The number of unseen cards in each place, and the cards that are visible anywhere."""

    def __init__(self, counts: dict[Address, int], seen: Counter[str]) -> None:
        self.counts, self.seen = Counter(counts), seen

    @staticmethod
    def of(state: State, viewer: Viewer) -> _Table:
        """The table as a viewer sees it."""
        counts, seen = Counter[Address](), Counter[str]()
        for attr, zone in state.declared:
            if not isinstance(zone, Zone):
                continue
            for seat, index, value in places(zone.per, getattr(state, attr)):
                many = isinstance(value, tuple) and not isinstance(value, Marked)
                for position, face in enumerate(value if many else (value,)):
                    card = face.card if isinstance(face, Marked) else face
                    if card is None:
                        continue
                    if zone.who(state, viewer, Place(seat, index, position)):
                        seen[card] += 1
                    else:
                        counts[Address(attr, seat, index)] += 1
        return _Table(counts, seen)
