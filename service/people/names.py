"""Names that people choose: which are refused, which look the same, and how older names are shown in emails.

Names are next to each other at tables, and in emails to people who do not know who chose them. So a name must be
completely visible (the profile Nickname of PRECIS, RFC 8266), must not mix scripts that look alike (the level "highly
restrictive" of UTS 39), must not look like another name at the table, and must not become a link. Names that were
chosen before a rule stay as they are.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from itertools import groupby

from precis_i18n import get_profile

from service.core.runtime import written_forms
from service.core.runtime.problems import NameTaken, UnusableName
from service.core.words.words import LANGUAGES, phrases
from service.log.table_rows.table import Person, Table

_PROFILE = get_profile("NicknameCasePreserved")
_WRITTEN_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""The scripts that one word may mix (UTS 39, 5.2)."""
_ANY_SCRIPT = {"COMMON", "INHERITED"}
_MOST_MARKS = 4
"""The largest number of marks on one letter (UTS 39, 5.4)."""
_SEEN = {"L", "N", "S"}
"""The general categories of letters, numbers and symbols, of which a name has at least one character."""
_BLANK = set("\u2800\u303f\ufffc\U00013441\U00013442\U0001d159")
"""Letters and symbols without a glyph, which no property of Unicode distinguishes from others."""
_STYLE, _JOINER = "\ufe0f", "\u200d"
"""The characters that combine emoji; anywhere else they are invisible."""
_KANA = tuple(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), *range(0x31F0, 0x3200))))
_LARGE = {
    ord(each): unicodedata.lookup(unicodedata.name(each).replace(" SMALL", "")) for each in _KANA
}
"""The large kana for each small one."""
_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_LATIN_FORM = re.compile(r"(?:LATIN (?:CAPITAL )?LETTER(?: SMALL CAPITAL)?|SYMBOL LETTER) ([A-Z])$")
_LONG = set("ーイィ一")
"""The ways to write a long vowel, as in プレイヤー and プレーヤー."""
_LINK = re.compile(
    r"\S@\S|://|[^\W_](?:\.[^\W\d_]|[。｡][a-z])[^\W\d_]|\d\.\d+\.\d+\.\d", re.IGNORECASE
)
"""The texts that mail programs turn into links: addresses, schemes, domains, IP addresses."""
_NOWHERE = ("house.player", "person.gone", "page.brand")
"""The keys of the texts that no name may contain, in any language: names of house players, erased people and the
service.
"""
_BESIDE = ("page.seat.you", "page.waiting-room.host")
"""The keys of the words that the website writes next to names. A name may contain one, but not consist of it."""
_LINKING = re.compile(r"([@:/.。｡])(?=\S)")


def usable(name: str) -> str:
    """The name with single plain spaces.

    Raises UnusableName if nobody may have the name; `why` is `characters`, `scripts`, `link` or `house`.
    """
    if written_forms.has_encoded_word(name):
        raise UnusableName("characters")
    for form in (name, *written_forms.decoded(name)):
        _refuse_unusable(form)
    return " ".join(name.split())


def _refuse_unusable(name: str) -> None:
    """Check one of the forms of a name. Raises UnusableName if nobody may have a name with this form."""
    plain = _without_joiners(name)
    try:
        shown = str(_PROFILE.enforce(plain))
    except UnicodeEncodeError:
        raise UnusableName("characters") from None
    words = _words(shown)
    marked = any(unicodedata.category(word[0]).startswith("M") for word in words)
    if marked or not (_SEEN & _kinds(shown)) or _BLANK & set(shown) or _is_stacked(shown):
        raise UnusableName("characters")
    if _LINK.search(plain) or _LINK.search(shown):
        raise UnusableName("link")
    if any(map(_mixes_scripts, words)):
        raise UnusableName("scripts")
    contained = _reserved(_letters, *_NOWHERE)
    house_players = _reserved(_letters, *(f"house.name.{key}" for key in house_names()))
    if (
        any(ours in seen for seen in _letters(shown) for ours in contained)
        or _skeletons(shown) & _reserved(_skeletons, *_BESIDE)
        or any(_letters(word) & house_players for word in (shown, *words))
    ):
        raise UnusableName("house")


def refuse_taken(table: Table, player_id: str, name: str) -> None:
    """Raise NameTaken if the name of another person at this table looks the same."""
    others = (person for person in table.people if person.player_id != player_id)
    if any(look_alike(name, called) for person in others for called in _called(person)):
        raise NameTaken


def unlike_people(table: Table) -> list[str]:
    """The keys of the house players' names that look like nobody's name at this table, where older names may be
    similar.
    """
    seen = {each for person in table.people for each in _skeletons(person.name or "")} - {""}
    called = {key: _reserved(_skeletons, f"house.name.{key}") for key in house_names()}
    return [key for key, ours in called.items() if seen.isdisjoint(ours)]


def _called(person: Person) -> list[str]:
    """The name of a person or house player at a table, in every language."""
    if person.house_name is not None:
        return _in_every_language(f"house.name.{person.house_name}")
    return [person.name] if person.name else []


