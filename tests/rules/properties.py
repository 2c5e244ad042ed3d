"""The properties of every game of every ruleset, whatever its rules: one function for each."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from rules.common.cards import canonical
from rules.kernel import Illegal, Json, Param, Ruleset, Spot, State, Turn, text, vocabulary
from tests.rules.playouts import Game, Step, actors, codes, holding, lying
from tests.rules.worlds import check

Property = Callable[[Ruleset, Game], None]
AGAIN = 10
"""Every how many steps something slow is checked."""
LOOKED_AT = 12
"""The fewest actions of a list, evenly spread, that are compared with their declaration."""
TRIED = 2
"""The number of steps of each game that are also played in other worlds."""


def a_turn_is_a_chance_or_for_seats_or_the_end(ruleset: Ruleset, game: Game) -> None:
    for state in states(game):
        turn = ruleset.turn(state)
        may = turn.waiting + turn.optional
        assert [turn.chance is not None, bool(may), turn.over].count(True) == 1
        assert turn.clock is None or may
        assert len(set(may)) == len(may) and set(may) <= set(range(state.players))
        seats_are_in_order(turn)


def seats_are_in_order(turn: Turn) -> None:
    """Another order could reveal something about the hands of the seats."""
    for seats in (turn.waiting, turn.optional):
        assert list(seats) == sorted(seats)


def legal_lists_are_as_declared(ruleset: Ruleset, game: Game) -> None:
    for step in game.steps:
        for seat in actors(ruleset, step.before):
            legal = ruleset.legal(step.before, seat)
            assert legal
            assert len(set(map(repr, legal))) == len(
                legal
            )  # as good as canonical text: keys are in order
            for action in legal[:: 1 + len(legal) // LOOKED_AT]:
                assert is_declared(action, ruleset.actions[action["type"]]), action


def is_declared(action: Json, parameters: tuple[Param, ...]) -> bool:
    """Whether all parameters of an action are declared, of the declared kind and in the declared order."""
    given = [each for each in parameters if each.name in action]
    names = ["type", *(each.name for each in given)]
    return list(action) == names and all(IS_OF[each.kind](action[each.name]) for each in given)


def what_is_pointed_at_lies_on_the_table(ruleset: Ruleset, game: Game) -> None:
    for step in game.steps[::AGAIN]:
        for seat in actors(ruleset, step.before):
            zones = ruleset.view(step.before, seat)["zones"]
            for action in ruleset.legal(step.before, seat)[:LOOKED_AT]:
                kind = action["type"]
                if kind in ruleset.looks.spots:
                    assert zones_of(zones, ruleset.looks.spots[kind].zone, seat), action
                for name in action.keys() & {param.name for param in ruleset.actions[kind]}:
                    spot = ruleset.looks.spots.get(f"{kind}.{name}")
                    if spot and spot.by == "into":  # the zone may come with the cards
                        assert spot.zone in vocabulary.zones(ruleset.looks.vocabulary), (
                            action,
                            name,
                        )
                    else:
                        assert spot is None or lies(zones, spot, action, name, seat), (action, name)


def zones_of(zones: list[Json], name: str, seat: int) -> list[Json]:
    """The zones of this name that are the seat's or nobody's."""
    return [each for each in zones if each["name"] == name and each.get("seat", seat) == seat]


def lies(zones: list[Json], spot: Spot, action: Json, name: str, seat: int) -> bool:
    """Whether the object that the value stands for is among the zones of a view."""
    value = action[name]
    found = zones_of(zones, spot.zone or value, seat)
    if spot.by == "index":
        values = value if isinstance(value, list) else [value]
        return {each["index"] for each in found} >= set(values)
    if spot.by == "each":
        return len(found) == len(value)
    if spot.by == "gap":
        counts = {each["index"]: each["count"] for each in found}
        others = [counts[each] for key, each in action.items() if key != name and each in counts]
        return any(value <= count for count in others)
    cards = [code for each in found for code in codes(each.get("cards", []))]
    if spot.by == "place":
        return any(value < len(each["cards"]) for each in found)
    if spot.by == "end":
        return any(str(value) in code.split("-") for code in (cards[0], cards[-1]))
    if spot.by == "suit":
        return sum(code[1] == value for code in cards) == 1
    if spot.by == "company":
        return "shdc".index(action["card"][1]) in {each["index"] for each in found}
    return spot.by in ("zone", "drawn") and len(found) == 1


def are_codes(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is str for each in value)


def are_cards(value: Any) -> bool:
    """A list of cards, in canonical order."""
    return are_codes(value) and value == list(canonical(value))


IS_OF: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(["number", "position", "seat"], lambda value: type(value) is int),
    **dict.fromkeys(["card", "suit", "rank"], lambda value: type(value) is str),
    "sequence": are_codes,
    "cards": are_cards,
    "flag": lambda value: type(value) is bool,
    "choice": lambda value: type(value) is str or bool(json.loads(json.dumps(value)) == value),
}
"""Whether a value is possible for a parameter of each kind."""


def the_fallback_is_legal(ruleset: Ruleset, game: Game) -> None:
    for step in game.steps:
        for seat in ruleset.turn(step.before).waiting:
            action = ruleset.fallback(step.before, seat)
            equal = [each for each in ruleset.legal(step.before, seat) if each == action]
            assert any(text(each) == text(action) for each in equal)


def no_card_appears_or_disappears(ruleset: Ruleset, game: Game) -> None:
    """Only a chance brings cards: a deck that is not on the table yet, or none if it shuffles those on the table.

    A second pack of the same cards comes before anybody acts.
    """
    acted = False
    for step in game.steps:
        came = arrived(step)
        if step.event["kind"] != "chance":
            assert not came, step.event
            acted = True
        elif came:
            assert came == Counter(step.event["outcome"])
            assert not acted or not Counter(came) & lying(step.before)


def arrived(step: Step) -> dict[str, int]:
    """How many more of each card are on the table after the event than before; negative if there are fewer."""
    found: Counter[str] = Counter()
    before, after = vars(step.before), vars(step.after)
    for name in {*holding(step.before), *holding(step.after)}:
        count(before.get(name), after.get(name), found)
    return {card: number for card, number in found.items() if number}


def count(before: Any, after: Any, found: Counter[str]) -> None:
    """Add the cards of `after` to `found`, subtract those of `before`; parts that are one object are skipped."""
    if before is after:
        return
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            count(one, other, found)
    else:
        found.update(codes(after))
        found.subtract(codes(before))


def the_log_makes_the_same_game(ruleset: Ruleset, game: Game) -> None:
    """`act` and `apply` agree, with events read back from JSON; this also shows that no old state was changed."""
    log = json.loads(json.dumps([step.event for step in game.steps]))
    state = ruleset.initial(game.players, game.options)
    for number, (step, event) in enumerate(zip(game.steps, log, strict=True)):
        assert state == step.before
        if number % AGAIN == 0:
            assert ruleset.apply(state, event) == step.after
        state = ruleset.act(state, event)
    assert state == game.end


def every_event_tells_something(ruleset: Ruleset, game: Game) -> None:
    for step in game.steps:
        assert step.after.told, step.event


def nothing_is_told_of_what_an_event_drops(ruleset: Ruleset, game: Game) -> None:
    """States of an event share one list of lines: copies with separate lists must have the same lines in the end."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(State, "tell", _told_by_a_copy)
        for step in game.steps[:: AGAIN // 2]:
            assert ruleset.act(step.before, step.event) == step.after


def _told_by_a_copy(
    state: State, line: str, /, shown_by: State | None = None, **values: object
) -> State:
    return state.change(told=[*state.told, {"line": line, **values}])


def a_result_comes_with_the_end_and_not_before(ruleset: Ruleset, game: Game) -> None:
    for state in states(game):
        result = ruleset.result(state)
        assert (result is not None) == ruleset.turn(state).over
        if result:
            assert result.reason in ruleset.reasons
            assert len(result.scores) == state.players
            assert list(result.winners) == sorted(set(result.winners))
            assert set(result.winners) <= set(range(state.players))
            assert json.loads(json.dumps(result)) == [*map(list, result[:2]), result.reason]


def entries_add_up_to_the_scores(ruleset: Ruleset, game: Game) -> None:
    result, sums = ruleset.result(game.end), [0] * game.players
    for step in game.steps if result else ():
        for each in ruleset.looks.scored(*step):
            assert json.loads(json.dumps(each.fields)) == each.fields
            sums[each.of] += each.value
    assert result is None or sums == list(result.scores)


def a_game_that_is_over_takes_no_event(ruleset: Ruleset, game: Game) -> None:
    if ruleset.turn(game.end).over:
        for step in game.steps[-3:]:
            with pytest.raises(Illegal) as refused:
                ruleset.apply(game.end, step.event)
            assert refused.value.why == {"wrong": "kind", "may": []}


def nobody_can_tell_the_worlds_apart(ruleset: Ruleset, game: Game) -> None:
    rng = random.Random(len(game.steps))
    for step in rng.sample(game.steps, min(len(game.steps), TRIED)):
        check(ruleset, step, rng)


PROPERTIES: tuple[Property, ...] = (
    a_turn_is_a_chance_or_for_seats_or_the_end,
    legal_lists_are_as_declared,
    what_is_pointed_at_lies_on_the_table,
    the_fallback_is_legal,
    no_card_appears_or_disappears,
    the_log_makes_the_same_game,
    every_event_tells_something,
    nothing_is_told_of_what_an_event_drops,
    a_result_comes_with_the_end_and_not_before,
    entries_add_up_to_the_scores,
    a_game_that_is_over_takes_no_event,
    nobody_can_tell_the_worlds_apart,
)


def check_all(ruleset: Ruleset, game: Game) -> None:
    """Check every property. Raises AssertionError, with a note that names the game, where one does not hold."""
    for holds in PROPERTIES:
        try:
            holds(ruleset, game)
        except Exception as failure:
            failure.add_note(f"{game.name}: {game.players} players, {game.options}")
            raise


def states(game: Game) -> list[State]:
    """Every state of a game, including the last one."""
    return [*(step.before for step in game.steps), game.end]
