"""Words: everything that people read comes from the gettext catalogues, by key and language.

`words.<language>.po` in a game's folder has the words for what its ruleset declares and tells, and
`service/core/words/<language>.po` has all others. A message names its fields together with their form: `{seat:seat}` is
the name of the player who sits there, `{name:name}` a name (both in the form in which the language calls people),
`{card:card}` a card, `{cards:cards}` cards or their number, and `{n:number}` a number. `{n:count.card}` is the message
`count.card`, whose form fits the number. Any other `{x:kind}` is the message `value.kind.<x>`, or the most specific of
its variants that fits the other fields (`value.kind.pair+rank`: "a pair of {rank:ranks}"). Readers are addressed where
a text would name them: catalogues.py.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rules
from rules.kernel import Json, text
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.core.settings.config import ROOT
from service.core.words.catalogues import SPOKEN_TO, catalogue, form_key, plural_form

LANGUAGES = ("en", "ja")
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RANKS = {"T": "10"}
MINUS = "\N{MINUS SIGN}"

Piece = tuple[str, str | None, str]
"""Literal text, then a field (None if there is none) and its form."""


class You:
    """The type of YOU, which represents the name of the reader."""


YOU = You()


class Reader(NamedTuple):
    """The person for whom a text is worded."""

    names: Sequence[str] = ()
    """The names of the people at the table, by seat."""
    seat: int | None = None
    """The reader's own seat, if the reader sits or has sat at the table; otherwise None."""

    def is_named(self, value: Any) -> bool:  # any JSON, or YOU
        """Whether a seat, the only seat of a list, or a name is the reader's."""
        if isinstance(value, list | tuple):
            return len(value) == 1 and self.is_named(value[0])
        return value is YOU or (self.seat is not None and value == self.seat)


STRANGER = Reader()
"""A reader who has no seat, for texts that name nobody by seat."""


class Phrases:
    """The messages of one catalogue in one language, together with the messages of the service."""

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self.messages = messages
        self._literal: dict[str, str] = {}
        """The messages without fields, which are the same for everybody, by key: half of all texts."""
        self._below: dict[str, Mapping[str, str]] = {}
        """The results of `below`, which would otherwise go through all messages each time."""
        self._speaking_to = _speaking_to(messages)
        self._varied = _varied(messages)

    def say(self, key: str, fields: Json | None = None, reader: Reader = STRANGER) -> str:
        """The message with its fields filled in, addressed to `reader`. Raises KeyError if there is no such message."""
        always = self._literal.get(key)
        if always is not None:
            return always
        speaks = key in self._speaking_to
        if speaks:
            key = self._spoken(key, fields or {}, reader)
        pieces = _parse(self.messages[key])
        if len(pieces) == 1 and pieces[0][1] is None:
            if not speaks:
                self._literal[key] = pieces[0][0]
            return pieces[0][0]
        parts = []
        for literal, field, kind in pieces:
            parts.append(literal)
            if field is not None:
                parts.append(self._read((fields or {})[field], kind, reader, fields or {}))
        return "".join(parts)

    def say_most_specific(self, key: str, fields: Json, reader: Reader = STRANGER) -> str:
        """The most specific message for `key`, filled in as by `say`: `key+a+b` if there are fields a and b, otherwise
        `key`.

        A field that is false or null counts as missing. Raises KeyError if there is no such message.
        """
        return self.say(self.most_specific(key, fields), fields, reader)

    def most_specific(self, key: str, fields: Json) -> str:
        """The key of the most specific message for these fields."""
        variants = self._varied.get(key)
        if variants is None:
            return key
        present = {
            name for name, value in fields.items() if value is not None and value is not False
        }
        fitting = (variant for variant, named in variants.items() if named <= present)
        return max(fitting, key=lambda variant: len(variants[variant]), default=key)

    def has_variant_with(self, key: str, field: str) -> bool:
        """Whether some variant of `key` uses this field."""
        return any(field in named for named in self._varied.get(key, {}).values())

    def listed(self, parts: Sequence[str], most: int | None = None) -> str:
        """A list in running text: "a, b and c". Beyond `most`, people are counted: "a, b and 2 more"."""
        unnamed = 0 if most is None else max(0, len(parts) - most)
        more = [self.say("list.more", {"n": unnamed})] if unnamed else []
        *first, last = [*parts[:most], *more] or [""]
        return self.say("list.and").join(
            [*filter(None, [self.say("list.comma").join(first)]), last]
        )

    def counted(self, number: float | Sequence[float], thing: str) -> str:
        """A number of things, in the form for that number; for several numbers, in the general form."""
        form = plural_form(self.language, None if isinstance(number, Sequence) else number)
        return self.say(form_key(f"count.{thing}", form), {"n": number})

    def called(self, name: str | You) -> str:
        """A name in a sentence, with an honorific where the language has one; people who have left get none."""
        if isinstance(name, You):
            return self.say("person.you")
        if name == self.get("person.gone"):
            return name
        return self.say("person.called", {"name": name})

    def pattern(self, key: str) -> str:
        """The message with its fields named instead of filled in, such as "{seat} sells {lane}"."""
        parts = []
        for literal, field, kind in _parse(self.messages[key]):
            parts.append(literal)
            if field is not None:
                parts.append(self._named(f"{{{field}}}", kind))
        return "".join(parts)

    def formats(self, key: str) -> dict[str, str]:
        """The forms of a message's fields, by name of the field."""
        return {field: kind for _, field, kind in _parse(self.messages[key]) if field is not None}

    def variants(self, key: str) -> list[str]:
        """The keys of the message's more specific variants, the least specific first, without those that address the
        reader.
        """
        return list(self._varied.get(key, ()))

    def get(self, key: str) -> str | None:
        """The message with its fields unfilled; None if there is no such message."""
        return self.messages.get(key)

    def below(self, prefix: str) -> Mapping[str, str]:
        """The messages whose keys begin with `prefix`, by the rest of the key, without variants for other fields."""
        if prefix not in self._below:
            self._below[prefix] = {
                key.removeprefix(prefix): text
                for key, text in self.messages.items()
                if key.startswith(prefix) and "+" not in key
            }
        return self._below[prefix]

    def _named(self, name: str, kind: str) -> str:
        """The words that take the place of a field's value."""
        if kind.startswith("count."):
            form = plural_form(self.language, None)
            return self.say(form_key(kind, form), {"n": name})
        return self.called(name) if kind in {"seat", "name"} else name

    def _spoken(self, key: str, fields: Json, reader: Reader) -> str:
        """The key of the variant that addresses the reader, if the fields name them; otherwise `key`."""
        for named in self._speaking_to[key]:
            if all(reader.is_named(fields.get(field)) for field in named.split("+")):
                return key + SPOKEN_TO + named
        return key

    def _read(self, value: Any, kind: str, reader: Reader, fields: Json) -> str:  # any JSON
        if kind.startswith("count."):
            return self.counted(value, kind.removeprefix("count."))
        if kind == "cards":
            return self._cards(value)
        if kind == "seat" and isinstance(value, list | tuple):
            value = sorted(value, key=reader.is_named)  # other people come before the reader
        if isinstance(value, list | tuple):
            return self.listed([self._read(each, kind, reader, fields) for each in value])
        if kind == "seat":
            return self.holder(value, reader)
        if kind == "name":
            return self.called(value)
        if kind == "card":
            return self.card(value)
        if kind in {"number", ""}:
            return written(value)
        key = f"value.{kind}.{json_key(value)}"
        return self.say_most_specific(key, fields, reader) if key in self._varied else self.say(key)

    def _cards(self, value: int | str | Sequence[str]) -> str:
        if isinstance(value, int):
            return self.say("cards.some" if value else "cards.none", {"n": value})
        cards = [value] if isinstance(value, str) else value
        return " ".join(map(self.card, cards)) or self.say("cards.none")

    def holder(self, seat: int | You, reader: Reader) -> str:
        """The name of a seat's holder in a sentence."""
        if isinstance(seat, You) or reader.is_named(seat):
            return self.called(YOU)
        return self.called(str(reader.names[seat]))

    def card(self, code: str | int) -> str:
        """A card in running text: `10♦`; a domino is unchanged, and a number of cards is put in words."""
        if isinstance(code, int):
            return self._cards(code)
        if code == "Jk":
            return self.say("card.joker")
        if len(code) == 2 and code[1] in _SUITS:
            return _RANKS.get(code[0], code[0]) + _SUITS[code[1]]
        return code


