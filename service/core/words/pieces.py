"""A sentence in pieces, for whoever draws it: which of them names the holder of a seat, or a card.

They are found while the sentence is made, so that a name that is also a word, or looks like a card, is never mistaken.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from rules.kernel import Json
from service.core.words.words import STRANGER, Phrases, Reader, You

_BEGIN, _NAMED, _END = "\x01", "\x02", "\x03"
"""Around a name or a card, and between what it is and its text: no text of anybody contains control characters."""
_CARD = "\x04"
"""Stands for a card."""
_CARDS = re.compile(f"{_CARD}(?: {_CARD})*")
_MARKED = re.compile(f"{_BEGIN}([^{_NAMED}]*){_NAMED}([^{_END}]*){_END}")


class Piece(NamedTuple):
    """A piece of a sentence, and the seat whose holder it names, or the code of the card."""

    text: str
    seat: int | None = None
    card: str | None = None

    @classmethod
    def of(cls, shown: Json) -> Piece:
        """The piece that is shown so."""
        return cls(**shown)

    def shown(self) -> Json:
        """As the API shows it: without what it does not name."""
        named = {"seat": self.seat, "card": self.card}
        return {"text": self.text, **{key: each for key, each in named.items() if each is not None}}


def pieces(
    words: Phrases, key: str, fields: Json | None = None, reader: Reader = STRANGER
) -> list[Piece]:
    """What `words.say` says, in pieces: together they are the same text."""
    return split(marked(words).say(key, fields, reader))


def split(said: str) -> list[Piece]:
    """The pieces of what `marked` words have said."""
    found, end = list[Piece](), 0
    for each in _MARKED.finditer(said):
        found += [Piece(said[end : each.start()]), _named(*each.groups())]
        end = each.end()
    return [piece for piece in [*found, Piece(said[end:])] if piece.text]


def without_cards(words: Phrases, said: Iterable[Piece]) -> str:
    """A sentence as everybody may read it who looks at the reader's screen: of its cards, the number."""
    text = "".join(_CARD if piece.card is not None else piece.text for piece in said)
    return _CARDS.sub(lambda cards: words.card(cards[0].count(_CARD)), text)


def worded(words: Phrases, key: str, fields: Json, reader: Reader) -> Json:
    """The members `words` and `pieces` of whatever is told by this message."""
    said = pieces(words, key, fields, reader)
    return {
        "words": "".join([piece.text for piece in said]),
        "pieces": [piece.shown() for piece in said],
    }


def _named(what: str, text: str) -> Piece:
    kind, _, value = what.partition(" ")
    return Piece(text, seat=int(value)) if kind == "seat" else Piece(text, card=value)


class _Marking(Phrases):
    """The same messages; what is said of them has its names and cards marked."""

    def holder(self, seat: int | You, reader: Reader) -> str:
        text = super().holder(seat, reader)
        return _named_as(f"seat {seat}", text) if isinstance(seat, int) else text

    def card(self, code: str | int) -> str:
        text = super().card(code)
        return _named_as(f"card {code}", text) if isinstance(code, str) else text


def _named_as(what: str, text: str) -> str:
    return f"{_BEGIN}{what}{_NAMED}{text}{_END}"


@functools.lru_cache(maxsize=256)  # one for each catalogue
def marked(words: Phrases) -> Phrases:
    """The same words, which mark names and cards in what they say: for `split`."""
    return _Marking(words.language, words.messages)
