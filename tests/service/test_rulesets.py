"""What can be played, and for how long: rulesets as the API describes them, and what a table does not offer."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rules
from service import rulesets
from service.words import LANGUAGES
from tests.service.cast import Cast, sqlite_only

SLUGS = rules.slugs()


def described(cast: Cast, slug: str, language: str = "en") -> Any:
    return cast.nobody.get(f"/api/rulesets/{slug}", headers={"Accept-Language": language})


@sqlite_only
@pytest.mark.parametrize("slug", SLUGS)
def test_every_usual_length_opens_a_table(cast: Cast, slug: str) -> None:
    told = described(cast, slug)
    assert told["lengths"].keys() == told["options"].keys() == {str(n) for n in told["players"]}
    for players, lengths in told["lengths"].items():
        known = told["options"][players]["properties"]
        for length in lengths:
            wish = {"ruleset": slug, "players": int(players), "options": length["options"]}
            opened = cast.alice.post("/api/games", wish)
            assert length["options"].items() <= opened["options"].items()
            assert length["options"].keys() <= known.keys()


@sqlite_only
def test_a_length_is_named_by_what_makes_it(cast: Cast) -> None:
    for language, words in ("en", ["1 deal", "50 points"]), ("ja", ["1回", "50点"]):
        lengths = described(cast, "abbott-auction", language)["lengths"]["4"]
        assert [each["words"] for each in lengths[:2]] == words
        usual = described(cast, "joretsu", language)["lengths"]["3"]
        assert lengths[2]["words"] == usual[0]["words"] not in words


@sqlite_only
def test_a_table_offers_no_option_for_people_who_are_on_line_together(cast: Cast) -> None:
    known = described(cast, "2459n")["options"]["3"]["properties"]
    assert known.keys() == {"tempo", "rounds"}
    assert [each["const"] for each in known["tempo"]["oneOf"]] == ["post"]
    wish = {"ruleset": "2459n", "options": {"tempo": "live"}}
    refused = cast.alice.refused("POST", "/api/games", "invalid-options", wish)
    assert refused["may"]["properties"] == known
    assert cast.nobody.get("/api/games")["games"] == []
    assert cast.alice.post("/api/games", {**wish, "options": {"tempo": "post"}})["status"] == "open"


@sqlite_only
def test_the_options_of_a_game_open_another_one(cast: Cast) -> None:
    for slug in SLUGS:
        options = cast.alice.post("/api/games", {"ruleset": slug})["options"]
        again = cast.alice.post("/api/games", {"ruleset": slug, "options": options})
        assert again["options"] == options


@sqlite_only
def test_options_that_matter_beside_others_say_so(cast: Cast) -> None:
    known = described(cast, "trunk-and-peddler")["options"]["2"]["properties"]
    assert [name for name in known if "when" in known[name]] == list("ABCDEFGH")
    assert all(known[name]["when"] == {"preset": "custom"} for name in "ABCDEFGH")
    assert "when" not in known["preset"]


@pytest.mark.parametrize("slug", SLUGS)
def test_no_mark_of_markdown_is_left_in_a_page_of_rules(slug: str) -> None:
    for language in LANGUAGES:
        made = rulesets.page(slug, language)
        assert "<h2>" in made
        for mark in ("**", "`", "](", "\n#", "|"):
            assert mark not in made


@pytest.mark.parametrize("slug", SLUGS)
def test_cards_in_a_page_of_rules_are_written_as_people_do(slug: str) -> None:
    for language in LANGUAGES:
        made = rulesets.page(slug, language)
        assert 'data-cards="' in made
        assert not re.search(r"<code>(?:[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+)\b", made)
