"""The phases as played, and the steps that lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rules.common.cards import Card, Cards, canonical, deck, replaced, with_card, without
from rules.common.faces import Face, bare, marked, marks, printed, unmarked
from rules.games.yours_truly_bozu_mekuri.cards_moved import cleared, discard, draw, keep, other_row
from rules.games.yours_truly_bozu_mekuri.components import (
    ACES,
    PILE,
    ROWS,
    STOCK,
    Table,
    head,
    lowest,
    owned,
    rows_by_suit,
    rows_for,
    total,
)
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, Settlement, points, settle, value
from rules.kernel import (
    OVER,
    Action,
    Array,
    Chance,
    Json,
    Part,
    Result,
    State,
    Turn,
    everyone,
    inner,
    only,
    phase,
    zone,
)

NEAR, EXACT = 2, 3
"""4.3 The numbers of cards that a row brings: if its sum is one off its bozu, and if it is equal."""
FROM_HAND = "marked"
DRAW = Action(type="draw")
END = Action(type="end")
PASS = with_card("pass")
PLAY = {card: [Action(type="play", card=card, row=row) for row in range(ROWS)] for card in deck()}


@phase
class Shuffling(Table):
    """3 The stock, the bozu and the aces are shuffled, one after the other."""

    def turn(self) -> Turn:
        if not self.stock:
            return Turn(chance=Chance("stock", STOCK))
        return Turn(chance=Chance("aces", ACES) if self.pile else Chance("bozu", PILE))

    def on_chance(self, outcome: Cards) -> State:
        s = self.tell("shuffled", count=len(outcome))
        if not s.stock:
            return s.change(stock=outcome)
        return dealt(s, outcome) if s.pile else s.change(pile=outcome)


@phase
class Acting(Table):
    """4.1 A seat turns up and plays cards as often as it likes, until it ends its turn or has to stop."""

    acted: bool = inner(default=False)

    def prompt(self) -> Json:
        return {**super().prompt(), **({"acted": True} if self.acted else {})}

    def legal(self, seat: int) -> list[Action]:
        hand, actions = self.hands[seat], [DRAW] if self.stock else []
        rows = rows_by_suit(tuple([row[:1] for row in self.rows]))
        actions += [PLAY[card][row] for card in hand for row in rows[card[1]]]
        actions += [END] if self.acted else [PASS[card] for card in hand]
        return actions

    def forced(self, seat: int) -> bool:
        """4.1 Whether the seat has no cards left, so that it has to turn one up or, without a stock, to end its
        turn.
        """
        return not self.hands[seat] and self.acted != bool(self.stock)

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.1 and 4.2 The reason why an action is not legal.

        A card goes to a row with a bozu of its suit if there is one; a seat that has acted cannot pass.
        """
        card = action.get("card")
        if action["type"] == "pass":
            return {"why": "acted"} if self.acted and card in (None, *self.hands[seat]) else None
        return other_row(self, card) if "row" in action and card in self.hands[seat] else None

    def beside(self, seat: int, action: Json) -> Json:
        """4.2 The bozu that heads the row."""
        return {"bozu": printed(self.rows[action["row"]][0])} if "row" in action else {}

    def fallback(self, seat: int) -> Json:
        if self.acted or self.stock:
            return END if self.acted else DRAW
        return Action(type="pass", card=min(self.hands[seat], key=value))

    def do_draw(self, seat: int) -> State:
        card = self.stock[0]
        s = self.tell("turned", seat=seat, card=card).change(stock=self.stock[1:], acted=True)
        return taken(s, "lay", drawn=(card,))

    def do_play(self, seat: int, card: Card, row: int) -> State:
        hands = replaced(self.hands, seat, without(self.hands[seat], card))
        return lay(self, row, marked(card, FROM_HAND), hands=hands, acted=True)

    def do_end(self, seat: int) -> State:
        return taken(draw(self, seat), "end") if self.stock else ended(self)

    def do_pass(self, seat: int, card: Card) -> State:
        s = self.tell("passed", seat=seat, card=card)
        hands = replaced(s.hands, seat, without(s.hands[seat], card))
        return next_turn(s.change(hands=hands, discard=(*s.discard, card)))


