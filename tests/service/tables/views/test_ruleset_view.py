"""Rulesets as the API describes them: options, usual lengths, pages of rules."""

from __future__ import annotations

import re
from typing import Any

import rules
from rules.kernel import Ruleset
from service.core.words.words import LANGUAGES, json_key
from service.tables.views.rulesets import rules_page_view
from tests.rules.playouts import IDS, RULESETS
from tests.support.cast import Cast, Person, sqlite_only
from tests.support.in_one_go import in_one_go

SLUGS = rules.slugs()
every_version = in_one_go("ruleset", dict(zip(IDS, RULESETS, strict=True)))


def described(cast: Cast, slug: str, language: str = "en") -> Any:
    return cast.nobody.get(f"/api/rulesets/{slug}", headers={"Accept-Language": language})


@sqlite_only
@in_one_go("slug", SLUGS)
def test_a_table_can_be_opened_with_every_usual_length(cast: Cast, slug: str) -> None:
    ruleset = described(cast, slug)
    assert (
        ruleset["lengths"].keys()
        == ruleset["options"].keys()
        == {str(n) for n in ruleset["players"]}
    )
    for players, lengths in ruleset["lengths"].items():
        known = ruleset["options"][players]["properties"]
        for length in lengths:
            wish = {"ruleset": slug, "players": int(players), "options": length["options"]}
            opened = Person(cast.app, slug).post("/api/games", wish)
            assert length["options"].items() <= opened["options"].items()
            assert length["options"].keys() <= known.keys()


@sqlite_only
def test_a_length_is_named_after_its_options(cast: Cast) -> None:
    for language, words in ("en", ["1 deal", "50 points"]), ("ja", ["1回", "50点"]):
        lengths = described(cast, "abbott-auction", language)["lengths"]["4"]
        assert [each["words"] for each in lengths[:2]] == words
        usual = described(cast, "joretsu", language)["lengths"]["3"]
        assert lengths[2]["words"] == usual[0]["words"] not in words


@sqlite_only
@in_one_go("slug", SLUGS)
def test_the_values_of_a_parameter_are_those_that_its_schema_allows(cast: Cast, slug: str) -> None:
    for action in described(cast, slug)["actions"].values():
        for each in action["parameters"]:
            schema = action["schema"]["properties"][each["name"]]
            allowed = schema.get("items", schema).get("enum")
            if allowed is not None:
                assert each["values"].keys() <= {json_key(value) for value in allowed}


@sqlite_only
def test_values_that_need_everybody_there_at_once_say_so(cast: Cast) -> None:
    known = described(cast, "2459n")["options"]["3"]["properties"]
    assert known.keys() == {"tempo", "rounds", "minutes"}
    said = {each["const"]: each.get("live", False) for each in known["tempo"]["oneOf"]}
    assert said == {"post": False, "live": True}
    others = [each for name in ("rounds", "minutes") for each in known[name]["oneOf"]]
    assert not any("live" in each for each in others)
    wish = {"ruleset": "2459n", "options": {"tempo": "live"}}
    assert "live" in cast.alice.post("/api/games", wish)
    assert "live" not in cast.alice.post("/api/games", {**wish, "options": {"tempo": "post"}})


@sqlite_only
def test_a_table_can_be_opened_with_the_options_of_another(cast: Cast) -> None:
    for slug in SLUGS:
        host = Person(cast.app, slug)
        options = host.post("/api/games", {"ruleset": slug})["options"]
        again = host.post("/api/games", {"ruleset": slug, "options": options})
        assert again["options"] == options


@sqlite_only
def test_options_that_depend_on_others_say_when_they_apply(cast: Cast) -> None:
    known = described(cast, "trunk-and-peddler")["options"]["2"]["properties"]
    assert [name for name in known if "when" in known[name]] == list("ABCDEFGH")
    assert all(known[name]["when"] == {"preset": "custom"} for name in "ABCDEFGH")
    assert "when" not in known["preset"]


@every_version
def test_no_markdown_is_left_in_a_page_of_rules(ruleset: Ruleset) -> None:
    for language in LANGUAGES:
        made = rules_page_view.page(ruleset.slug, language, ruleset.version)
        assert "<h2" in made
        for mark in ("**", "`", "](", "\n#", "|"):
            assert mark not in made


@every_version
def test_a_page_of_rules_shows_cards_instead_of_codes(ruleset: Ruleset) -> None:
    for language in LANGUAGES:
        made = rules_page_view.page(ruleset.slug, language, ruleset.version)
        assert 'data-cards="' in made
        assert not re.search(r"<code>(?:[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+)\b", made)


@every_version
def test_a_page_has_the_anchors_that_the_ruleset_names(ruleset: Ruleset) -> None:
    for language in LANGUAGES:
        made = rules_page_view.page(ruleset.slug, language, ruleset.version)
        anchors = rules_page_view.sections(ruleset.slug, language, ruleset.version)
        assert anchors
        for phase, anchor in anchors.items():
            heading = re.search(rf'<h[23] id="{anchor}" data-phases="([a-z -]+)">[^<{{]+</h', made)
            assert heading and phase in heading[1].split()
        assert made.count(" id=") == len(set(re.findall(r' id="(.+?)"', made)))
