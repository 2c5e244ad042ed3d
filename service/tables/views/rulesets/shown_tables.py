"""Tables of a game for viewing, made by the engine: one in the middle of a game, and the worked turn of its rules.

The one in the middle of a game is in `page.table.json` next to the rules page, as seat 0 sees it.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import rules
from rules.kernel import Json
from service.core.words.words import Reader, phrases
from service.tables.views.game_view import worded_view
from service.tables.views.rulesets.rules_page_view import example_names, example_steps
from service.tables.views.rulesets.ruleset_view import layout_of

LOOKS = 0
"""The seat whose hand is visible in the picture."""


def picture(slug: str, language: str, version: int | None = None) -> Json:
    """The table in the middle of a game (RulesetPicture in openapi.yaml); by default in the newest version."""
    return _picture(slug, language, rules.load(slug, version).version)


@functools.cache
def _picture(slug: str, language: str, version: int) -> Json:
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    given = json.loads(Path(rules.folder(slug, version), "page.table.json").read_text("utf-8"))
    state = ruleset.position(given)
    names = example_names(given["players"], words)
    reader = Reader(names, LOOKS)
    view = worded_view(ruleset.view(state, LOOKS), words, reader, ruleset.turn(state))
    return {
        "ruleset": {"slug": slug, "version": ruleset.version, "name": words.say("name")},
        "names": names,
        "seat": LOOKS,
        "layout": layout_of(ruleset, words),
        "view": view,
    }


def pictures(language: str) -> dict[str, Json]:
    """The picture of each game in its newest version, by slug."""
    return {slug: picture(slug, language) for slug in rules.slugs()}


def example(slug: str, language: str, version: int | None = None) -> Json:
    """The worked turn (RulesetExample in openapi.yaml); by default in the newest version."""
    return _example(slug, language, rules.load(slug, version).version)


@functools.cache
def _example(slug: str, language: str, version: int) -> Json:
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    steps = example_steps(slug, language, version)
    return {
        "ruleset": {"slug": slug, "version": ruleset.version, "name": words.say("name")},
        "names": [seat["name"] for seat in steps[0].game["seats"]],
        "layout": layout_of(ruleset, words),
        "steps": [
            {
                "done": step.done,
                "lines": step.lines,
                "waiting": [seat["seat"] for seat in step.game["seats"] if seat["waiting"]],
                "view": step.game["view"],
            }
            for step in steps
        ],
    }
