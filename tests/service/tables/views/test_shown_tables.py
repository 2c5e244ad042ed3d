"""Tables of a game to look at: one in the middle of a game, and the worked turn of its rules."""

from __future__ import annotations

import json

import pytest

import rules
from service.tables.views.rulesets import rules_page_view
from tests.rules.page_tables import SEAT, file_of, open_cards
from tests.rules.page_turns import written
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

LEAST_OPEN = 6
"""The fewest cards of a table that a picture has to show."""


@pytest.mark.parametrize("slug", rules.slugs())
def test_the_picture_shows_the_middle_of_a_game_as_one_seat_sees_it(cast, slug):
    ruleset = rules.load(slug)
    told = file_of(ruleset).read_text(encoding="utf-8")
    assert told == written(json.loads(told))
    state = ruleset.position(json.loads(told))
    assert ruleset.result(state) is None and SEAT in ruleset.turn(state).waiting
    assert open_cards(ruleset, state) >= LEAST_OPEN

    shown = cast.nobody.get(f"/api/rulesets/{slug}/picture")
    assert shown["seat"] == SEAT and len(shown["names"]) == state.players
    told = {
        (z["name"], z.get("seat"), z.get("index")): z.get("cards") for z in shown["view"]["zones"]
    }
    seen = ruleset.view(state, SEAT)["zones"]
    assert told == {(z["name"], z.get("seat"), z.get("index")): z.get("cards") for z in seen}
    assert shown["layout"] == cast.nobody.get(f"/api/rulesets/{slug}")["layout"]
    assert shown == cast.nobody.get(f"/api/rulesets/{slug}/picture"), "it is always the same"


@pytest.mark.parametrize("slug", rules.slugs())
def test_the_example_is_the_worked_turn_with_all_cards_open(cast, slug):
    shown = cast.nobody.get(f"/api/rulesets/{slug}/example")
    steps = rules_page_view.example_steps(slug, "en")
    assert [each["done"] for each in shown["steps"]] == [each.done for each in steps]
    assert [each["view"] for each in shown["steps"]] == [each.game["view"] for each in steps]
    first, *others = shown["steps"]
    assert first["done"] is None
    assert all(each["done"] or each["lines"] for each in others)
    hands = [zone for zone in first["view"]["zones"] if zone["kind"] == "hand"]
    assert all(None not in zone["cards"] for zone in hands)


def test_they_are_worded_in_the_language_of_the_reader(cast):
    for name in ("picture", "example"):
        english, japanese = (
            cast.nobody.get(f"/api/rulesets/joretsu/{name}", headers={"Accept-Language": language})
            for language in ("en", "ja")
        )
        assert english["ruleset"]["name"] == "Joretsu" and japanese["ruleset"]["name"] == "序列"
    cast.nobody.refused("GET", "/api/rulesets/whist/picture", "not-found")
    cast.nobody.refused("GET", "/api/rulesets/joretsu/example?version=99", "not-found")
