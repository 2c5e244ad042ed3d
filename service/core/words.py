"""Words: everything that people read comes from the gettext catalogues, by key and language.

`words.<language>.po` in a game's folder words what its ruleset declares and tells, `service/words/<language>.po`
the rest. A message names its fields with how they read: `{seat:seat}` the name of the player who sits there and
`{name:name}` a name, both as the language calls people, `{card:card}` a card,
`{cards:cards}` cards or their number, `{n:number}`; `{n:card|cards}` is the form that fits the number, of those that
the language has; any other `{x:kind}` is the message `value.kind.<x>`.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.pofile import read_po

import rules
from rules.kernel import Json, text
from service.core.config import ROOT

LANGUAGES = ("en", "ja")
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RANKS = {"T": "10"}
_PLURALS = ("zero", "one", "two", "few", "many", "other")
"""The categories of Unicode's plural rules, in the order in which a message gives its forms."""

Piece = tuple[str, str | None, str]
"""Literal text, then a field (None if there is none) and how to word it."""


class Phrases:
    """The messages of one catalogue in one language, over those of the service."""

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self.messages = messages
        self._parsed: dict[str, tuple[Piece, ...]] = {}
        self._variants: dict[tuple[str, frozenset[str]], str] = {}

    def say(self, key: str, fields: Json | None = None, names: Sequence[str] = ()) -> str:
        """The message with its fields filled in; `names` are the players' by seat. Raises KeyError if there is none."""
        if key not in self._parsed:
            self._parsed[key] = _parse(self.messages[key])
        parts = []
        for literal, field, kind in self._parsed[key]:
            parts.append(literal)
            if field is not None:
                parts.append(self._read((fields or {})[field], kind, names))
        return "".join(parts)

    def say_most_specific(self, key: str, fields: Json, names: Sequence[str] = ()) -> str:
        """The most specific message for `key`: `key+a+b` if there are fields a and b, otherwise `key`."""
        return self.say(self.most_specific(key, fields), fields, names)

    def most_specific(self, key: str, fields: Iterable[str]) -> str:
        """The key of that message."""
        wanted = key, frozenset(fields)
        if wanted not in self._variants:
            self._variants[wanted] = self._variant(*wanted)
        return self._variants[wanted]

    def listed(self, parts: Sequence[str]) -> str:
        """Several things in running text: "a, b and c"."""
        *most, last = parts or [""]
        return self.say("list.and").join([*filter(None, [self.say("list.comma").join(most)]), last])

    def called(self, name: str) -> str:
        """A name in a sentence, with the honorific of a language that has one; none for somebody who has left."""
        if name == self.get("person.gone"):
            return name
        return self.say("person.called", {"name": name})

    def get(self, key: str) -> str | None:
        """The message with its fields unfilled, or None."""
        return self.messages.get(key)

    def below(self, prefix: str) -> dict[str, str]:
        """The messages whose keys begin with `prefix`, by the rest of the key."""
        found = self.messages.items()
        return {key.removeprefix(prefix): text for key, text in found if key.startswith(prefix)}

    def _variant(self, key: str, present: frozenset[str]) -> str:
        found = [k for k in self.messages if k.startswith(key + "+")]
        fitting = [k for k in found if present.issuperset(k.split("+")[1:])]
        return max(fitting, key=lambda k: k.count("+"), default=key)

    def _read(self, value: Any, kind: str, names: Sequence[str]) -> str:  # any JSON
        if "|" in kind:
            return self._form(value, kind.split("|"))
        if kind == "cards":
            return self._cards(value)
        if isinstance(value, list):
            return self.listed([self._read(each, kind, names) for each in value])
        if kind == "seat":
            return self.called(str(names[value]))
        if kind == "name":
            return self.called(value)
        if kind == "card":
            return self.card(value)
        if kind in {"number", ""}:
            return str(value)
        return self.say(f"value.{kind}.{json_key(value)}")

    def _cards(self, value: int | str | Sequence[str]) -> str:
        if isinstance(value, int):
            return self.say("cards.some" if value else "cards.none", {"n": value})
        cards = [value] if isinstance(value, str) else value
        return " ".join(map(self.card, cards)) or self.say("cards.none")

    def _form(self, value: float | Sequence[float], forms: Sequence[str]) -> str:
        """The form for a number; for several numbers the general one."""
        numbers = value if isinstance(value, Sequence) else [value]
        known, category = _plural_rule(self.language)
        return forms[known.index(category(numbers[0]) if len(numbers) == 1 else "other")]

    def card(self, code: str | int) -> str:
        """A card in running text: `10♦`; a domino unchanged; the number of cards if only that is known."""
        if isinstance(code, int):
            return self._cards(code)
        if code == "Jk":
            return self.say("card.joker")
        if len(code) == 2 and code[1] in _SUITS:
            return _RANKS.get(code[0], code[0]) + _SUITS[code[1]]
        return code


@functools.cache  # one for each language
def _plural_rule(language: str) -> tuple[list[str], Callable[[float], str]]:
    """The plural categories of a language, and the category of a number."""
    rule = Locale.parse(language).plural_form
    return [each for each in _PLURALS if each in rule.tags or each == "other"], rule


def json_key(value: object) -> str:
    """A value as the last part of a message's key: as JSON writes it, text without quotes."""
    return value if isinstance(value, str) else text(value)


def phrases(language: str, slug: str | None = None, version: int | None = None) -> Phrases:
    """The words of a ruleset, the newest version unless one is given (or of the service alone), in `language`."""
    if slug is not None and version is None:
        version = rules.versions(slug)[-1]
    return _phrases(language if language in LANGUAGES else LANGUAGES[0], slug, version)


@functools.cache
def _phrases(language: str, slug: str | None, version: int | None) -> Phrases:
    messages = catalogue(ROOT / "service/words" / f"{language}.po")
    if slug is not None:
        folder = Path(rules.folder(slug, version))
        messages = {**messages, **catalogue(folder / f"words.{language}.po")}
    return Phrases(language, messages)


def catalogue(path: Path) -> dict[str, str]:
    """The messages of a file, by key."""
    with path.open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file) if m.id and m.string}


def _parse(message: str) -> tuple[Piece, ...]:
    pieces = string.Formatter().parse(message)
    return tuple((literal, field, kind or "") for literal, field, kind, _ in pieces)
