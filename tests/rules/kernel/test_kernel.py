"""The kernel with a toy game: features that no ruleset here happens to use, and states that must be refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.kernel import (
    Chance,
    Cover,
    Illegal,
    Invalid,
    Json,
    Length,
    Looks,
    Marked,
    Option,
    Param,
    Result,
    Ruleset,
    Sealed,
    State,
    Turn,
    everyone,
    fact,
    inner,
    only,
    owner,
    phase,
    sealed,
    size,
    table,
    zone,
)
from rules.kernel.declarations import Place, Viewer, view

PACK = ("As", "2s", "3s", "4s", "5s", "6s")


def left_neighbour(state: Any, viewer: Viewer, place: Place) -> bool:
    """The seat to the left of the owner sees only the first card."""
    return viewer == (place.seat or 0) ^ 1 and place.position == 0


@table
class Table(State):
    hands: tuple[tuple[str, ...], ...] = zone(owner, "hand", name="hand")
    aside: tuple[str, ...] = inner(default=())


@phase
class Dealing(Table):
    def turn(self) -> Turn:
        return Turn(chance=Chance("deck", PACK))

    def on_chance(self, outcome: tuple[str, ...]) -> State:
        hands = (outcome[:2], outcome[2:4])
        s = self.tell("dealt", aside=only(outcome[4:], 0), top=only(outcome[4], 0))
        return s.change(Giving, hands=hands, aside=outcome[4:])


@phase
class Giving(Sealed, Table):
    """Both give a card in secret, or one of them stops the game openly."""

    def legal(self, seat: int) -> list[Json]:
        gifts = [{"type": "give", "card": card} for card in self.hands[seat]]
        return [*gifts, {"type": "give"}, {"type": "stop-it", "in": [0, 1]}]

    def reveal(self) -> State:
        cards = tuple(choice.get("card") for choice in self.choices if choice)
        return self.tell("given", cards=cards).change(Over)

    def do_stop_it(self, seat: int, in_: tuple[int, ...]) -> State:
        assert in_ == (0, 1)
        return self.tell("stopped", seat=seat).change(Over)


@phase
class Selling(Table):
    good: str = zone(everyone)


@phase
class Over(Table):
    def turn(self) -> Turn:
        return Turn(over=True)

    def result(self) -> Result:
        return Result((), (None, None), "stopped")


GAME = Ruleset(
    slug="toy",
    version=1,
    players=(2,),
    looks=Looks(
        cover=Cover("minds", "easy", ("As",)), lengths=lambda players: (Length({"half": 0.5}, 2),)
    ),
    options=lambda players: {"half": Option((0.5, 1), 1), "flag": Option((False, True), False)},
    together=lambda players, options: not (options["half"] == 1 and options["flag"]),
    actions={
        "give": (Param("card", "card"),),
        "stop-it": (Param("in", "choice"),),
    },
    reasons=("stopped",),
    start=lambda players, options: Dealing(players=players, hands=((), ())),
    transient={"given": ("cards",)},
)


def dealt() -> Any:
    event = {"kind": "chance", "name": "deck", "outcome": list(PACK)}
    return GAME.apply(GAME.initial(2, {}), event)


def act(state: Any, seat: int, **action: Any) -> Any:
    return GAME.apply(state, {"kind": "action", "seat": seat, "action": action})


def test_a_field_without_a_declaration_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Silent\.loose"):

        @phase
        class Silent(Table):
            loose: int = 0


def test_change_refuses_unknown_and_missing_fields() -> None:
    with pytest.raises(TypeError, match="none_such"):
        dealt().change(none_such=1)
    with pytest.raises(TypeError, match="good"):
        dealt().change(Selling)


def test_another_phase_keeps_only_the_fields_of_the_table() -> None:
    committed = act(dealt(), 0, type="give")
    assert committed.choices == ({"type": "give"}, None)
    assert committed.change(Giving).choices == ()
    assert committed.change(Over).hands == committed.hands


def test_all_choices_are_in_before_any_is_told() -> None:
    first = act(dealt(), 1, type="give", card="4s")
    assert GAME.lines(first, 0) == [{"line": "chosen", "seat": 1}]
    assert GAME.view(first, 1)["facts"] == [{"name": "give", "of": 1, "card": "4s"}]
    assert GAME.view(first, 0)["facts"] == []
    assert GAME.turn(first).waiting == (0,)
    both = act(first, 0, type="give")
    assert GAME.lines(both, None)[-1] == {"line": "given", "cards": [None, "4s"]}


def test_an_open_action_beside_sealed_choices_is_played_at_once() -> None:
    assert GAME.result(act(dealt(), 0, **{"type": "stop-it", "in": [0, 1]})) == Result(
        (), (None, None), "stopped"
    )


def test_only_some_know_what_is_told() -> None:
    line = {"line": "dealt", "aside": ["5s", "6s"], "top": "5s"}
    assert GAME.lines(dealt(), 0) == [line]
    for viewer in (1, None):
        assert GAME.lines(dealt(), viewer) == [{"line": "dealt", "aside": 2, "top": 1}]


@pytest.mark.parametrize("options", [{"half": 0.5}, {"half": 1.0}, {"half": 0.5, "flag": True}])
def test_options_are_compared_by_canonical_text(options: Json) -> None:
    settled = GAME.settle(2, options)
    assert settled == {"half": 1, "flag": False, **options}
    assert type(settled["half"]) is (float if options["half"] == 0.5 else int)


@pytest.mark.parametrize("options", [{"half": True}, {"flag": 0}, {"half": 1, "flag": True}])
def test_options_that_are_wrong_or_cannot_be_combined(options: Json) -> None:
    with pytest.raises(Invalid):
        GAME.settle(2, options)


def test_a_number_is_the_same_however_it_is_written() -> None:
    action = {"type": "stop-it", "in": [0.0, 1.0]}
    assert GAME.listed(dealt(), 0, action) == {"type": "stop-it", "in": [0, 1]}
    for places in ([False, True], [0, "1"], (0, 1)):
        with pytest.raises(Illegal) as refused:
            act(dealt(), 0, **{"type": "stop-it", "in": places})
        assert refused.value.why == {"wrong": "in", "may": [[0, 1]]}


def test_a_parameter_may_be_missing_in_some_actions() -> None:
    assert act(dealt(), 0, type="give").choice(0) == {"type": "give"}
    with pytest.raises(Illegal) as refused:
        act(dealt(), 0, type="give", card="3s")
    assert refused.value.why == {"wrong": "card", "may": ["As", "2s"]}


def test_views_of_marks_places_and_parts() -> None:
    @phase
    class Rows(Table):
        rows: Any = zone(everyone, "row", per="seat index", name="row")
        load: Any = zone(left_neighbour, "pile", per="seat")
        good: Any = zone(size, "row", default=None)
        heads: Any = fact(everyone, per="seat index", name="head")
        taken: Any = fact(everyone, "seat", per="index")

    state = Rows(
        players=2,
        hands=((), ()),
        rows=(((Marked("Kd", ("turned",)), None), ()), ((Marked(None, ("here",)),),)),
        load=(("As", "2s"), ("3s",)),
        heads=(("up", None), (None, "down")),
        taken=(None, 0),
    )
    shown = GAME.view(state, 1)
    zones = [(zone["name"], zone["count"], zone.get("cards")) for zone in shown["zones"][2:]]
    assert zones == [
        ("row", 1, [{"card": "Kd", "is": ["turned"]}, {"is": ["vacant"]}]),
        ("row", 0, []),
        ("row", 1, [{"is": ["here"]}]),
        ("load", 2, ["As", None]),
        ("load", 1, [None]),
        ("good", 0, None),
    ]
    assert shown["facts"] == [
        {"name": "head", "of": 0, "index": 0, "value": "up"},
        {"name": "head", "of": 1, "index": 1, "value": "down"},
        {"name": "taken", "index": 1, "seat": 0},
    ]


def other_world(state: Any, event: Json, viewer: Viewer) -> tuple[Any, Json]:
    """Another world that differs from the real one."""
    for seed in range(100):
        other = GAME.indistinguishable(state, event, viewer, random.Random(seed))
        if other != (state, event):
            return other
    raise AssertionError("there is only one world")


def test_another_world_renames_cards_in_bookkeeping_too() -> None:
    state = dealt()
    give = {"kind": "action", "seat": 1, "action": {"type": "give", "card": "3s"}}
    for seed in range(100):
        other, event = GAME.indistinguishable(state, give, 0, random.Random(seed))
        assert other.hands[0] == state.hands[0]
        assert sorted(other.hands[1] + other.aside) == ["3s", "4s", "5s", "6s"]
        assert event["action"] in GAME.legal(other, 1)
    other, _ = other_world(state, give, 0)
    seen = [view(s.declared, s, 0, {"aside": everyone}) for s in (state, other)]
    assert seen[0] != seen[1]
    assert GAME.view(state, 0) == GAME.view(other, 0)


def test_another_world_has_other_sealed_choices_but_the_same_revealed_ones() -> None:
    state = dealt()
    first = {"kind": "action", "seat": 0, "action": {"type": "give", "card": "As"}}
    second = {"kind": "action", "seat": 1, "action": {"type": "give", "card": "3s"}}
    sealed_ones, revealed = set(), set()
    for seed in range(30):
        rng = random.Random(seed)
        sealed_ones.add(str(GAME.indistinguishable(state, first, None, rng)[1]["action"]))
        other, event = GAME.indistinguishable(GAME.apply(state, first), second, None, rng)
        revealed.add(str((other.choices, event)))
    assert len(sealed_ones) > 3
    assert revealed == {str((({"type": "give", "card": "As"}, None), second))}


def test_who_sees_what() -> None:
    assert sealed(None, 1, Place(1)) and not sealed(None, None, Place(1))
    assert owner(None, 1, Place(1)) and not owner(None, 0, Place(1))
    assert not size(None, 0, Place(0))


def test_only_an_event_can_tell_something() -> None:
    state = dealt()
    told = state.told
    with pytest.raises(AttributeError):
        state.tell("aside", count=2)
    assert state.told == told


def test_two_events_played_on_one_state_tell_their_own_lines_alone() -> None:
    state = dealt()
    both = [act(state, seat, type="give", card=card) for seat, card in enumerate(("As", "4s"))]
    assert [each.told for each in both] == [({"line": "chosen", "seat": seat},) for seat in (0, 1)]
    assert state.told == dealt().told
