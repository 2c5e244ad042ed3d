"""The answers and refusals of a ruleset, with a toy game of every kind of event: a shuffle, actions, an
outside clock.
"""

from __future__ import annotations

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
    owner,
    phase,
    table,
    zone,
)

DECK = ("As", "2s", "3s", "4s")
LOOKED: list[str] = []
"""The questions that the phase `asking` was asked."""


@table
class Table(State):
    hands: tuple[tuple[str, ...], ...] = zone(owner, "hand", default=((), ()))
    asked: int = inner(default=0)
    passed: tuple[int | None, ...] = fact(everyone, per="seat", default=(None, None))


@phase
class FirstDeal(Table):
    def turn(self) -> Turn:
        return Turn(chance=Chance("deck", DECK))

    def on_chance(self, outcome: tuple[str, ...]) -> State:
        return self.tell("dealt").change(Asking, hands=(outcome[:2], outcome[2:]))


@phase
class Asking(Table):
    """Seat 0 is waited for, seat 1 may also act, and an outside clock can end the phase."""

    def turn(self) -> Turn:
        LOOKED.append("turn")
        return Turn(waiting=(0,), optional=(1,), clock="bell")

    def legal(self, seat: int) -> list[Json]:
        LOOKED.append("legal")
        shows = [{"type": "show", "card": card, "from": [seat]} for card in self.hands[seat]]
        return [*shows, {"type": "pass"}]

    def prompt(self) -> Json:
        LOOKED.append("prompt")
        return {"of": 0}

    def fallback(self, seat: int) -> Json | None:
        return {"type": "pass"}

    def do_show(self, seat: int, card: str, from_: tuple[int, ...]) -> State:
        return self.tell("shown", seat=seat, card=card, source=from_).change(asked=self.asked + 1)

    def do_pass(self, seat: int) -> State:
        passed = tuple(1 if each == seat else was for each, was in enumerate(self.passed))
        return self.tell("passed").change(passed=passed)

    def on_clock(self, name: str) -> State:
        return self.tell(name).change(Over)


@phase
class Choosing(Sealed, Table):
    """Only seat 1 of the two chooses."""

    @property
    def choosers(self) -> tuple[int, ...]:
        return (1,)

    def reveal(self) -> State:
        return self.tell("revealed", choices=self.choices).change(Over)


@phase
class Over(Table):
    def turn(self) -> Turn:
        return Turn(over=True)

    def result(self) -> Result:
        return Result((1,), (0, 1), "bell")


GAME = Ruleset(
    slug="toy",
    version=1,
    players=(2, 4),
    looks=Looks(cover=Cover("minds", "easy", ("As",)), lengths=lambda players: (Length({}, 2),)),
    options=lambda players: {"rounds": Option((1, 2, 3), 2)},
    together=lambda players, options: options["rounds"] <= players,
    actions={
        "show": (Param("card", "card"), Param("from", "seat")),
        "pass": (),
    },
    reasons=("bell",),
    start=lambda players, options: FirstDeal(players=players),
)
SHUFFLE = {"kind": "chance", "name": "deck", "outcome": list(DECK)}
BELL = {"kind": "clock", "name": "bell"}


def asking() -> Any:
    return GAME.apply(GAME.initial(2, {}), SHUFFLE)


def act(state: Any, seat: object, **action: object) -> Any:
    return GAME.apply(state, {"kind": "action", "seat": seat, "action": action})


def refused(state: State, event: object) -> Json:
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, event)
    return refusal.value.why


def test_a_phase_is_named_in_small_letters_with_hyphens() -> None:
    assert GAME.view(GAME.initial(2, {}), None)["phase"] == "first-deal"
    assert GAME.view(asking(), None)["phase"] == "asking"


def test_fields_are_given_by_name_and_never_set() -> None:
    with pytest.raises(TypeError):
        Choosing((None, None), players=2)
    with pytest.raises(AttributeError):
        asking().asked = 3
    with pytest.raises(TypeError):
        hash(asking())