@phase
class Placing(Table):
    """4.2 A card was turned up that fits several rows; the seat chooses one."""

    drawn: Cards = zone(everyone, "row")

    def legal(self, seat: int) -> list[Action]:
        return [Action(type="place", row=row) for row in rows_for(self, self.drawn[0])]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.2 The reason why the turned-up card does not go to a row, the same as for cards from the hand."""
        return other_row(self, self.drawn[0]) if "row" in action else {"why": "placing"}

    def beside(self, seat: int, action: Json) -> Json:
        """4.2 The card that was turned up, and the bozu that heads the row."""
        return {"card": self.drawn[0], "bozu": printed(self.rows[action["row"]][0])}

    def fallback(self, seat: int) -> Json:
        """6 The play to the row with the most room; of several, the topmost row."""
        rows = rows_for(self, self.drawn[0])
        return {
            "type": "place",
            "row": max(rows, key=lambda row: head(self, row) - total(self, row)),
        }

    def do_place(self, seat: int, row: int) -> State:
        return lay(self, row, self.drawn[0])


@phase
class Settling(Table):
    """4.3 The common part of the phases in which a row is settled, and its player chooses among its cards."""

    pending: Cards = zone(everyone, "row")
    vacant: int = inner()

    def fallback(self, seat: int) -> Json:
        return self.legal(seat)[0]


@phase
class Covering(Settling):
    """4.3, 2: after a burst, the seat lays one of the row's lowest cards on one of its bozu (ruling 4)."""

    def legal(self, seat: int) -> list[Action]:
        return [
            Action(type="cover", card=card, bozu=bozu.card)
            for card in canonical(lowest(self.pending))
            for bozu in sorted(owned(self.own[seat]), key=lambda bozu: PILE.index(bozu.card))
        ]

    def forced(self, seat: int) -> bool:
        """4.3, 2: whether there is only one legal action; the row and the seat's own cards lie open."""
        return len(self.legal(seat)) == 1

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3, 2: the reason why a card cannot be laid: it has to be a lowest card of the row, on one of the seat's own
        bozu.
        """
        if action.get("card") in bare(self.pending):
            return {"why": "lowest"}
        return {"why": "own-bozu"} if action["type"] == "cover" else None

    def do_cover(self, seat: int, card: Card, bozu: Card) -> State:
        return cover(self, self.pending, card, bozu, self.vacant)


@phase
class Keeping(Settling):
    """4.3, 3: the row has more cards than it brings, and the seat keeps exactly the number that it brings (ruling
    3).
    """

    need: int = inner()

    def prompt(self) -> Json:
        return {"seat": self.active, "count": self.need}

    def legal(self, seat: int) -> list[Action]:
        sets = combinations(canonical(self.pending), self.need)
        return [Action(type="keep", cards=Array(cards)) for cards in sets]

    def obstacle(self, seat: int, action: Json) -> Json | None:
        """4.3, 3: the reason why cards cannot be kept: they have to be the right number of cards, all from the row."""
        cards = action.get("cards", ())
        if len(cards) > self.need:
            return {"why": "enough", "count": self.need}
        return {"why": "of-the-row"} if cards else None

    def do_keep(self, seat: int, cards: Cards) -> State:
        s = discard(self, *without(self.pending, *cards))
        return vacate(keep(s, cards), self.vacant)


@phase
class Restocking(Table):
    """4.4 The last card of the stock has been taken for the first time; the step that took it is resumed later."""

    then: str = inner()
    drawn: Cards = zone(everyone, "row", default=())
    need: int = inner(default=0)
    vacant: int = inner(default=0)

    def turn(self) -> Turn:
        return Turn(chance=Chance("stock-2", canonical(self.discard)))

    def on_chance(self, outcome: Cards) -> State:
        s = self.change(stock=outcome, discard=()).tell("restocked", count=len(outcome))
        return resume(s, self.then, self.drawn, self.need, self.vacant)


@phase
class Repiling(Table):
    """4.4 The last bozu has been laid out for the first time, so the discarded ones are shuffled."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("bozu-2", canonical(self.out)))

    def on_chance(self, outcome: Cards) -> State:
        s = self.change(pile=outcome, out=()).tell("repiled", count=len(outcome))
        return next_turn(s)


