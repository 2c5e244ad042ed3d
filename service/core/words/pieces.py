"""A sentence in pieces, for code that draws it: each piece can name the holder of a seat, or a card.

The pieces are found while the sentence is made. So a name that is also a word, or looks like a card, is never mistaken
for one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from rules.kernel import Json
from service.core.words.words import STRANGER, Phrases, Reader, You

_BEGIN, _NAMED, _END = "\x01", "\x02", "\x03"
"""The marks around a name or a card, and between its identity and its text.

Nobody's text contains control characters.
"""
_CARD = "\x04"
"""The mark of a card."""
_CARDS = re.compile(f"{_CARD}(?: {_CARD})*")
_MARKED = re.compile(f"{_BEGIN}([^{_NAMED}]*){_NAMED}([^{_END}]*){_END}")


class Piece(NamedTuple):
    """A piece of a sentence, with the seat whose holder it names, or the code of the card that it names."""

    text: str
    seat: int | None = None
    card: str | None = None

    @classmethod
    def of(cls, shown: Json) -> Piece:
        """The piece that the API shows in this form."""
        return cls(**shown)

    def shown(self) -> Json:
        """The piece as the API shows it, without members that do not apply."""
        named = {"seat": self.seat, "card": self.card}
        return {"text": self.text, **{key: each for key, each in named.items() if each is not None}}


def pieces(
    words: Phrases, key: str, fields: Json | None = None, reader: Reader = STRANGER
) -> list[Piece]:
    """The text of `words.say` in pieces; joined, they are that text."""
    return split(marked(words).say(key, fields, reader))


def split(said: str) -> list[Piece]:
    """The pieces of a text that words with marks (`marked`) have made."""
    found, end = list[Piece](), 0
    for each in _MARKED.finditer(said):
        found += [Piece(said[end : each.start()]), _named(*each.groups())]
        end = each.end()
    return [piece for piece in [*found, Piece(said[end:])] if piece.text]


def without_cards(words: Phrases, said: Iterable[Piece]) -> str:
    """A sentence for everybody who may look at the reader's screen, with the number of cards in place of the cards."""
    text = "".join(_CARD if piece.card is not None else piece.text for piece in said)
    return _CARDS.sub(lambda cards: words.card(cards[0].count(_CARD)), text)


def worded(words: Phrases, key: str, fields: Json, reader: Reader) -> Json:
    """The members `words` and `pieces` of something that this message tells."""
    said = pieces(words, key, fields, reader)
    return {
        "words": "".join([piece.text for piece in said]),
        "pieces": [piece.shown() for piece in said],
    }


def _named(what: str, text: str) -> Piece:
    kind, _, value = what.partition(" ")
    return Piece(text, seat=int(value)) if kind == "seat" else Piece(text, card=value)


class _Marking(Phrases):
    """Messages in which names and cards are marked."""

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
    """The same words, with names and cards marked in the texts, for `split`."""
    return _Marking(words.language, words.messages)
