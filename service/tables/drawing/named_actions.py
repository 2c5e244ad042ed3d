"""The legal actions that a text names: by their own words, by the name of their type, or by the cards in them.

Nothing here knows a game. Case, punctuation and spaces make no difference, `10♥` is `Th`, and full-width characters
equal their half-width forms.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.kernel import Json
from service.core.words.words import Phrases

LONGEST_ASIDE = 5
"""The most words in a line that can name an action whose name is a single word: `I pass, sorry`."""
LONGEST_WITHOUT_BLANKS = 12
"""The most characters in such a line if its script has no spaces."""
_SUITS = str.maketrans(dict(zip("♠♡♢♣♤♥♦♧", "shdcshdc", strict=True)))
_TEN = re.compile(r"\b10([shdc])\b")
_WORDS = re.compile(r"[^\W_]+")
_CODE = re.compile(r"[2-9tjqka][shdc]|jk|[0-9]{1,2}-[0-9]{1,2}")
_CARD = re.compile(r"[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+")
_DRAWN = re.compile(r"(10|[2-9tjqka])[♠♡♢♣♤♥♦♧]", re.IGNORECASE)
_BETWEEN_CODES = re.compile(r"[\s,;、，・+&|\[\]()]+|\band\b|と")
_LIKE_WORDS = {"as", "ah", "ad", "ac", "js"}
"""The codes of cards that are also words."""


class LegalAction(NamedTuple):
    """A legal action, with its position in the list and its names."""

    place: int
    action: Json
    names: tuple[str, ...]
    """The action's words, and the name of its type if no other action has that type, in every language."""


class Named(NamedTuple):
    """The positions of the actions that a text names.

    `surely` means that the text says nothing else, so it is meant as a move.
    """

    places: tuple[int, ...]
    surely: bool = False


NONE_NAMED = Named(())


def called(
    legal: Sequence[Json], worded: Iterable[Sequence[str]], words: Iterable[Phrases]
) -> list[LegalAction]:
    """The legal actions with their names; `worded` has each action's words in every language."""
    languages = list(words)
    alone = {
        kind for kind, number in Counter(each["type"] for each in legal).items() if number == 1
    }
    found = []
    for place, (action, own) in enumerate(zip(legal, worded, strict=True)):
        names, kind = list(own), action["type"]
        if kind in alone:
            names += [kind, *filter(None, (each.get(f"type.{kind}") for each in languages))]
        found.append(LegalAction(place, action, tuple(dict.fromkeys(map(_key, names)))))
    return found


def named_by_line(line: str, legal: Sequence[LegalAction]) -> Named:
    """The actions named by a line that says nothing else."""
    key = _key(line)
    by_name = tuple(each.place for each in legal if key and key in each.names)
    if by_name:
        return Named(by_name, surely=True)
    codes = _codes(line)
    if not codes:
        return NONE_NAMED
    cards = [(each.place, cards_of(each.action)) for each in legal]
    exactly = tuple(place for place, own in cards if own == codes)
    alike = tuple(place for place, own in cards if sorted(own) == sorted(codes))
    some = tuple(place for place, own in cards if not Counter(codes) - Counter(own))
    found = exactly or alike or some
    return Named(found, surely=bool(exactly or alike) and not _is_like_a_word(line, codes))


def named_within(text: str, legal: Sequence[LegalAction]) -> Named:
    """The actions that a text names anywhere, even if it also says other things."""
    places = set[int]()
    for line in text.splitlines():
        places.update(named_by_line(line, legal).places)
        plain, joined = f" {_spaced(line)} ", _key(line)
        drawn = {_code(each[0]) for each in _DRAWN.finditer(line)}
        for each in legal:
            is_named = any(_is_within(name, plain, joined) for name in each.names)
            if is_named or drawn & set(cards_of(each.action)):
                places.add(each.place)
    return Named(tuple(sorted(places)))


def cards_of(action: Json) -> list[str]:
    """The codes of the cards in an action, in lower case, in the order in which it names them."""
    found = list[str]()
    for name, value in action.items():
        values = value if isinstance(value, list) else [value]
        if name != "type" and values and all(_is_card(each) for each in values):
            found += [str(each).lower() for each in values]
    return found


def _is_card(value: object) -> bool:
    return isinstance(value, str) and _CARD.fullmatch(value) is not None


def _is_within(name: str, plain: str, joined: str) -> bool:
    """Whether a line contains a name: as whole words, or anywhere in scripts without spaces."""
    if not name:
        return False
    if not name.isascii():
        is_long = len(name) > LONGEST_WITHOUT_BLANKS // 2
        return name in joined and (is_long or len(joined) <= LONGEST_WITHOUT_BLANKS)
    words = plain.split()
    spelled = _in_words(name, words)
    return spelled > 1 or (spelled == 1 and len(words) <= LONGEST_ASIDE)


def _in_words(name: str, words: Sequence[str]) -> int:
    """The number of consecutive words that make up a name; 0 if the name does not occur."""
    for start in range(len(words)):
        if not name.startswith(words[start]):
            continue
        joined = ""
        for number, word in enumerate(words[start:], 1):
            joined += word
            if joined == name:
                return number
            if not name.startswith(joined):
                break
    return 0


def _codes(line: str) -> list[str]:
    """The cards named by a line that names nothing else; otherwise an empty list."""
    parts = list(filter(None, _BETWEEN_CODES.split(_plain(line).strip(" .!。"))))
    codes = [_code(each) for each in parts]
    return codes if all(_CODE.fullmatch(each) for each in codes) else []


def _code(written: str) -> str:
    return _TEN.sub(r"t\1", _plain(written))


def _is_like_a_word(line: str, codes: Sequence[str]) -> bool:
    """Whether the line may be the word "Ah" and not the ace of hearts."""
    is_word = len(codes) == 1 and codes[0] in _LIKE_WORDS
    return is_word and not _DRAWN.search(line) and line.strip(" .!") != codes[0].upper()


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).replace("\ufe0e", "").replace("\ufe0f", "")
    return folded.translate(_SUITS).casefold()


def _spaced(text: str) -> str:
    return " ".join(_WORDS.findall(_TEN.sub(r"t\1", _plain(text))))


def _key(text: str) -> str:
    """A key that is the same for all spellings of a name."""
    return "".join(_WORDS.findall(_TEN.sub(r"t\1", _plain(text))))
