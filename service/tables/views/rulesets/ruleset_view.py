"""Descriptions of rulesets: names, options, actions and vocabulary, with words and JSON Schemas.

The vocabulary says what every zone, fact, prompt and line means, and who sees it. Fields in braces are members, as in
"{seat} sells {lane} at {value} points."
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import rules
from rules.kernel import Area, Json, Length, Option, Param, Ruleset, Spot, action_schema
from rules.kernel import vocabulary as say
from rules.kernel.vocabulary import RULE, Entry, Member, Members, Seen
from service.core.words.words import Phrases, json_key, phrases
from service.tables.views.rulesets.rules_page_view import page_path, sections

SHORT = "short"
"""The variant of a fact that says the same in fewer words."""


def summary(slug: str, language: str, version: int | None = None) -> Json:
    """A ruleset in the form in which lists show it, in its newest version unless one is given."""
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
        "layout": layout_of(ruleset, words),
        "talk": words.get("talk"),
        "reasons": {reason: words.say(f"reason.{reason}") for reason in ruleset.reasons},
        "page": page_path(slug, version),
        "sections": sections(slug, language, version),
        "vocabulary": _vocabulary(slug, language, ruleset.version),
    }


@functools.cache
def _vocabulary(slug: str, language: str, version: int) -> Json:
    """The vocabulary. It is computed once, since it makes up most of the response and never changes."""
    return Glossary(rules.load(slug, version), phrases(language, slug, version)).shown()


def options_schema(ruleset: Ruleset, players: int, words: Phrases) -> Json:
    """The JSON Schema of the options of a table for this number of players."""
    known = ruleset.options(players)
    usual = {name: option.default for name, option in known.items()}

    def is_live(name: str, value: object) -> bool:
        return ruleset.live(players, {**usual, name: value})

    return {
        "type": "object",
        "properties": {
            name: _option(name, option, ruleset.looks.when.get(name), words, partial(is_live, name))
            for name, option in known.items()
        },
        "additionalProperties": False,
    }


def _option(
    name: str,
    option: Option,
    when: Json | None,
    words: Phrases,
    is_live: Callable[[object], bool],
) -> Json:
    values = [
        {"const": value, "title": _titled(name, value, words)}
        | ({"live": True} if is_live(value) else {})
        for value in option.values
    ]
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
    schema, looks = action_schema(kind, parameters, ruleset.players), ruleset.looks
    spots, destroys = looks.spots, kind in looks.destroys
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
                **_usual(ruleset, f"{kind}.{each.name}"),
            }
            for each in parameters
        ],
        "spot": _spot(spots.get(kind)),
        "usual": not destroys and kind not in looks.aside,
        "destroys": destroys,
        "schema": schema,
    }


def layout_of(ruleset: Ruleset, words: Phrases) -> list[Json]:
    """The areas of the table that have a special shape, in reading order."""
    return [_area(each, words) for each in ruleset.looks.layout]


def _area(area: Area, words: Phrases) -> Json:
    """An area of the table with a special shape."""
    more: Json = {
        "ranks": list(area.ranks),
        "icon": area.icon,
        "numbers": dict(area.numbers),
        "sets": dict(area.sets),
        "title": words.say(f"area.{area.title}") if area.title else "",
    }
    facts, own = dict(area.facts), area.own or None
    there = {name: value for name, value in more.items() if value}
    return {"kind": area.kind, "zones": list(area.zones), "facts": facts, "own": own, **there}


def _spot(spot: Spot | None) -> Json | None:
    return None if spot is None else {"zone": spot.zone or None, "by": spot.by}


def _usual(ruleset: Ruleset, parameter: str) -> Json:
    """The default value of a parameter, which may be null."""
    usually = ruleset.looks.usually
    return {"usual": usually[parameter]} if parameter in usually else {}


class Glossary:
    """A ruleset's messages in the words of one language."""

    def __init__(self, ruleset: Ruleset, words: Phrases) -> None:
        self._ruleset, self._words = ruleset, words

    def shown(self) -> Json:
        """Everything that can occur in views and lines, by name (Vocabulary in openapi.yaml)."""
        vocabulary, actions = self._ruleset.looks.vocabulary, self._ruleset.actions
        zones, facts = say.zones(vocabulary), say.facts(vocabulary, actions)
        prompts, lines = say.prompts(vocabulary), say.lines(vocabulary)
        marks = dict.fromkeys(mark for zone in zones.values() for mark in zone.marks)
        return {
            "zones": {name: self._zone(name, zone) for name, zone in zones.items()},
            "facts": {name: self._fact(name, fact) for name, fact in facts.items()},
            "prompts": {phase: self._prompt(phase, members) for phase, members in prompts.items()},
            "lines": {name: self._line(name, members) for name, members in lines.items()},
            "marks": {mark: self._words.say(f"mark.{mark}") for mark in marks},
        }

    def _zone(self, name: str, zone: Entry) -> Json:
        about = f"zone.{name}"
        return {
            **self._said(about, about, zone.members),
            "kinds": list(zone.kinds),
            "seen": self._seen(about, zone.seen),
            "marks": list(zone.marks),
        }

    def _fact(self, name: str, fact: Entry) -> Json:
        """A fact. A sealed choice reads like its action, unless it has words of its own."""
        about = f"fact.{name}"
        said = self._said(about, f"action.{name}", fact.members)
        return {**said, "seen": self._seen(about, fact.seen), "marks": list(fact.marks)}

    def _prompt(self, phase: str, members: Members) -> Json:
        return self._said(f"prompt.{phase}", f"phase.{phase}", members)

    def _line(self, name: str, members: Members) -> Json:
        about, transient = f"line.{name}", self._ruleset.transient.get(name, ())
        said = self._said(about, about, members)
        for shown, member in zip(said["members"], members, strict=True):
            words = self._seen_words(f"{about}.{member.name}", member.seen)
            shown["seen"] = {"by": member.seen, "words": words}
            shown["transient"] = member.name in transient
        return said

    def _pattern(self, *keys: str) -> str | None:
        """The first of these messages that exists; None if none does."""
        found = (self._words.pattern(key) for key in keys if key in self._words.messages)
        return next(found, None)

    def _seen(self, about: str, seen: Sequence[Seen]) -> list[Json]:
        return [
            {
                "by": each.by,
                "phases": list(each.phases),
                "words": self._seen_words(about, each.by),
            }
            for each in seen
        ]

    def _seen_words(self, about: str, by: str) -> str:
        kind = about.partition(".")[0]
        return self._words.pattern(f"seen.{about}" if by == RULE else f"seen.{kind}.{by}")

    def _said(self, about: str, otherwise: str, members: Members) -> Json:
        """The words that occur in responses, their meaning if they do not explain it themselves, and the members."""
        words = self._words
        key = about if about in words.messages else otherwise
        keys = [key, *(each for each in words.variants(key) if SHORT not in each.split("+"))]
        if (
            key != about
        ):  # an action may name the things next to it, which a sealed choice does not show
            known = {each.name for each in members}
            keys = [each for each in keys if words.formats(each).keys() <= known]
        formats: dict[str, str] = {}
        for each in keys:
            formats |= words.formats(each)
        return {
            "words": words.pattern(key),
            "variants": [words.pattern(each) for each in keys[1:]],
            "meaning": self._pattern(f"meaning.{about}"),
            "members": [self._member(about, each, formats) for each in members],
        }

    def _member(self, about: str, member: Member, formats: Mapping[str, str]) -> Json:
        words, name = self._words, member.name
        schema = say.member_schema(member, self._ruleset.players)
        return {
            "name": name,
            "kind": member.kind,
            "list": member.many,
            "optional": member.optional,
            "words": self._pattern(f"member.{about}.{name}", f"member.{name}"),
            "values": named_values(schema, formats.get(name) or name, words, member.values),
            "schema": schema,
        }


def named_values(schema: Json, kind: str, words: Phrases, values: Sequence[object] = ()) -> Json:
    """The names of the values that a schema (or the schema of its items) allows; if it allows any value, the names of
    all values that have one.
    """
    possible = schema.get("items", schema).get("enum", values)
    allowed = [json_key(value) for value in possible]
    found = words.below(f"value.{kind}.")
    return {value: said for value, said in found.items() if not allowed or value in allowed}