@phase
class Over(Table):
    """5 The best settlement wins; a tie goes to more cards of its suit, then to fewer bozu."""

    gone: bool = inner()

    def turn(self) -> Turn:
        return OVER

    def parts(self) -> Sequence[Part]:
        return ()

    def settlements(self) -> list[Settlement]:
        """The best settlement of each seat; it does not depend on the others' settlements (ruling 14)."""
        mine = zip(self.hands, self.own, strict=True)
        return [settle(hand, owned(own), self.sets) for hand, own in mine]

    def facts(self) -> Sequence[Json]:
        found: list[Json] = []
        for seat, each in enumerate(self.settlements()):
            found.append(
                {"name": "chosen-suit", "of": seat, "suit": each.suit, "value": each.total}
            )
            found += [{"name": "rank-set", "of": seat, "cards": three} for three in each.rank_sets]
            found += [{"name": "suit-set", "of": seat, "cards": three} for three in each.suit_sets]
            for bozu, on in each.bozu:
                worth = points(Bozu(bozu, on), each.suit)
                found.append(
                    {"name": "bozu", "of": seat, "card": bozu, "cards": on, "value": worth}
                )
            tally = each.tally
            found.append({"name": "score", "of": seat, "value": each.score, "tally": tally})
        return found

    def result(self) -> Result:
        found = self.settlements()
        ranks = [
            (each.score, each.tally, -len(owned(own)))
            for each, own in zip(found, self.own, strict=True)
        ]
        best = [seat for seat, each in enumerate(ranks) if each == max(ranks)]
        scores = tuple(each.score for each in found)
        if len(best) > 1:
            return Result((), scores, "bozu-mekuri")
        return Result(tuple(best), scores, "bozu-gone" if self.gone else "last-round")


def dealt(s: Table, aces: Cards) -> State:
    """3 The state after the deal: three bozu head the rows, and every seat but the first has an ace."""
    rows, given = s.pile[:ROWS], s.players - 1
    hands = ((), *((ace,) for ace in aces[:given]))
    for seat in range(1, s.players):
        s = s.tell("dealt", seat=seat, cards=only(hands[seat], seat))
    for row, card in enumerate(rows):
        s = s.tell("headed", row=row, card=card)
    headed = tuple((card,) for card in rows)
    return s.change(Acting, rows=headed, pile=s.pile[ROWS:], hands=hands, aces=aces[given:])


def taken(s: Table, then: str, drawn: Cards = (), need: int = 0, vacant: int = 0) -> State:
    """4.4 The state after a card of the stock was taken in the step `then`, which is resumed.

    If the stock is empty, it is renewed first; this happens only once.
    """
    if s.stock:
        return resume(s, then, drawn, need, vacant)
    if not s.restocked and s.discard:
        return s.change(
            Restocking, restocked=True, then=then, drawn=drawn, need=need, vacant=vacant
        )
    s = s.change(restocked=True, last=s.active)
    return resume(s.tell("run-out", seat=s.active), then, drawn, need, vacant)


def resume(s: Table, then: str, drawn: Cards, need: int, vacant: int) -> State:
    """4.4 The state after the step `then` was resumed: the card is laid, the turn ends, or more cards are drawn."""
    if then == "end":
        return next_turn(s)
    if then == "fill":
        return fill(s, need, vacant)
    rows = rows_for(s, drawn[0])
    return lay(s, rows[0], drawn[0]) if len(rows) == 1 else s.change(Placing, drawn=drawn)


def fill(s: Table, need: int, vacant: int) -> State:
    """4.3, 3: the state after the `need` missing cards were drawn one by one, while the stock has any."""
    if not need or not s.stock:
        return vacate(s, vacant)
    return taken(draw(s, s.active), "fill", need=need - 1, vacant=vacant)


