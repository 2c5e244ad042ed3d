"""The vocabulary of a ruleset with words: what every zone, fact, prompt and line means, and who sees it.

Fields in braces are members: "{seat} sells {lane} at {value} points.".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.kernel import Json, Ruleset
from rules.kernel import vocabulary as say
from rules.kernel.vocabulary import RULE, Entry, Member, Members, Seen
from service.core.words.words import Phrases, json_key

SHORT = "short"
"""A variant of a fact that says no more, but says it shorter."""


class Glossary:
    """What a ruleset says, in the words of one language."""

    def __init__(self, ruleset: Ruleset, words: Phrases) -> None:
        self._ruleset, self._words = ruleset, words

    def shown(self) -> Json:
        """Everything that views and lines can have, by name (Vocabulary in openapi.yaml)."""
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
        said = self._said(about, about, zone.members)
        return {
            **said,
            "kinds": list(zone.kinds),
            "seen": self._seen(about, zone.seen),
            "marks": list(zone.marks),
        }

    def _fact(self, name: str, fact: Entry) -> Json:
        """A sealed choice reads like its action, unless it has words of its own."""
        about = f"fact.{name}"
        said = self._said(about, self._known(about, f"action.{name}"), fact.members)
        return {**said, "seen": self._seen(about, fact.seen), "marks": list(fact.marks)}

    def _prompt(self, phase: str, members: Members) -> Json:
        about = f"prompt.{phase}"
        return self._said(about, self._known(about, f"phase.{phase}"), members)

    def _line(self, name: str, members: Members) -> Json:
        about, transient = f"line.{name}", self._ruleset.transient.get(name, ())
        said = self._said(about, about, members)
        for shown, member in zip(said["members"], members, strict=True):
            key = (
                f"seen.{about}.{member.name}" if member.seen == RULE else f"seen.line.{member.seen}"
            )
            shown["seen"] = {"by": member.seen, "words": self._words.pattern(key)}
            shown["transient"] = member.name in transient
        return said

    def _pattern(self, *keys: str) -> str | None:
        """The first of these messages that there is."""
        found = (self._words.pattern(key) for key in keys if key in self._words.messages)
        return next(found, None)

    def _known(self, key: str, otherwise: str) -> str:
        return key if key in self._words.messages else otherwise

    def _seen(self, about: str, seen: Sequence[Seen]) -> list[Json]:
        kind = about.partition(".")[0]
        return [
            {
                "by": each.by,
                "phases": list(each.phases),
                "words": self._words.pattern(
                    f"seen.{about}" if each.by == RULE else f"seen.{kind}.{each.by}"
                ),
            }
            for each in seen
        ]

    def _said(self, about: str, key: str, members: Members) -> Json:
        """What stands in the answers, what it means where that does not say it, and the members."""
        words = self._words
        keys = [key, *(each for each in words.variants(key) if SHORT not in each.split("+"))]
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
    """The names of the values that a schema, or that of its items, allows; of all that have one if it allows any."""
    possible = schema.get("items", schema).get("enum", values)
    allowed = [json_key(value) for value in possible]
    found = words.below(f"value.{kind}.")
    return {value: said for value, said in found.items() if not allowed or value in allowed}
