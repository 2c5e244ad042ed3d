"""All catalogues, in all languages: readers of their own name are addressed, and nouns agree with their number."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import rules
from service.core.settings.config import ROOT
from service.core.words.catalogues import SPOKEN_TO, catalogue, plural_form
from service.core.words.words import LANGUAGES, Reader, phrases
from tests.support.in_one_go import in_one_go

SERVICE = ROOT / "service/core/words"
FOLDERS = [Path(rules.folder(*version)) for version in rules._versions()]
PLACES = [(SERVICE, ""), *((folder, "words.") for folder in FOLDERS)]
NAMES_SOMEBODY = {"seat", "name"}
NOT_SPOKEN_TO = re.compile(
    r"action\.|mail\.(?!told\.away)|decline\.|meaning\.|member\.|seen\.|page\."
)
"""The exceptions: an action is worded for its player, with others as its object; a mail begins with the name of its
reader or of the person who invites them; a vocabulary speaks about any seat; a page names others, or greets.
"""
Fields = list[tuple[str, str]]


@pytest.fixture(params=PLACES, ids=lambda place: f"{place[0].parent.name}-{place[0].name}")
def place(request: pytest.FixtureRequest) -> tuple[Path, str]:
    folder, prefix = request.param
    return folder, prefix


def path(place: tuple[Path, str], language: str) -> Path:
    return place[0] / f"{place[1]}{language}.po"


def read(place: tuple[Path, str], language: str) -> dict[str, str]:
    return catalogue(path(place, language))


def gettext(place: tuple[Path, str], language: str) -> Catalog:
    with path(place, language).open("rb") as file:
        return read_po(file)


def fields(message: str) -> Fields:
    parsed = string.Formatter().parse(message)
    return sorted((name, kind or "") for _, name, kind, _ in parsed if name is not None)


def whole(messages: dict[str, str]) -> dict[str, str]:
    """The messages without plural forms, whose number differs between languages."""
    return {key: text for key, text in messages.items() if not key.startswith("count.")}


def missing_forms(messages: dict[str, str]) -> set[str]:
    """The messages that name somebody, and would call their reader by name."""
    return {
        f"{key}{SPOKEN_TO}{name}"
        for key, text in messages.items()
        if SPOKEN_TO not in key and not NOT_SPOKEN_TO.match(key)
        for name, kind in fields(text)
        if kind in NAMES_SOMEBODY and f"{key}{SPOKEN_TO}{name}" not in messages
    }


@in_one_go("language", LANGUAGES)
def test_a_message_stands_once_with_one_translation(place: tuple[Path, str], language: str) -> None:
    """Of two entries that a merge has left, a reader of catalogues makes one text."""
    text = path(place, language).read_text(encoding="utf-8")
    assert not re.findall(r'^msgstr ".*"\nmsgstr .*', text, flags=re.M)
    keys = re.findall(r'^(msgctxt ".*"\n)?(msgid ".+")', text, flags=re.M)
    assert len(keys) == len(set(keys))


@in_one_go("language", LANGUAGES)
def test_every_message_with_a_seat_has_a_form_for_the_reader(
    place: tuple[Path, str], language: str
) -> None:
    assert missing_forms(read(place, language)) == set()


def test_a_missing_form_for_the_reader_is_found() -> None:
    messages = {"line.gave": "{seat:seat} gives it to {to:seat}.", "line.gave@seat": "You give it."}
    assert missing_forms(messages) == {"line.gave@to"}
    assert missing_forms({"mail.turn": "{name:name}, it is your turn."}) == set()


def test_a_form_for_the_reader_has_the_other_fields_of_its_message(place: tuple[Path, str]) -> None:
    for language in LANGUAGES:
        messages = read(place, language)
        for key, text in messages.items():
            base, speaks, named = key.partition(SPOKEN_TO)
            if speaks:
                others = [
                    each for each in fields(messages[base]) if each[0] not in named.split("+")
                ]
                assert fields(text) == others, key
                assert text != messages[base], key


def test_every_language_says_the_same(place: tuple[Path, str]) -> None:
    first, *others = (whole(read(place, language)) for language in LANGUAGES)
    for other in others:
        assert other.keys() == first.keys()
        for key, message in first.items():
            assert {*fields(message)} == {*fields(other[key])}, key


@in_one_go("language", LANGUAGES)
def test_what_is_counted_has_the_forms_of_its_language(
    place: tuple[Path, str], language: str
) -> None:
    found = gettext(place, language)
    assert found.num_plurals == len({plural_form(language, n) for n in range(200)})
    counted = {str(each.id[0]): each.string for each in found if each.pluralizable}
    for key, forms in counted.items():
        assert len(set(forms)) == found.num_plurals, key
        assert all({name for name, _ in fields(form)} == {"n"} for form in forms), key
    known = {*counted, *(each.id[0] for each in gettext(PLACES[0], language) if each.pluralizable)}
    used = {kind for text in read(place, language).values() for _, kind in fields(text)}
    assert {kind for kind in used if kind.startswith("count.")} <= known


def test_nothing_is_counted_in_one_form_only(place: tuple[Path, str]) -> None:
    counted = [text for each in PLACES for key, text in read(each, "en").items() if "[" in key]
    nouns = "|".join({re.escape(text.removeprefix("{n:number} ")) for text in counted})
    numbered = re.compile(rf"\{{\w+(?::number)?\}} ({nouns})\b")
    assert numbered.search("{value:number} points")
    for key, text in whole(read(place, "en")).items():
        assert not numbered.search(text), key
        assert "|" not in "".join(kind for _, kind in fields(text)), key


def test_every_counted_thing_is_said_somewhere() -> None:
    texts = [text for place in PLACES for text in read(place, "en").values()]
    used = {kind for text in texts for _, kind in fields(text)}
    units = {f"count.{unit}" for unit in ("day", "hour", "minute", "second")}
    counted = {key.partition("[")[0] for place in PLACES for key in read(place, "en") if "[" in key}
    assert counted == {kind for kind in used if kind.startswith("count.")} | units


@in_one_go("language", LANGUAGES)
def test_nothing_stands_twice(place: tuple[Path, str], language: str) -> None:
    file = path(place, language).read_text(encoding="utf-8")
    keys = re.findall(r'^(?:msgctxt "(.*)"\n)?msgid "(.+)"$', file, flags=re.M)
    assert len(keys) == len(set(keys))
    if place[0] != SERVICE:
        pairs = [[read(each, name).items() for name in LANGUAGES] for each in (place, PLACES[0])]
        again = [{key for key, _ in ours & theirs} for ours, theirs in zip(*pairs, strict=True)]
        assert set.intersection(*again) == set()


def test_the_words_know_who_reads() -> None:
    words, names = phrases("en", "oracle-land"), ["Ann", "Ben", "Cho"]
    told = {"winner": 0, "loser": 2}
    said = [words.say("line.decided", told, Reader(names, seat)) for seat in (None, 0, 1, 2)]
    assert said[0] == said[2] == "Ann has won the trick, and Cho has lost it."
    assert said[1] == "You have won the trick, and Cho has lost it."
    assert said[3] == "Ann has won the trick, and you have lost it."


def test_the_reader_comes_last_among_several() -> None:
    words, told = phrases("en", "auction-draw"), {"seats": [0, 1], "chips": 3, "rest": 1}
    said = words.say("line.shared", told, Reader(["Ann", "Ben"], 0))
    assert said.startswith("Ben and you take 3 each")
    assert (
        phrases("ja").say("result.winners", {"winners": [0]}, Reader(["アキ"], 0))
        == "あなたの勝ちです。"
    )
