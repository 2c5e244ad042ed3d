"""Foresight: the changes that a seat will see after its action, as far as they are certain before it is played.

They are computed from the seat's blind state alone. The action is played in many positions that the seat cannot tell
from the present one, and the resulting views are compared. Where they differ, the outcome depends on something hidden,
and is left out. So anybody who is told the result learns nothing new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rules.kernel.information_sets import lying
from rules.kernel.randomness import Random, shuffled
from rules.kernel.ruleset import Ruleset
from rules.kernel.states import Sealed, State, is_open
from rules.kernel.values import CODE, Json, frozen
from rules.kernel.worlds import Worlds

WORLDS = 16
"""The smallest number of positions in which an action is played."""
OPENED = 3
"""The limit on cards that come to light: up to this number, positions in which other cards lie there are tried, too."""


class Change(NamedTuple):
    """A zone or a fact before and after the action; None where it does not exist."""

    before: Json | None
    after: Json | None


class Foreseen(NamedTuple):
    """The zones and facts that change; cards of a zone that are uncertain are left out."""

    zones: list[Change]
    facts: list[Change]


def foresee(
    ruleset: Ruleset, state: State, seat: int, action: Json, generator: Callable[[int], Random]
) -> Foreseen:
    """The certain changes in its seat's view after a legal action.

    `generator(n)` returns a generator that always draws the same n-th position.
    """
    blind = ruleset.blind(state, seat)
    certain = _Certain(ruleset.view(blind, seat))
    if isinstance(blind, Sealed) and not is_open(blind, action):
        if ruleset.turn(blind).waiting == (seat,):
            return Foreseen([], [])  # only that the last choice opens all is certain
        certain.compare(ruleset.view(_chosen(blind, seat, action), seat))
        return certain.changes()
    event = {"kind": "action", "seat": seat, "action": action}
    for n, world in enumerate(_positions(ruleset, blind, seat, event, generator)):
        for view in _views(ruleset, world, event, generator(n)):
            certain.compare(view)
        if certain.nothing:
            break
    return certain.changes()


def _chosen(state: Sealed, seat: int, action: Json) -> State:
    """The state after a sealed choice that is not the last one."""
    choices = list(state.choices or (None,) * state.players)
    choices[seat] = frozen(action)
    return state.change(choices=tuple(choices))


def _positions(
    ruleset: Ruleset, blind: State, seat: int, event: Json, generator: Callable[[int], Random]
) -> Iterator[State]:
    """Positions that the seat cannot tell apart: random ones, and some for each card that can come to light."""
    worlds = Worlds(ruleset.mind.hidden, blind, seat)
    first = worlds.draw(generator(0))
    yield first
    for n in range(1, WORLDS):
        yield worlds.draw(generator(n))
    after = ruleset.act(first, event)
    unseen = lying(ruleset.mind.hidden, first, seat)
    shown = _codes([ruleset.view(after, seat), ruleset.lines(after, seat)])
    for code in [code for code in shown if code in unseen][:OPENED]:
        for n, other in enumerate(sorted(unseen), WORLDS):
            yield worlds.where(unseen[code], other).draw(generator(n))


def _views(ruleset: Ruleset, state: State, event: Json, rng: Random) -> Iterator[Json]:
    """The seat's view after its action, and after each shuffle to which that leads."""
    state = ruleset.act(state, event)
    yield ruleset.view(state, event["seat"])
    while due := ruleset.turn(state).chance:
        outcome = shuffled(due.items, rng)
        state = ruleset.act(state, {"kind": "chance", "name": due.name, "outcome": outcome})
        yield ruleset.view(state, event["seat"])


def _codes(value: Any) -> Iterator[str]:
    """The codes of the cards that occur anywhere in a value, each once."""
    found: dict[str, None] = {}

    def gather(each: Any) -> None:
        if isinstance(each, str) and CODE.fullmatch(each):
            found[each] = None
        elif isinstance(each, dict):
            gather(list(each.values()))
        elif isinstance(each, list):
            for one in each:
                gather(one)

    gather(value)
    yield from found


Key = tuple[object, ...]


class _Certain:
    """The parts of the view after the action that are the same in all compared views."""

    def __init__(self, now: Json) -> None:
        self._now = _parts(now)
        self._after: dict[Key, Json | None] = {}
        self._compared = False

    def compare(self, view: Json) -> None:
        """Keep only the parts that are the same in this view."""
        then = _parts(view)
        if not self._compared:
            self._compared = True
            self._after = {key: then.get(key) for key in dict.fromkeys([*self._now, *then])}
        else:
            for key, after in list(self._after.items()):
                other = then.get(key)
                if other != after:
                    self._unsettle(key, after, other)
        self._drop_unchanged()

    def _unsettle(self, key: Key, one: Json | None, other: Json | None) -> None:
        """Note that two views differ: keep the number of a zone's cards if it is the same, and nothing else."""
        kept, against = _without_cards(one), _without_cards(other)
        if key[0] == "zone" and kept is not None and kept == against:
            self._after[key] = kept
        else:
            del self._after[key]

    def _drop_unchanged(self) -> None:
        for key, after in list(self._after.items()):
            now = self._now.get(key)
            if after == now or (after and "cards" not in after and after == _without_cards(now)):
                del self._after[key]

    @property
    def nothing(self) -> bool:
        """Whether no compared view has a part in common with the others."""
        return not self._after

    def changes(self) -> Foreseen:
        """The parts that are certain and differ from the present view, in the order of the views."""
        after = self._after
        zones, facts = (
            [Change(self._now.get(key), after[key]) for key in after if key[0] == kind]
            for kind in ("zone", "fact")
        )
        return Foreseen(zones, facts)


def _without_cards(zone: Json | None) -> Json | None:
    return zone and {key: value for key, value in zone.items() if key != "cards"}


def _parts(view: Json) -> dict[Key, Json]:
    """The zones and facts of a view, by their subject; several facts with one subject get separate keys."""
    found: dict[Key, Json] = {
        ("zone", zone["name"], zone.get("seat"), zone.get("index")): zone for zone in view["zones"]
    }
    for fact in view["facts"]:
        about = ("fact", *(fact.get(key) for key in ("name", "of", "index", "card")))
        found[about if about not in found else (*about, str(fact))] = fact
    return found