def lay(s: Table, row: int, face: Face, **left: Any) -> State:
    """4.2 and 4.3 The state after a card was laid in the row; `left` are the new contents of the place that it left.

    Then the row is settled, or the turn goes on.
    """
    s = s.change(rows=replaced(s.rows, row, (*s.rows[row], face)), **left)
    card, now = printed(face), total(s, row)
    if marks(face):
        s = s.tell("played", seat=s.active, card=card, row=row, value=now)
    else:
        s = s.tell("laid", seat=s.active, card=card, row=row, value=now)
    over = now - head(s, row)
    if over > 1:
        return burst(s, row)
    return go_on(s) if over < -1 else take(s, row, NEAR if over else EXACT)


def go_on(s: Table) -> State:
    """4.1 The state in which the seat's turn goes on; without cards in hand and a stock, after its end (ruling 7)."""
    if not s.hands[s.active] and not s.stock:
        return ended(s)
    return s if isinstance(s, Acting) else s.change(Acting, acted=True)


def ended(s: Table) -> State:
    """4.1, C: the state after the seat has ended its turn without drawing a card."""
    return next_turn(s.tell("ended", seat=s.active))


def burst(s: Table, row: int) -> State:
    """4.3, 2: the state after a burst: the seat takes the bozu, and lays one of the lowest cards on one of its own
    bozu.
    """
    seat, full = s.active, s
    s, bozu, pending = cleared(s, row)
    s = s.tell("burst", seat=seat, card=bozu, shown_by=full)
    s = s.change(own=replaced(s.own, seat, (*s.own[seat], bozu)))
    if not pending:
        return vacate(s, row)
    if len(lowest(pending)) > 1 or len(owned(s.own[seat])) > 1:
        return s.change(Covering, pending=pending, vacant=row)
    return cover(s, pending, lowest(pending)[0], bozu, row)


def cover(s: Table, pending: Cards, card: Card, bozu: Card, vacant: int) -> State:
    """4.3, 2: the state after the card was laid on the bozu; the other pending cards are discarded."""
    seat = s.active
    own = [Bozu(b, (*on, card) if b == bozu else on) for b, on in owned(s.own[seat])]
    flat = tuple(each for b, on in own for each in (b, *on))
    s = s.tell("covered", seat=seat, card=card, bozu=bozu)
    s = s.change(own=replaced(s.own, seat, flat))
    return vacate(discard(s, *without(pending, card)), vacant)


def take(s: Table, row: int, need: int) -> State:
    """4.3, 3: the state after the bozu was discarded and the row brought two or three cards to the hand (ruling 3)."""
    full, (s, bozu, pending) = s, cleared(s, row)
    s = s.tell("beaten", seat=s.active, card=bozu, count=need, shown_by=full)
    s = s.change(out=(*s.out, bozu))
    if len(pending) > need:
        return s.change(Keeping, pending=pending, vacant=row, need=need)
    return fill(keep(s, pending), need - len(pending), row)


def vacate(s: Table, row: int) -> State:
    """4.3, 4 and 5: the state in which the next bozu heads the row; without another bozu, the game is over."""
    if s.pile:
        card = s.pile[0]
        s = s.tell("headed", row=row, card=card)
        s = s.change(rows=replaced(s.rows, row, (card,)), pile=s.pile[1:])
        if not s.pile and not s.repiled:
            s = s.change(repiled=True)
            return s.change(Repiling) if s.out else next_turn(s)
    return next_turn(s) if s.headed else s.change(Over, gone=True)


def next_turn(s: Table) -> State:
    """4.1 and 4.5 The state at the next seat's turn, without marks.

    Without a stock, seats without cards are skipped until the last round is over.
    """
    rows = tuple([unmarked(row) for row in s.rows])
    seat = (s.active + 1) % s.players
    while seat != s.last:
        if s.hands[seat] or s.stock:
            return s.tell("turn", seat=seat).change(Acting, active=seat, rows=rows)
        s = s.tell("skipped", seat=seat)
        seat = (seat + 1) % s.players
    return s.change(Over, gone=False, rows=rows)


def start(players: int, options: Json) -> State:
    """3 The state before anything is shuffled."""
    none = ((),) * players
    return Shuffling(players=players, hands=none, own=none, sets=options["sets"])
