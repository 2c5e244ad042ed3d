"""Rulesets as people and programs read them: names, options and actions with words and JSON Schemas."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

import rules
from rules.kernel import Json, Option, Param, Ruleset
from service.config import ROOT
from service.words import Phrases, json_key, phrases

_KINDS: dict[str, Json] = {
    "card": {"type": "string"},
    "cards": {"type": "array", "items": {"type": "string"}},
    "sequence": {"type": "array", "items": {"type": "string"}},
    "seat": {"type": "integer", "minimum": 0},
    "number": {"type": "number"},
    "position": {"type": "integer", "minimum": 0},
    "suit": {"type": "string"},
    "rank": {"type": "string"},
    "choice": {},
    "flag": {"type": "boolean"},
}
"""The JSON Schema of a parameter by its kind."""


def summary(slug: str, language: str) -> Json:
    """A ruleset as the list shows it."""
    ruleset, words = rules.load(slug), phrases(language, slug)
    return {
        "slug": slug,
        "version": ruleset.version,
        "name": words.say("name"),
        "summary": words.say("summary"),
        "author": words.say("author"),
        "players": list(ruleset.players),
    }


def whole(slug: str, language: str) -> Json:
    """A ruleset with its options by number of players, its actions and its reasons."""
    ruleset, words = rules.load(slug), phrases(language, slug)
    return {
        **summary(slug, language),
        "options": {str(n): options_schema(ruleset, n, words) for n in ruleset.players},
        "actions": {
            kind: action_shown(kind, parameters, words)
            for kind, parameters in ruleset.actions.items()
        },
        "reasons": {reason: words.say(f"reason.{reason}") for reason in ruleset.reasons},
        "page": f"/rules/{slug}",
    }


def options_schema(ruleset: Ruleset, players: int, words: Phrases) -> Json:
    """The JSON Schema of the options of a game for so many players."""
    known = ruleset.options(players).items()
    return {
        "type": "object",
        "properties": {name: _option(name, option, words) for name, option in known},
        "additionalProperties": False,
    }


def _option(name: str, option: Option, words: Phrases) -> Json:
    values = [
        {"const": value, "title": words.say(f"option.{name}.{json_key(value)}")}
        for value in option.values
    ]
    return {"title": words.say(f"option.{name}"), "oneOf": values, "default": option.default}


def action_shown(kind: str, parameters: tuple[Param, ...], words: Phrases) -> Json:
    """A type of action: its parameters in the order in which choices are narrowed, and its JSON Schema."""
    return {
        "words": words.say(f"type.{kind}"),
        "parameters": [
            {
                "name": name,
                "kind": of,
                "words": words.say(f"param.{kind}.{name}"),
                "values": words.below(f"value.{name}."),
            }
            for name, of in parameters
        ],
        "schema": {
            "type": "object",
            "properties": {"type": {"const": kind}, **{n: _KINDS[of] for n, of in parameters}},
            "required": ["type"],
            "additionalProperties": False,
        },
    }


def page(slug: str, language: str) -> str:
    """The page of rules as HTML: our own Markdown, with raw HTML switched off."""
    source = Path(ROOT / "rules/pages" / f"{slug}.{language}.md").read_text(encoding="utf-8")
    made: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(source)
    return made
