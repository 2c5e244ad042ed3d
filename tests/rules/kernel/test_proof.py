"""Another world that looks the same to a viewer: the cards that change places in it, and those that stay."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.common.faces import marked, printed
from rules.kernel import (
    Chance,
    Cover,
    Hidden,
    Json,
    Length,
    Looks,
    Marked,
    Mind,
    Param,
    Ruleset,
    State,
    Turn,
    everyone,
    fact,
    inner,
    owner,
    phase,
    size,
    table,
    zone,
)
from rules.kernel.declarations import Viewer

DECK = ("As", "2s", "3s", "4s", "5s", "6s")
SEEDS = 40
"""The number of other worlds that are examined."""


@table
class Table(State):
    hands: tuple[tuple[str, ...], ...] = zone(owner, "hand", default=((), ()))
    pile: tuple[str, ...] = zone(size, "pile", default=())
    row: tuple[Any, ...] = zone(everyone, default=())
    packs: tuple[tuple[Any, ...], ...] = zone(size, "pile", per="seat", default=((), ()))
    note: tuple[str, ...] = inner(default=())
    named: str | None = fact(everyone, default=None)


@phase
class Shuffling(Table):
    """The pile is shuffled, or a new deck comes to the table; then each seat has two more cards."""

    def turn(self) -> Turn:
        return Turn(chance=Chance("deck", self.pile or DECK))

    def on_chance(self, outcome: tuple[str, ...]) -> State:
        state = self.tell("shown", card=outcome[-1], other=outcome[-2])
        return state.change(Playing, hands=(outcome[:2], outcome[2:4]), pile=outcome[4:])


@phase
class Playing(Table):
    def turn(self) -> Turn:
        return Turn(waiting=(0, 1))

    def legal(self, seat: int) -> list[Json]:
        return [{"type": "lay", "card": card} for card in self.hands[seat]]

    def do_lay(self, seat: int, card: str) -> State:
        hand = list(self.hands[seat])
        hand.remove(card)
        hands = (tuple(hand), self.hands[1]) if seat == 0 else (self.hands[0], tuple(hand))
        return self.change(hands=hands, row=(*self.row, marked(card, "laid")))

    def on_clock(self, name: str) -> State:
        return self


def toy(**more: Any) -> Ruleset:
    return Ruleset(
        slug="toy",
        version=1,
        players=(2,),
        looks=Looks(
            cover=Cover("minds", "easy", ("As",)), lengths=lambda players: (Length({}, 2),)
        ),
        actions={"lay": (Param("card", "card"),)},
        reasons=("over",),
        start=lambda players, options: Shuffling(players=players),
        **more,
    )


GAME = toy()
BELL: Json = {"kind": "clock", "name": "bell"}


def worlds(
    state: Any, event: Json, viewer: Viewer, game: Ruleset = GAME
) -> Iterator[tuple[Any, Json]]:
    """Other worlds that look the same, and in which each event can happen."""
    for seed in range(SEEDS):
        other, then = game.indistinguishable(state, event, viewer, random.Random(seed))
        assert game.view(other, viewer) == game.view(state, viewer)
        assert game.view(game.act(other, then), viewer) == game.view(game.act(state, event), viewer)
        yield other, then


def shuffle(*outcome: str) -> Json:
    return {"kind": "chance", "name": "deck", "outcome": list(outcome)}


def lay(seat: int, card: str) -> Json:
    return {"kind": "action", "seat": seat, "action": {"type": "lay", "card": card}}


def test_a_deck_that_comes_to_the_table_lies_in_another_order_where_nobody_sees_it() -> None:
    state = Shuffling(players=2)
    event = shuffle(*DECK)
    for other, then in worlds(state, event, 0):
        assert sorted(then["outcome"]) == sorted(event["outcome"])
        assert other == state
        assert then["outcome"][:2] == ["As", "2s"]
        moved = zip(then["outcome"][2:], event["outcome"][2:], strict=True)
        assert all(here != before for here, before in moved)
    for _, then in worlds(state, event, 1):
        assert then["outcome"][2:4] == ["3s", "4s"] and then["outcome"][0] != "As"
    for _, then in worlds(state, event, None):
        assert all(a != b for a, b in zip(then["outcome"], event["outcome"], strict=True))


def test_cards_of_the_table_are_shuffled_under_their_new_names() -> None:
    state = Shuffling(players=2, pile=("2s", "4s", "6s", "As", "3s", "5s"), named="2s")
    event = shuffle(*DECK)
    piles, orders = set(), set()
    for other, then in worlds(state, event, 0):
        assert sorted(then["outcome"]) == sorted(other.pile) == sorted(state.pile)
        assert then["outcome"][:2] == ["As", "2s"], "what the seat is dealt"
        assert other.pile[0] == "2s" and other.pile[3] == "As", "which it sees"
        piles.add(other.pile)
        orders.add(tuple(then["outcome"]))
    assert len(piles) > 3 and len(orders) > 3


@pytest.mark.parametrize(
    ("transient", "told"), [({}, False), ({"shown": ("card",)}, True)], ids=["kept", "shown"]
)
def test_a_card_that_lies_open_for_a_moment_keeps_its_name(transient: Any, told: bool) -> None:
    state = Shuffling(players=2)
    event = shuffle(*DECK)
    last = {t["outcome"][-1] for _, t in worlds(state, event, 0, toy(transient=transient))}
    others = {t["outcome"][-2] for _, t in worlds(state, event, 0, toy(transient=transient))}
    assert (last == {"6s"}) == told
    assert len(others) > 1, "the line says it too, but not for a moment"


def test_cards_with_marks_change_names_under_their_marks() -> None:
    packs = ((Marked("As", ("turned",)), Marked(None, ("here",)), None), (Marked("2s", ()),))
    state = Playing(players=2, hands=(("3s",), ("4s",)), packs=packs)
    for other, _ in worlds(state, BELL, 0):
        first, second, third = other.packs[0]
        assert (first.marks, second, third) == (("turned",), Marked(None, ("here",)), None)
        assert other.hands[0] == ("3s",)
        names = [first.card, other.packs[1][0].card, *other.hands[1]]
        assert sorted(names) == ["2s", "4s", "As"]
        assert first.card != "As" and names[1] != "2s" and names[2] != "4s"


def test_with_packs_of_their_own_cards_stay_with_their_seats() -> None:
    state = Playing(
        players=2,
        hands=(("3s", "5s"), ("4s", "6s")),
        packs=(("7s",), ("8s",)),
        pile=("9s", "2s"),
    )
    for other, _ in worlds(state, BELL, None, toy(mind=Mind(Hidden(own_packs=True)))):
        assert sorted(other.hands[0] + other.packs[0]) == ["3s", "5s", "7s"]
        assert sorted(other.hands[1] + other.packs[1]) == ["4s", "6s", "8s"]
        assert other.hands[0] != state.hands[0] and other.pile == ("2s", "9s")
    together = {other.hands[0] for other, _ in worlds(state, BELL, None)}
    assert any("4s" in hand for hand in together)


def test_only_cards_of_one_class_change_names_among_themselves() -> None:
    state = Playing(players=2, hands=(("3s", "5h"), ("4s", "6h")), pile=("7s", "7h"))
    game = toy(equivalence_class=lambda then, card: card[-1])
    for other, _ in worlds(state, BELL, None, game):
        assert [card[-1] for hand in other.hands for card in hand] == ["s", "h", "s", "h"]
        assert other.hands[0][0] != "3s" and other.pile[1] != "7h"


def test_only_cards_of_one_class_change_places_in_a_shuffle() -> None:
    """The class of a card may depend on the result of the event."""
    state, event = Shuffling(players=2), shuffle(*DECK)
    game = toy(equivalence_class=lambda then, card: (then.phase, card[0] in "246"))
    for _, then in worlds(state, event, None, game):
        assert sorted(then["outcome"][::2]) == ["3s", "5s", "As"]
        assert all(a != b for a, b in zip(then["outcome"], event["outcome"], strict=True))


def test_what_a_fact_names_keeps_its_name() -> None:
    state = Playing(players=2, hands=(("3s", "5s"), ("4s", "6s")), named="4s")
    for other, _ in worlds(state, BELL, 0):
        assert other.hands == (("3s", "5s"), ("4s", "6s")), "one card has nothing to change with"
    for other, _ in worlds(state, BELL, None):
        assert other.hands[1][0] == "4s" and other.hands[1][1] in ("3s", "5s")


def test_bookkeeping_follows_the_card_that_it_names() -> None:
    state = Playing(players=2, hands=(("3s", "5s"), ("4s", "6s")), note=("6s", "word", "2s"))
    for other, _ in worlds(state, BELL, 0):
        assert other.note[0] == other.hands[1][1] != "6s"
        assert other.note[1] == "word"
        assert sorted((*other.hands[1], other.note[2])) == ["2s", "4s", "6s"]


def test_of_equal_cards_each_changes_its_own_name() -> None:
    state = Playing(players=2, hands=(("As", "2s"), ("As", "3s")), pile=("4s",))
    hands = set()
    for other, _ in worlds(state, BELL, 0):
        assert other.hands[0] == ("As", "2s")
        assert sorted((*other.hands[1], *other.pile)) == ["3s", "4s", "As"]
        hands.add(other.hands[1])
    assert len(hands) == 2, "each of the three takes the place of another"


def test_equal_cards_of_which_one_is_named_keep_their_name() -> None:
    state = Playing(players=2, hands=(("2s",), ("As", "3s")), pile=("As", "4s"), note=("As",))
    for other, _ in worlds(state, BELL, 0):
        assert other.hands[1][0] == other.pile[0] == other.note[0] == "As"
        assert (other.hands[1][1], other.pile[1]) == ("4s", "3s")


def test_somebody_who_lays_a_card_lays_the_one_of_their_own_hand() -> None:
    state = Playing(players=2, hands=(("As", "2s"), ("3s", "As")), pile=("4s", "5s"))
    hands = set()
    for other, then in worlds(state, lay(1, "As"), 0):
        assert then["action"] == {"type": "lay", "card": "As"}, "it lies open now"
        assert other.hands[1][1] == "As"
        hands.add(other.hands[1][0])
    assert hands == {"4s", "5s"}


def test_what_is_cached_of_another_world_changes_nothing() -> None:
    marked.cache_clear()
    for hand in (("3s", "4s"), ("4s", "3s")):
        state = Playing(players=2, hands=(("As", "2s"), hand), pile=("5s", "6s"))
        for other, then in worlds(state, lay(1, "3s"), 0):
            assert then["action"]["card"] == "3s"
            assert set(other.hands[1]) < {"3s", "4s", "5s", "6s"} and "4s" not in other.hands[1]


def test_tagged_cards_stay_out_of_caches() -> None:
    marked.cache_clear()
    state = Playing(players=2, hands=(("As", "2s"), ("3s", "4s")), pile=("5s", "6s"))
    GAME.indistinguishable(state, lay(1, "3s"), 0, random.Random(1))
    assert marked.cache_info().currsize == 1
    assert type(printed(marked("3s", "laid"))) is str


def test_an_outside_event_is_the_same_in_another_world() -> None:
    state = Playing(players=2, hands=(("3s",), ("4s", "5s")))
    assert {str(event) for _, event in worlds(state, BELL, 0)} == {str(BELL)}


def test_dominoes_and_jokers_are_cards() -> None:
    state = Playing(players=2, hands=(("3s",), ("0-6", "Jk", "10-2")), note=("12", "Jack", "A-s"))
    for other, _ in worlds(state, BELL, 0):
        assert sorted(other.hands[1]) == ["0-6", "10-2", "Jk"]
        assert all(a != b for a, b in zip(other.hands[1], state.hands[1], strict=True))
        assert other.note == ("12", "Jack", "A-s")