def test_the_table_goes_from_phase_to_phase() -> None:
    shown = act(asking(), 0, **{"type": "show", "card": "As", "from": [0]})
    assert (shown.asked, shown.hands) == (1, (("As", "2s"), ("3s", "4s")))
    over = GAME.apply(shown, BELL)
    assert (over.asked, over.hands, over.players) == (1, shown.hands, 2)


def test_parameters_arrive_as_tuples_also_those_named_like_keywords() -> None:
    shown = act(asking(), 1, **{"type": "show", "card": "4s", "from": [1]})
    assert shown.told == ({"line": "shown", "seat": 1, "card": "4s", "source": (1,)},)
    assert GAME.lines(shown, 0) == [{"line": "shown", "seat": 1, "card": "4s", "source": [1]}]


def test_what_was_told_is_told_once() -> None:
    first = act(asking(), 0, type="pass")
    assert [line["line"] for line in GAME.lines(first, None)] == ["passed"]
    assert [line["line"] for line in GAME.lines(GAME.apply(first, BELL), None)] == ["bell"]


def test_those_who_are_waited_for_and_those_who_may_are_told_what_is_legal() -> None:
    state = asking()
    assert [action["type"] for action in GAME.legal(state, 0)] == ["show", "show", "pass"]
    assert GAME.legal(state, 1)[0] == {"type": "show", "card": "3s", "from": [1]}
    for seat in (2, -1, None, True):
        assert GAME.legal(state, seat) == []
    assert GAME.legal(GAME.initial(2, {}), 0) == []


def test_the_list_of_what_is_legal_is_the_callers_own() -> None:
    state = asking()
    GAME.legal(state, 0).clear()
    assert len(GAME.legal(state, 0)) == 3


def test_a_state_is_asked_once() -> None:
    state = asking()
    LOOKED.clear()
    for _ in range(3):
        GAME.turn(state)
        GAME.legal(state, 0)
        GAME.question(state, 0)
    assert LOOKED == ["turn", "legal", "prompt"]


def test_the_fallback_is_for_those_who_are_waited_for() -> None:
    state = asking()
    assert GAME.fallback(state, 0) == {"type": "pass"}
    assert GAME.fallback(state, 1) is None
    assert GAME.fallback(state, 2) is None


def test_a_question_stays_the_same_while_others_pass() -> None:
    before, after = asking(), act(asking(), 1, type="pass")
    assert GAME.view(before, 0) != GAME.view(after, 0)
    assert GAME.question(before, 0) == GAME.question(after, 0)
    assert not GAME.asks_anew(before, after, 0)
    question = GAME.question(before, 0)
    assert question["legal"] == GAME.legal(before, 0)
    assert question["view"]["zones"] == GAME.view(before, 0)["zones"]
    assert question["view"]["committed"] is None
    assert question != GAME.question(before, 1)


def test_a_seat_is_asked_anew_if_anything_that_concerns_it_differs() -> None:
    state = asking()
    other_hand = state.change(hands=(state.hands[0], state.hands[1][::-1]))
    assert [GAME.asks_anew(state, other_hand, seat) for seat in (0, 1)] == [False, True]
    assert not GAME.asks_anew(state, state.change(asked=9), 0)
    over = GAME.apply(state, BELL)
    assert all(GAME.asks_anew(state, over, seat) for seat in (0, 1))


def test_a_state_derives_once_what_several_viewers_see() -> None:
    state = asking()
    LOOKED.clear()
    for viewer in (0, 1, None):
        assert GAME.view(state, viewer)["prompt"] == {"of": 0}
    assert LOOKED == ["prompt"]


def test_a_game_has_no_result_before_it_is_over() -> None:
    assert GAME.result(asking()) is None
    over = GAME.apply(asking(), BELL)
    assert GAME.result(over) == Result((1,), (0, 1), "bell")
    assert GAME.turn(over).over


