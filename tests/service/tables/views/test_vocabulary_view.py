"""The vocabulary of a ruleset in the API: complete, in words of both languages, for every version."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema

import rules
from rules.kernel import Ruleset
from service.core.words.words import LANGUAGES, phrases
from service.tables.views.rulesets.ruleset_view import Glossary
from tests.rules.playouts import IDS, RULESETS
from tests.support.cast import Cast, Person, sqlite_only
from tests.support.in_one_go import in_one_go

every_version = in_one_go("ruleset", dict(zip(IDS, RULESETS, strict=True)))
GROUPS = ("zones", "facts", "prompts", "lines")


def vocabulary(ruleset: Ruleset, language: str) -> Any:
    return Glossary(ruleset, phrases(language, ruleset.slug, ruleset.version)).shown()


def entries(told: Any) -> Iterator[tuple[str, Any]]:
    for group in GROUPS:
        for name, entry in told[group].items():
            yield f"{group} {name}", entry


@every_version
@in_one_go("language", LANGUAGES)
def test_every_member_is_explained(ruleset: Ruleset, language: str) -> None:
    """It has words of its own, or the words of the whole name it."""
    for what, entry in entries(vocabulary(ruleset, language)):
        said = [entry["words"], *entry["variants"], entry["meaning"] or ""]
        named = {name for each in said for name in re.findall(r"{(\w+)}", each)}
        known = {member["name"] for member in entry["members"]}
        assert named <= known, what
        assert {each["name"] for each in entry["members"] if not each["words"]} <= named, what


@every_version
@in_one_go("language", LANGUAGES)
def test_every_zone_has_a_meaning_in_a_sentence(ruleset: Ruleset, language: str) -> None:
    for name, zone in vocabulary(ruleset, language)["zones"].items():
        assert zone["meaning"].endswith("." if language == "en" else "。"), name


@every_version
def test_both_languages_say_it_of_the_same_things_in_other_words(ruleset: Ruleset) -> None:
    one, other = (vocabulary(ruleset, language) for language in LANGUAGES)
    for (what, entry), (same, translated) in zip(entries(one), entries(other), strict=True):
        assert what == same
        both = [(each["words"], each["meaning"]) for each in (entry, translated)]
        assert both[0] != both[1]
        assert (entry["meaning"] is None) == (translated["meaning"] is None), what
        for member, again in zip(entry["members"], translated["members"], strict=True):
            assert (member["words"] is None) == (again["words"] is None), (what, member["name"])
            assert member["schema"] == again["schema"]
            assert member["values"].keys() == again["values"].keys()


@every_version
def test_schemas_are_schemas_and_named_values_fit_them(ruleset: Ruleset) -> None:
    for what, entry in entries(vocabulary(ruleset, "en")):
        for member in entry["members"]:
            jsonschema.Draft202012Validator.check_schema(member["schema"])
            one = member["schema"]["items"] if member["list"] else member["schema"]
            for value in member["values"]:
                validator = jsonschema.Draft202012Validator(one)
                fitting = [value, *_read(value)]
                assert any(map(validator.is_valid, fitting)), (what, member["name"], value)


def _read(value: str) -> list[Any]:
    with contextlib.suppress(ValueError):
        return [json.loads(value)]
    return []


@sqlite_only
def test_every_version_is_told_in_both_languages(cast: Cast) -> None:
    for slug in rules.slugs():
        for version in rules.versions(slug):
            for language in LANGUAGES:
                address = f"/api/rulesets/{slug}?version={version}"
                told = cast.nobody.get(address, headers={"Accept-Language": language})
                assert told["vocabulary"] == json.loads(
                    json.dumps(vocabulary(rules.load(slug, version), language))
                )


@sqlite_only
def test_what_a_table_shows_is_in_the_vocabulary(cast: Cast) -> None:
    """It is there under the names in responses, including `of` and `words`."""
    host = Person(cast.app, "glossary", program=True)
    wish = {"ruleset": "caravan", "house": 1, "start": "full", "nonce": None}
    game = host.post("/api/games", wish)
    told = cast.nobody.get("/api/rulesets/caravan")["vocabulary"]
    view = host.get(f"/api/games/{game['id']}")["view"]
    assert view["phase"] in told["prompts"]
    for kind in ("zones", "facts"):
        for each in view[kind]:
            entry = told[kind][each["name"]]
            of = next(member for member in entry["members"] if member["name"] == "of")
            jsonschema.validate(each["of"], of["schema"])
