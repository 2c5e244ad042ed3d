"""What is shown of rulesets: names, options and actions, with words and JSON Schemas."""

from __future__ import annotations

import functools

import rules
from rules.kernel import Area, Json, Length, Option, Param, Ruleset, Spot, action_schema, same
from service.core.words.words import Phrases, json_key, phrases
from service.tables.views.rulesets.rules_page_view import page_path, sections
from service.tables.views.rulesets.vocabulary_view import Glossary, named_values


def summary(slug: str, language: str, version: int | None = None) -> Json:
    """A ruleset as lists show it, in its newest version unless one is given."""
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    return {
        "slug": slug,
        "version": ruleset.version,
        "name": words.say("name"),
        "summary": words.say("summary"),
        "author": words.say("author"),
        "players": list(ruleset.players),
        "mood": ruleset.looks.cover.mood,
        "weight": ruleset.looks.cover.weight,
        "cards": list(ruleset.looks.cover.cards),
        "decisions": ruleset.looks.lengths(ruleset.players[0])[0].decisions,
    }


def whole(slug: str, language: str, version: int | None = None) -> Json:
    """A ruleset with options and lengths by number of players, actions, vocabulary, reasons and the rule about talk."""
    ruleset, words = rules.load(slug, version), phrases(language, slug, version)
    return {
        **summary(slug, language, version),
        "versions": list(rules.versions(slug)),
        "options": {str(n): options_schema(ruleset, n, words) for n in ruleset.players},
        "lengths": {
            str(n): [_length(length, words) for length in ruleset.looks.lengths(n)]
            for n in ruleset.players
        },
        "actions": {
            kind: _action(ruleset, kind, parameters, words)
            for kind, parameters in ruleset.actions.items()
        },
        "layout": [_area(each) for each in ruleset.looks.layout],
        "talk": words.get("talk"),
        "reasons": {reason: words.say(f"reason.{reason}") for reason in ruleset.reasons},
        "page": page_path(slug, version),
        "sections": sections(slug, language, version),
        "vocabulary": _vocabulary(slug, language, ruleset.version),
    }


@functools.cache
def _vocabulary(slug: str, language: str, version: int) -> Json:
    """Worked out once: it is most of the answer, and never changes."""
    return Glossary(rules.load(slug, version), phrases(language, slug, version)).shown()


def options_schema(ruleset: Ruleset, players: int, words: Phrases) -> Json:
    """The JSON Schema of the options of a table for this number of players."""
    known = offered(ruleset, players)
    return {
        "type": "object",
        "properties": {
            name: _option(name, option, ruleset.looks.when.get(name), words)
            for name, option in known.items()
        },
        "additionalProperties": False,
    }


def offered(ruleset: Ruleset, players: int) -> dict[str, Option]:
    """The options, with the values that do not require everybody to be online at once."""
    known = ruleset.options(players)
    usual = {name: option.default for name, option in known.items()}
    by_post = {
        name: tuple(v for v in option.values if not ruleset.live(players, {**usual, name: v}))
        for name, option in known.items()
    }
    return {
        name: Option(by_post[name], option.default)
        for name, option in known.items()
        if all(
            any(same(value, each) for each in by_post[other])
            for other, value in ruleset.looks.when.get(name, {}).items()
        )
    }


def _option(name: str, option: Option, when: Json | None, words: Phrases) -> Json:
    values = [{"const": value, "title": _titled(name, value, words)} for value in option.values]
    schema = {"title": words.say(f"option.{name}"), "oneOf": values, "default": option.default}
    return {**schema, "when": when} if when else schema


def _titled(name: str, value: object, words: Phrases) -> str:
    return words.say(f"option.{name}.{json_key(value)}")


def _length(length: Length, words: Phrases) -> Json:
    titles = [_titled(name, value, words) for name, value in length.options.items()]
    named = words.listed(titles) or words.say("length.usual")
    return {"words": named, "options": length.options, "decisions": length.decisions}


def _action(ruleset: Ruleset, kind: str, parameters: tuple[Param, ...], words: Phrases) -> Json:
    """A type of action: its parameters, in the order in which choices are narrowed, and its JSON Schema."""
    schema, spots = action_schema(kind, parameters, ruleset.players), ruleset.looks.spots
    return {
        "words": words.say(f"type.{kind}"),
        "parameters": [
            {
                "name": each.name,
                "kind": each.kind,
                "words": words.say(f"param.{kind}.{each.name}"),
                "values": named_values(schema["properties"][each.name], each.name, words),
                "optional": each.optional,
                "secret": each.secret,
                "spot": _spot(spots.get(f"{kind}.{each.name}")),
            }
            for each in parameters
        ],
        "spot": _spot(spots.get(kind)),
        "schema": schema,
    }


def _area(area: Area) -> Json:
    """A part of the table with a shape of its own."""
    ranks = {"ranks": list(area.ranks)} if area.ranks else {}
    facts, own = dict(area.facts), area.own or None
    return {"kind": area.kind, "zones": list(area.zones), "facts": facts, "own": own, **ranks}


def _spot(spot: Spot | None) -> Json | None:
    return None if spot is None else {"zone": spot.zone or None, "by": spot.by}