def written(value: object) -> str:
    """A value in running text: a negative number has a minus sign, not a hyphen."""
    negative = isinstance(value, int | float) and value < 0
    return str(value).replace("-", MINUS) if negative else str(value)


def json_key(value: object) -> str:
    """A value as the last part of a message's key: in JSON, but text without quotes."""
    return value if isinstance(value, str) else text(value)


def phrases(language: str, slug: str | None = None, version: int | None = None) -> Phrases:
    """The words of a ruleset in `language`, in its newest version unless one is given; without `slug`, the service's
    words.
    """
    if slug is not None and version is None:
        version = rules.versions(slug)[-1]
    return _phrases(language if language in LANGUAGES else LANGUAGES[0], slug, version)


@functools.cache
def _phrases(language: str, slug: str | None, version: int | None) -> Phrases:
    messages = catalogue(ROOT / "service/core/words" / f"{language}.po")
    if slug is not None:
        folder = Path(rules.folder(slug, version))
        messages = {**messages, **catalogue(folder / f"words.{language}.po")}
    return Phrases(language, messages)


def _speaking_to(messages: Iterable[str]) -> dict[str, list[str]]:
    """The fields that name the reader in messages that address them, by key of the message; `a+b` comes before `a`."""
    found: dict[str, list[str]] = {}
    for message in messages:
        key, speaks, named = message.partition(SPOKEN_TO)
        if speaks:
            found.setdefault(key, []).append(named)
    return {key: sorted(each, key=len, reverse=True) for key, each in found.items()}


def _varied(messages: Iterable[str]) -> dict[str, dict[str, frozenset[str]]]:
    """The more specific variants of each message, by its key: their keys, the least specific first, and their
    fields.
    """
    found: dict[str, dict[str, frozenset[str]]] = {}
    for message in sorted(messages, key=lambda each: (each.count("+"), each)):
        key, *named = message.split("+")
        if named and SPOKEN_TO not in message:
            found.setdefault(key, {})[message] = frozenset(named)
    return found


@functools.cache
def _parse(message: str) -> tuple[Piece, ...]:
    pieces = string.Formatter().parse(message)
    return tuple((literal, field, kind or "") for literal, field, kind, _ in pieces)


_UNITS = (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", SECOND))


def duration(ms: int, words: Phrases) -> str:
    """A duration (ms) in words, in its two largest units, rounded down to whole seconds."""
    parts, rest = [], max(ms, 0)
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(words.counted(count, unit))
    if len(parts) > 1:
        return words.say("duration.two", {"more": parts[0], "less": parts[1]})
    return parts[0] if parts else words.counted(0, "second")
