"""Narrowing: every legal action of every ruleset is reached in one way, and every step reads clearly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rules.kernel import Json, Param
from rules.kernel.actions import Types
from service.core.words.words import LANGUAGES
from service.tables.drawing.action_narrowing import (
    MOST_LISTED,
    Decision,
    NarrowingStep,
    narrow,
    parse_path,
)
from service.tables.drawing.action_narrowing_words import StepWords
from service.tables.views.game_view import GameAnswer
from tests.rules.playouts import RULESETS, actors
from tests.support.each_game import each_number
from tests.support.positions import answer, moments

SMALL: Types = {"take": (Param("cards", "cards"), Param("to", "seat")), "pass": ()}
SUITS = [rank + suit for suit in "shdc" for rank in "23456"]


def told(number: int, language: str) -> Iterator[GameAnswer]:
    """Positions of a ruleset as shown to a seat that may act, those with the most choices."""
    ruleset = RULESETS[number]
    asked = [
        (step.after, seat)
        for step in moments(number, 2, 30)
        for seat in actors(ruleset, step.after)
    ]
    asked.sort(key=lambda each: len(ruleset.legal(*each)), reverse=True)
    return (answer(ruleset, state, seat, language) for state, seat in asked[:25])


def ways(
    types: Types, legal: Sequence[Json], path: tuple[int, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Every step, with the path that leads to it."""
    step = narrow(types, legal, path).step
    yield path, step
    for place, way in enumerate(step.options):
        if len(way.places) > 1:
            yield from ways(types, legal, (*path, place))


def reached(step: NarrowingStep) -> list[int]:
    """The actions that a step leads to directly."""
    return [way.places[0] for way in step.options if len(way.places) == 1]


@each_number
def test_every_action_is_reached_in_one_way(number: int) -> None:
    types = RULESETS[number].actions
    for each in told(number, "en"):
        legal = [one["action"] for one in each.legal()]
        found = list(ways(types, legal))
        places = [place for _, step in found for place in reached(step)]
        assert sorted(places) == list(range(len(legal)))
        for _, step in found:
            assert len(step.options) > 1 or len(legal) == 1
            assert len(step.options) <= MOST_LISTED or step.decision is not Decision.ACTION


@each_number
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_options_of_a_step_read_differently(number: int, language: str) -> None:
    types = RULESETS[number].actions
    for each in told(number, language):
        legal = each.legal()
        for path, _ in ways(types, [one["action"] for one in legal]):
            shown = StepWords(each, legal, narrow(types, [one["action"] for one in legal], path))
            options = shown.options
            assert len(set(options)) == len(options) and all(options), options
            assert shown.question and bool(shown.chosen) == bool(path)


def test_types_are_chosen_first_then_parameters_in_order() -> None:
    legal = [
        {"type": "take", "cards": [card], "to": seat} for card in SUITS[:5] for seat in (1, 2, 3)
    ]
    legal.append({"type": "pass"})
    about = [narrow(SMALL, legal, path).step for path in ((), (0,), (0, 2))]
    assert [(step.decision, step.parameter and step.parameter.name) for step in about] == [
        (Decision.TYPE, None),
        (Decision.VALUE, "cards"),
        (Decision.ACTION, None),
    ]
    assert about[0].options[1].places == (15,)
    assert [legal[way.places[0]]["to"] for way in about[2].options] == [1, 2, 3]


def test_there_is_no_step_without_a_choice() -> None:
    legal = [{"type": "take", "cards": ["2s"], "to": seat} for seat in range(MOST_LISTED + 1)]
    step = narrow(SMALL, legal, ()).step
    assert (step.decision, step.parameter) == (Decision.VALUE, Param("to", "seat"))
    assert reached(step) == list(range(MOST_LISTED + 1))


def test_many_values_of_cards_are_chosen_card_by_card() -> None:
    """Unordered cards follow the order of the whole list; one value may be the beginning of another."""
    some = SUITS[:6]
    pairs = [[a, b] for n, a in enumerate(some) for b in some[n + 1 :]]
    values = [*([card] for card in some), *(pair[::-1] for pair in pairs)]
    legal = [{"type": "take", "cards": value} for value in values]
    first = narrow(SMALL, legal, ()).step
    assert (first.decision, [way.value for way in first.options]) == (Decision.CARD, some)
    second = narrow(SMALL, legal, (0,)).step
    assert {tuple(values[place]) for place in reached(second)} == {
        ("2s",),
        *((card, "2s") for card in some[1:]),
    }
    assert reached(first) == [5]  # only the last card begins a single value


@pytest.mark.parametrize("kind", ["cards", "sequence"])
def test_a_card_may_occur_twice_in_a_value(kind: str) -> None:
    types = {"take": (Param("cards", kind),)}
    legal = [
        {"type": "take", "cards": [a, b, c]}
        for n, a in enumerate(SUITS[:3])
        for m, b in enumerate(SUITS[:3])
        for c in SUITS[:3]
        if kind == "sequence" or (a, b, c) == tuple(sorted((a, b, c)))
    ]
    legal += [{"type": "take", "cards": [card]} for card in SUITS[:10]]
    found = [place for _, step in ways(types, legal) for place in reached(step)]
    assert sorted(found) == list(range(len(legal)))


def test_a_path_that_does_not_exist_leads_to_the_first_step() -> None:
    legal = [{"type": "take", "cards": [card]} for card in SUITS]
    beginning = narrow(SMALL, legal, ())
    assert (parse_path("2.0.14"), parse_path(None)) == ((2, 0, 14), ())
    for path in ((20,), (0, 0), (0, 1), (99999,), (3, 0, 0)):
        assert narrow(SMALL, legal, path) == beginning
