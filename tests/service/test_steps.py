"""Step by step to a move: every legal action of every ruleset is reached by one way, and each step says what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import rules
from rules.kernel import Json, Param
from service import choosing
from service.answers import GameAnswer
from service.steps import FEW, About, Step, Types, path_of, walk
from service.words import LANGUAGES
from tests.rules.playouts import RULESETS, actors
from tests.service.positions import answer, moments

SMALL: Types = {"take": (Param("cards", "cards"), Param("to", "seat")), "pass": ()}
SUITS = [rank + suit for suit in "shdc" for rank in "23456"]
every_ruleset = pytest.mark.parametrize("number", range(len(RULESETS)), ids=rules.slugs())


def told(number: int, language: str) -> Iterator[GameAnswer]:
    """Positions of a ruleset as those who may act are told of them, where there is most to choose."""
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
    """Every step, with the path that leads there."""
    step = walk(types, legal, path).step
    yield path, step
    for place, way in enumerate(step.ways):
        if len(way.left) > 1:
            yield from ways(types, legal, (*path, place))


def reached(step: Step) -> list[int]:
    """The actions that a step leads to at once."""
    return [way.left[0] for way in step.ways if len(way.left) == 1]


@every_ruleset
def test_every_action_is_reached_by_one_way(number: int) -> None:
    types = RULESETS[number].actions
    for each in told(number, "en"):
        legal = [one["action"] for one in each.legal()]
        found = list(ways(types, legal))
        places = [place for _, step in found for place in reached(step)]
        assert sorted(places) == list(range(len(legal)))
        for _, step in found:
            assert len(step.ways) > 1 or len(legal) == 1
            assert len(step.ways) <= FEW or step.about is not About.ACTION


@every_ruleset
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_reads_differently(number: int, language: str) -> None:
    types = RULESETS[number].actions
    for each in told(number, language):
        legal = each.legal()
        for path, _ in ways(types, [one["action"] for one in legal]):
            shown = choosing.shown(each, legal, walk(types, [one["action"] for one in legal], path))
            assert len(set(shown.ways)) == len(shown.ways) and all(shown.ways), shown.ways
            assert shown.asks and bool(shown.chosen) == bool(path)


def test_types_come_first_then_parameters_in_their_order() -> None:
    legal = [
        {"type": "take", "cards": [card], "to": seat} for card in SUITS[:5] for seat in (1, 2, 3)
    ]
    legal.append({"type": "pass"})
    about = [walk(SMALL, legal, path).step for path in ((), (0,), (0, 2))]
    assert [(step.about, step.parameter and step.parameter.name) for step in about] == [
        (About.TYPE, None),
        (About.VALUE, "cards"),
        (About.ACTION, None),
    ]
    assert about[0].ways[1].left == (15,)
    assert [legal[way.left[0]]["to"] for way in about[2].ways] == [1, 2, 3]


def test_what_leaves_no_choice_is_no_step() -> None:
    legal = [{"type": "take", "cards": ["2s"], "to": seat} for seat in range(FEW + 1)]
    step = walk(SMALL, legal, ()).step
    assert (step.about, step.parameter) == (About.VALUE, Param("to", "seat"))
    assert reached(step) == list(range(FEW + 1))


def test_many_values_of_cards_are_chosen_card_by_card() -> None:
    """Without an order of their own they stand in that of the whole list; one may be the beginning of another."""
    some = SUITS[:6]
    pairs = [[a, b] for n, a in enumerate(some) for b in some[n + 1 :]]
    values = [*([card] for card in some), *(pair[::-1] for pair in pairs)]
    legal = [{"type": "take", "cards": value} for value in values]
    first = walk(SMALL, legal, ()).step
    assert (first.about, [way.value for way in first.ways]) == (About.CARD, some)
    second = walk(SMALL, legal, (0,)).step
    assert {tuple(values[place]) for place in reached(second)} == {
        ("2s",),
        *((card, "2s") for card in some[1:]),
    }
    assert reached(first) == [5]  # the last card stands alone


@pytest.mark.parametrize("kind", ["cards", "sequence"])
def test_the_same_cards_may_come_twice(kind: str) -> None:
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


def test_a_path_that_leads_nowhere_is_at_the_beginning() -> None:
    legal = [{"type": "take", "cards": [card]} for card in SUITS]
    beginning = walk(SMALL, legal, ())
    assert (path_of("2.0.14"), path_of(None)) == ((2, 0, 14), ())
    for path in ((20,), (0, 0), (0, 1), (99999,), (3, 0, 0)):
        assert walk(SMALL, legal, path) == beginning
