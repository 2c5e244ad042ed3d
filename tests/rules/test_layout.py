"""The layout of each game: it names lines and facts that the table has, and every fact about a seat has a picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rules
from rules.common.cards import deck
from rules.common.poker import RANKS
from rules.kernel import Area, Json, Ruleset
from rules.kernel import vocabulary as say
from tests.rules.playouts import Steps

FACTS = {
    "token": {"of"},
    "suits": {"counts", "most", "least"},
    "track": {"value", "limit"},
    "bid": {"by"},
    "line": {"ends"},
    "lanes": {"total", "way", "taken", "ready"},
    "centre": {"lead", "number", "won"},
    "board": {"price"},
    "heads": {"total"},
    "load": {"total"},
    "drawn": {"at"},
    "record": {"entry"},
}
"""By kind of area, the parts that are facts; the others are members of a prompt or of a fact."""
OF_PROMPTS = {"centre": {"led"}, "bid": {"kind", "rank", "suit"}}
OF_FACTS = {"token": {"says": "of"}, "heads": {"of": "total"}}
"""By kind of area and part, the part of the fact that has this member."""
NUMBERS = {
    "token": {"spent", "of"},
    "track": {"from", "to", "enough"},
    "lanes": {"least", "most"},
    "load": {card[0] for card in deck()},
}
AT_THE_END = "over"
"""Facts at the end of a game, when there is room for words."""


@pytest.mark.every_game
def test_the_layout_names_what_is_told(ruleset: Ruleset) -> None:
    facts = say.facts(ruleset.looks.vocabulary, ruleset.actions)
    prompts = {m.name for each in say.prompts(ruleset.looks.vocabulary).values() for m in each}
    for area in ruleset.looks.layout:
        for part, name in area.facts.items():
            if part in OF_PROMPTS.get(area.kind, ()):
                assert name in prompts, area
            elif part in OF_FACTS.get(area.kind, ()):
                told = facts[area.facts[OF_FACTS[area.kind][part]]]
                assert name in {member.name for member in told.members}, area
            else:
                assert part in FACTS[area.kind], area
                assert name in facts, area
        known = NUMBERS.get(area.kind, set()) | set(area.zones)  # what a zone adds
        assert set(area.numbers) <= known, area
        assert area.kind == "bid" or not area.sets
        assert bool(area.icon) == (area.kind == "token"), area


@pytest.mark.every_game
def test_a_track_has_two_ends(ruleset: Ruleset) -> None:
    for area in ruleset.looks.layout:
        if area.kind == "track":
            assert "from" in area.numbers
            assert ("to" in area.numbers) != ("limit" in area.facts)


def test_each_kind_of_bid_has_its_cards() -> None:
    abbott = rules.load("abbott-auction")
    (area,) = (each for each in abbott.looks.layout if each.kind == "bid")
    kinds = {kind for each in abbott.actions["bid"][:1] for kind in each.values}
    assert set(area.sets) == kinds
    assert {sign for cards in area.sets.values() for sign in cards} <= set("R<sx")
    assert all(1 <= len(cards) <= len(RANKS) for cards in area.sets.values())


@pytest.mark.every_game
def test_all_that_is_told_of_a_seat_has_a_picture(ruleset: Ruleset, met: Steps) -> None:
    pictured = {name for area in ruleset.looks.layout for name in pictures(area)}
    told = {fact["name"] for step in met for fact in of_seats(ruleset.view(step.before, None))}
    assert told - pictured == set()


def pictures(area: Area) -> Iterator[str]:
    """The facts that an area draws."""
    yield from (name for part, name in area.facts.items() if part in FACTS[area.kind])


def of_seats(view: Json) -> Iterator[Json]:
    """The facts about a seat that everybody is told."""
    if view["phase"] != AT_THE_END:
        yield from (fact for fact in view["facts"] if {"of", "seat"} & set(fact))