def look_alike(one: str, other: str) -> bool:
    """Whether two names can be mistaken for each other, regardless of case."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


def harmless(name: str) -> str:
    """A name in a form for emails: on one line, with nothing invisible and nothing that becomes a link or is
    decoded.
    """
    plain = "".join(each for each in name if each == _JOINER or not _is_invisible(each))
    whole = written_forms.broken_up(plain)
    if not _LINK.search(unicodedata.normalize("NFKC", whole)):
        return whole
    return _LINKING.sub(r"\1 ", written_forms.broken_up(unicodedata.normalize("NFKC", whole)))


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def _without_joiners(name: str) -> str:
    """The name without characters that only style an emoji or join it to the next one."""
    kept = []
    for before, each, after in zip(f" {name}", name, f"{name[1:]} ", strict=False):
        styles = each == _STYLE and _is_emoji(before)
        joins = each == _JOINER and (_is_emoji(before) or before == _STYLE) and _is_emoji(after)
        if not styles and not joins:
            kept.append(each)
    return "".join(kept)


def _is_emoji(character: str) -> bool:
    """Whether the character is an emoji or a skin tone."""
    return unicodedata.category(character) in {"So", "Sk"}


def _is_stacked(name: str) -> bool:
    decomposed = unicodedata.normalize("NFD", name)
    runs = groupby(decomposed, lambda each: unicodedata.category(each) == "Mn")
    return any(is_mark and len(list(run)) > _MOST_MARKS for is_mark, run in runs)


def _kinds(text: str) -> set[str]:
    """The general categories in the text, each without its subdivision."""
    return {unicodedata.category(each)[0] for each in text}


def _words(name: str) -> list[str]:
    """The words of a name: letters and digits with their marks, since a mark of another script may be invisible."""
    parts = (each if _kinds(each) <= {"L", "M", "N"} else " " for each in name)
    return "".join(parts).split()


def _mixes_scripts(word: str) -> bool:
    # Loading takes 0.2 s, which commands and processes that check no names do not need.
    from confusable_homoglyphs import categories

    scripts = categories.unique_aliases(word) - _ANY_SCRIPT
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


def house_names() -> tuple[str, ...]:
    """The keys of the names of house players."""
    return tuple(phrases(LANGUAGES[0]).below("house.name."))


def _in_every_language(key: str) -> list[str]:
    return [phrases(language).say(key) for language in LANGUAGES]


@functools.cache
def _reserved(form: Callable[[str], set[str]], *keys: str) -> frozenset[str]:
    """The forms of the texts with these keys in every language, all in one set."""
    texts = (text for key in keys for text in _in_every_language(key))
    return frozenset(seen for text in texts for seen in form(text))


def _letters(name: str) -> set[str]:
    """The skeletons reduced to letters and digits, for names that nobody may come near.

    A Latin letter also represents its other forms, such as small capitals and letters in black squares.
    """
    plain = ""
    for each in unicodedata.normalize("NFKC", name):
        form = _LATIN_FORM.search(unicodedata.name(each, ""))
        plain += form[1].lower() if form else each
    short = "".join(each for each in plain.translate(_KATAKANA) if each not in _LONG)
    bare = _without("M", unicodedata.normalize("NFD", short))
    seen = (_without("CMPSZ", each) for each in _skeletons(bare))
    return {each.casefold().replace("i", "l") for each in seen} - {""}


def _without(kinds: str, text: str) -> str:
    """The text without characters of these kinds, the first letters of general categories."""
    return "".join(each for each in text if unicodedata.category(each)[0] not in kinds)


def _skeletons(name: str) -> set[str]:
    """The skeleton, with and without regard to case, folded before and after lookalikes are replaced."""
    plain = unicodedata.normalize("NFKC", name)
    # Without marks that belong to no letter, such as lines through or below it.
    lean = (each for each in plain if not unicodedata.name(each, "").startswith("COMBINING "))
    shown = "".join(lean).translate(_LARGE)
    skeleton = _skeleton(shown)
    return {skeleton, _skeleton(shown.casefold()), _skeleton(skeleton.casefold())}


def _skeleton(name: str) -> str:
    """A text that is the same for all names that look alike (UTS 39, 4); spaces and punctuation make no difference."""
    prototypes = _prototypes()
    plain = unicodedata.normalize("NFD", name)
    visible = (each for each in plain if not _is_invisible(each) and each != _STYLE)
    seen = "".join(prototypes.get(each, each) for each in visible)
    return _without("PZ", unicodedata.normalize("NFD", seen))


@functools.cache
def _prototypes() -> dict[str, str]:
    """The character that represents each character in a skeleton, unless it is the same one.

    The library lists pairs in both directions; all characters that look alike are paired with their representative.
    """
    # Loading takes 0.2 s, which commands and processes that check no names do not need.
    from confusable_homoglyphs.confusables import confusables_data

    pairs = {
        _bare(each): [_bare(like["c"]) for like in found]
        for each, found in confusables_data.items()
    }
    return {
        each: first
        for each, (first, *more) in pairs.items()
        if not more and (len(pairs[first]) > 1 or (len(each), each) < (len(first), first))
    }


def _bare(character: str) -> str:
    """A character without the marks that the list puts around right-to-left text."""
    return character.replace("\u200e", "")
