"""Properties of every state of every ruleset, whatever its rules: no game is named here."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel import Illegal, Invalid, Json, Ruleset, State, text
from rules.kernel.declarations import Choices
from tests.rules.playouts import Steps, actors, viewers
from tests.rules.sample_games import tables

KINDS = {"hand", "pile", "row", "trick", "line", "ladder", "grid"}
DEEP: list[Any] = []
for _ in range(10_000):
    DEEP = [DEEP]
PAIRS = 100
"""The number of pairs of states that are compared."""
ASKED, TRIED = 15, 40
"""The number of states of each phase that are tried, and of actions in each of them."""
GUESSED = 40
"""The number of steps at which seats that may not act try to learn about the hand of a seat that may."""
ODD = [None, True, 0, 1.5, "", "type", [], {}, [[]], {"type": None}, {"type": []}, {"type": DEEP}]


def test_exactly_the_seats_that_may_act_have_actions(met: Steps, ruleset: Ruleset) -> None:
    for state in (step.before for step in met):
        may = actors(ruleset, state)
        assert len(set(may)) == len(may)
        for seat in range(state.players):
            assert bool(ruleset.legal(state, seat)) == (seat in may)
        for nobody in (None, True, False, -1, state.players):
            assert ruleset.legal(state, nobody) == []


def test_a_seat_is_asked_anew_exactly_if_its_question_differs(met: Steps, ruleset: Ruleset) -> None:
    """This also holds between states that do not follow each other and have little in common."""
    states = random.Random(1).sample([step.after for step in met], min(len(met), PAIRS))
    pairs = [(step.before, step.after) for step in met[:: 1 + len(met) // PAIRS]]
    answers = Counter[bool]()
    for before, after in [*pairs, *itertools.pairwise(states)]:
        for seat in range(min(before.players, after.players)):
            anew = ruleset.asks_anew(before, after, seat)
            assert anew == (ruleset.question(before, seat) != ruleset.question(after, seat))
            answers[anew] += 1
            assert not ruleset.asks_anew(before, before.change(), seat)
    assert answers[True]


def test_only_waiting_seats_have_a_fallback(met: Steps, ruleset: Ruleset) -> None:
    for state in (step.before for step in met):
        waiting = ruleset.turn(state).waiting
        for seat in range(state.players):
            assert (ruleset.fallback(state, seat) is not None) == (seat in waiting)


def test_legal_actions_are_accepted(ruleset: Ruleset, met: Steps) -> None:
    for state, seat, legal in questions(ruleset, met):
        for action in random.Random(seat).sample(legal, min(len(legal), TRIED)):
            sent = json.loads(json.dumps(dict(reversed(action.items()))))
            assert ruleset.listed(state, seat, sent) == action
            event = {"kind": "action", "seat": seat, "action": sent}
            assert ruleset.apply(state, event) == ruleset.act(state, event)


def test_an_action_that_is_not_listed_is_refused_with_the_reason(
    ruleset: Ruleset, met: Steps
) -> None:
    for state, seat, legal in questions(ruleset, met):
        before = text(ruleset.view(state, seat))
        action = random.Random(seat).choice(legal)
        for sent in [*ODD, *mutations(action)]:
            if not listed(legal, sent):
                assert refusal(ruleset, state, seat, sent) == expected(ruleset, legal, sent)
        assert text(ruleset.view(state, seat)) == before


def questions(ruleset: Ruleset, met: Steps) -> Iterator[tuple[State, int, list[Json]]]:
    """Some states of each phase in which a seat is asked."""
    asked: Counter[str] = Counter()
    for step in met:
        asked[step.before.phase] += 1
        if step.event["kind"] == "action" and asked[step.before.phase] <= ASKED:
            seat = step.event["seat"]
            yield step.before, seat, ruleset.legal(step.before, seat)


def mutations(action: Json) -> Iterator[Any]:
    """Actions that are almost this one."""
    yield {**action, "extra": 1}
    yield {**action, "type": "none-such"}
    yield [action]
    for name, value in action.items():
        yield {key: each for key, each in action.items() if key != name}
        for other in (None, DEEP, {}, [value], str(value) + " ", *similar(value)):
            yield {**action, name: other}


def similar(value: Any) -> Iterator[Any]:
    if isinstance(value, int):
        yield from (bool(value), str(value), value + 0.5, -1 - value, value + 1000)
    if isinstance(value, list):
        yield from (
            value[::-1],
            value + value[:1],
            value[:-1],
            [True if v == 1 else v for v in value],
        )
    if isinstance(value, str):
        yield value.swapcase()


def listed(legal: list[Json], sent: Any) -> bool:
    """Whether the text of `sent` is that of a legal action (a value that is nested too deeply has none)."""
    try:
        return text(sent) in map(text, legal)
    except RecursionError:
        return False


def refusal(ruleset: Ruleset, state: State, seat: Any, sent: Any) -> Json:
    with pytest.raises(Illegal) as refused:
        ruleset.apply(state, {"kind": "action", "seat": seat, "action": sent})
    return refused.value.why


def expected(ruleset: Ruleset, legal: list[Json], sent: Any) -> Json:
    """The first error, found by comparing texts: the type, then parameter by parameter."""
    kind = sent.get("type") if isinstance(sent, dict) else None
    declared = ruleset.actions.get(kind, ()) if isinstance(kind, str) else ()
    left = legal
    for name in ["type", *(each.name for each in declared)]:
        agreed = [action for action in left if shown(action, name) == shown(sent, name)]
        if not agreed:
            return {"wrong": name, "may": values(left, name)}
        left = agreed
    return {"wrong": "type", "may": values(legal, "type")}


def shown(action: Any, name: str) -> str | None:
    """The text of one parameter; None if it is missing."""
    try:
        return text(action[name]) if isinstance(action, dict) and name in action else None
    except RecursionError:
        return "too deep"


def values(legal: list[Json], name: str) -> list[Any]:
    found = {text(action[name]): action[name] for action in legal if name in action}
    return list(found.values())


def test_a_seat_that_may_not_act_is_refused(met: Steps, ruleset: Ruleset) -> None:
    for step in met:
        may = actors(ruleset, step.before)
        if may:
            action = ruleset.legal(step.before, may[0])[0]
            nobody = [True, False, -1, step.before.players, 0.0, "0", None, [], DEEP]
            for seat in [*others(step.before, may), *nobody]:
                why = refusal(ruleset, step.before, seat, action)
                assert why == {"wrong": "seat", "may": list(may)}


def test_who_guesses_is_told_nothing_of_the_hand_on_turn(
    met: Steps, ruleset: Ruleset, thorough: bool
) -> None:
    for step in met if thorough else met[:: 1 + len(met) // GUESSED]:
        may = actors(ruleset, step.before)
        for seat in others(step.before, may) if may else ():
            for guess in [*ODD, *mutations(ruleset.legal(step.before, may[0])[0])]:
                why = refusal(ruleset, step.before, seat, guess)
                assert why == {"wrong": "seat", "may": list(may)}


def others(state: State, may: tuple[int, ...]) -> list[int]:
    """The seats that may not act."""
    return [seat for seat in range(state.players) if seat not in may]


def test_an_event_out_of_turn_is_refused(met: Steps, ruleset: Ruleset) -> None:
    for step in met:
        for state in (step.before, step.after):
            kinds = due(ruleset, state)
            for event in wrong_events(step.event, kinds):
                with pytest.raises(Illegal) as refused:
                    ruleset.apply(state, event)
                assert refused.value.why == {"wrong": "kind", "may": kinds}


def due(ruleset: Ruleset, state: State) -> list[str]:
    turn = ruleset.turn(state)
    kinds = {"chance": turn.chance, "action": turn.waiting + turn.optional, "clock": turn.clock}
    return [kind for kind, now in kinds.items() if now]


def wrong_events(event: Json, kinds: list[str]) -> Iterator[Any]:
    yield from ODD
    yield {**event, "extra": 1}
    yield {**event, "kind": "start"}
    yield {**event, "kind": [event["kind"]]}
    for name in event:
        yield {key: value for key, value in event.items() if key != name}
    others = [
        {"kind": "chance", "name": "stock", "outcome": []},
        {"kind": "action", "seat": 0, "action": {"type": "pass"}},
        {"kind": "clock", "name": "time-up"},
    ]
    yield from (other for other in others if other["kind"] not in kinds)


def test_a_shuffle_consists_of_the_named_items(met: Steps, ruleset: Ruleset) -> None:
    for step in met:
        chance = ruleset.turn(step.before).chance
        if chance:
            assert list(chance.items) and all(type(item) is str for item in chance.items)
            real = step.event["outcome"]
            for outcome in (real[1:], [*real, real[0]], [1, *real[1:]], tuple(real), None, DEEP):
                with pytest.raises(Illegal) as refused:
                    ruleset.apply(step.before, {**step.event, "outcome": outcome})
                assert refused.value.why == {"wrong": "outcome", "may": list(chance.items)}
            with pytest.raises(Illegal) as refused:
                ruleset.apply(step.before, {**step.event, "name": ["stock"]})
            assert refused.value.why == {"wrong": "name", "may": [chance.name]}


def test_settling_twice_changes_nothing(ruleset: Ruleset) -> None:
    for players, options in tables(ruleset):
        assert ruleset.settle(players, options) == options
        assert ruleset.initial(players, options) == ruleset.initial(players, dict(options))
    for players in ruleset.players:
        settled = ruleset.settle(players, {})
        assert ruleset.settle(players, settled) == settled
        assert settled == {n: option.default for n, option in ruleset.options(players).items()}


def test_unknown_tables_are_invalid(ruleset: Ruleset) -> None:
    some = ruleset.players[0]
    for players in (None, True, False, 0, -1, 1000, float(some), str(some), [some], DEEP):
        for make in (ruleset.settle, ruleset.initial):
            with pytest.raises(Invalid):
                make(players, {})
    wrong = [{name: value} for name in ruleset.options(some) for value in (None, DEEP, "none such")]
    for options in (None, [], "", {"none such": 1}, {1: 1}, DEEP, *wrong):
        for make in (ruleset.settle, ruleset.initial):
            with pytest.raises(Invalid):
                make(some, options)


def test_a_view_has_the_documented_shape(met: Steps, ruleset: Ruleset) -> None:
    for step in met:
        for viewer in viewers(step.after):
            view = ruleset.view(step.after, viewer)
            assert json.loads(json.dumps(view)) == view
            assert list(view) == ["phase", "prompt", "committed", "zones", "facts"]
            assert view["phase"] == step.after.phase
            for zone in view["zones"]:
                check_zone(zone)
            for fact in view["facts"]:
                check_fact(fact)
            committed = view["committed"]
            assert committed == sorted(set(committed)) and committed == sealed(step.after)


def check_zone(zone: Json) -> None:
    keys = ["name", "seat", "index", "kind", "count", "cards"]
    assert list(zone) == [key for key in keys if key in zone]
    assert {"name", "kind", "count"} <= zone.keys()
    assert zone["kind"] in KINDS
    vacant = sum(card == {"is": ["vacant"]} for card in zone.get("cards", ()))
    assert len(zone.get("cards", range(zone["count"]))) == zone["count"] + vacant
    for card in zone.get("cards", ()):
        marked = isinstance(card, dict) and {"is"} <= card.keys() <= {"card", "is"}
        assert card is None or isinstance(card, str) or marked


def check_fact(fact: Json) -> None:
    assert isinstance(fact["name"], str)
    assert type(fact.get("of", 0)) is type(fact.get("index", 0)) is int
    assert list(fact) == sorted(fact, key=lambda key: [*"name of index".split(), key].index(key))


def sealed(state: State) -> list[int]:
    """The seats with a sealed choice."""
    for attr, declaration in state.declared:
        if isinstance(declaration, Choices):
            choices = getattr(state, attr)
            return [seat for seat, choice in enumerate(choices) if choice is not None]
    return []


def test_everybody_is_told_the_same_lines_with_what_they_may_know(
    met: Steps, ruleset: Ruleset
) -> None:
    for step in met:
        told = [ruleset.lines(step.after, viewer) for viewer in viewers(step.after)]
        for lines in told:
            assert lines and json.loads(json.dumps(lines)) == lines
            assert [list(line) for line in lines] == [list(line) for line in told[0]]
            assert [line["line"] for line in lines] == [line["line"] for line in told[0]]