def test_the_last_of_those_who_choose_reveals() -> None:
    state = Choosing(players=2)
    assert GAME.turn(state).waiting == (1,)
    assert (state.choice(0), state.choice(1)) == (None, None)
    revealed = GAME.act(state, {"kind": "action", "seat": 1, "action": {"type": "bid"}})
    assert GAME.lines(revealed, 0) == [
        {"line": "chosen", "seat": 1},
        {"line": "revealed", "choices": [None, {"type": "bid"}]},
    ]


def test_only_a_phase_of_choices_takes_an_action_that_it_has_no_method_for() -> None:
    with pytest.raises(TypeError, match="Asking has no bid"):
        asking().perform(0, {"type": "bid"})


@pytest.mark.parametrize(
    "event", [None, [], {}, {"kind": "chance"}, {"kind": 1}, {"kind": ["action"]}, {"kind": "fly"}]
)
def test_an_event_of_another_kind_is_refused(event: object) -> None:
    assert refused(asking(), event) == {"wrong": "kind", "may": ["action", "clock"]}


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "chance"},
        {"kind": "action", "seat": 0, "action": {"type": "pass"}},
        {"kind": "clock", "name": "bell"},
        {**SHUFFLE, "more": 1},
        {"kind": "chance", "name": "deck"},
    ],
)
def test_before_a_shuffle_there_is_nothing_else(event: object) -> None:
    assert refused(GAME.initial(2, {}), event) == {"wrong": "kind", "may": ["chance"]}


def test_after_the_end_there_is_nothing() -> None:
    over = GAME.apply(asking(), BELL)
    for event in (SHUFFLE, BELL, {"kind": "action", "seat": 0, "action": {"type": "pass"}}):
        assert refused(over, event) == {"wrong": "kind", "may": []}


@pytest.mark.parametrize("outcome", [["As"], [*DECK, "5s"], list(DECK[:3]) + ["5s"], DECK, None])
def test_a_shuffle_brings_exactly_its_cards(outcome: object) -> None:
    why = refused(GAME.initial(2, {}), {**SHUFFLE, "outcome": outcome})
    assert why == {"wrong": "outcome", "may": list(DECK)}


def test_a_shuffle_and_a_clock_have_a_name() -> None:
    why = refused(GAME.initial(2, {}), {**SHUFFLE, "name": "stock"})
    assert why == {"wrong": "name", "may": ["deck"]}
    assert refused(asking(), {**BELL, "name": "gong"}) == {"wrong": "name", "may": ["bell"]}


@pytest.mark.parametrize("seat", [2, -1, None, True, False, "0", 0.0])
def test_an_action_of_anybody_else_is_refused(seat: object) -> None:
    event = {"kind": "action", "seat": seat, "action": {"type": "pass"}}
    assert refused(asking(), event) == {"wrong": "seat", "may": [0, 1]}


def test_an_action_that_is_not_listed_is_refused_with_what_may_be() -> None:
    event = {"kind": "action", "seat": 0, "action": {"type": "show", "card": "3s", "from": [0]}}
    assert refused(asking(), event) == {"wrong": "card", "may": ["As", "2s"]}


@pytest.mark.parametrize("players", [1, 3, 0, None, True, "2", 2.0])
def test_a_number_of_players_that_the_game_is_not_for(players: object) -> None:
    with pytest.raises(Invalid, match=r"^toy is for \(2, 4\) players$"):
        GAME.settle(players, {})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (None, "the options are"),
        ([], "the options are"),
        ({"length": 1}, r"the options are \['rounds'\]"),
        ({"rounds": 4}, r"rounds is one of \[1, 2, 3\]"),
        ({"rounds": 3}, "do not go together"),
    ],
)
def test_options_that_the_game_does_not_have(options: object, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        GAME.settle(2, options)


def test_options_are_settled_with_their_defaults() -> None:
    assert GAME.settle(4, {}) == {"rounds": 2}
    assert GAME.settle(4, {"rounds": 3}) == {"rounds": 3}
    assert GAME.settle(2, {"rounds": 2.0}) == {"rounds": 2}
