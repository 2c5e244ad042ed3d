"""docs/words.md has one word for each thing; catalogues and rules pages use it, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import rules
from service.core.settings.config import ROOT
from service.core.words.catalogues import catalogue
from tests.support.in_one_go import in_one_go

DOCUMENT = (ROOT / "docs/words.md").read_text(encoding="utf-8")
LANGUAGES = {"English": "en", "Japanese": "ja"}


class Word(NamedTuple):
    """A row of a table."""

    language: str
    where: str
    say: str
    never: tuple[str, ...]


def glossary() -> Iterator[Word]:
    for heading, language in LANGUAGES.items():
        section = re.split(r"^## ", DOCUMENT.partition(f"\n## {heading}\n")[2], flags=re.M)[0]
        for row in re.findall(r"^\| (.+) \|$", section, flags=re.M)[1:]:
            where, _, say, never = row.split(" | ")
            if where != "---":
                yield Word(language, where, say, tuple(never.split(", ")))


WORDS = list(glossary())


def texts(where: str, language: str) -> list[str]:
    """The messages and pages of this place, each as one text; fields are ignored."""
    found: list[str] = []
    if where in {"all", "service"}:
        found += catalogue(ROOT / f"service/core/words/{language}.po").values()
    for slug in rules.slugs():
        if where in {"all", "games", slug}:
            folder = Path(rules.folder(slug, rules.versions(slug)[-1]))
            found += catalogue(folder / f"words.{language}.po").values()
            page = (folder / f"page.{language}.md").read_text(encoding="utf-8")
            found += page.replace("\n", " ").split("  ")
    return [re.sub(r"\{[^}]*\}|`[^`]*`", " ", text) for text in found]


def says(text: str, word: str, language: str) -> bool:
    """English words as a whole, Japanese ones anywhere."""
    if language == "ja":
        return word in text
    return re.search(rf"\b{re.escape(word)}\b", text, flags=re.I) is not None


def test_every_table_has_rows() -> None:
    assert {word.language for word in WORDS} == {"en", "ja"}
    assert {word.where for word in WORDS} <= {"all", "service", "games", *rules.slugs()}


@in_one_go("word", WORDS)
def test_a_thing_has_one_word(word: Word) -> None:
    found = texts(word.where, word.language)
    assert any(says(text, word.say, word.language) for text in found), f"nobody says {word.say}"
    for other in word.never:
        wrong = [text for text in found if says(text, other, word.language)]
        assert not wrong, f"{word.say}, not {other}: {wrong[0][:300]}"


def test_another_word_for_a_thing_is_found() -> None:
    assert says("You are alone in your pack.", "pack", "en")
    assert not says("Pack the trunk, packed as it is.", "backpack", "en")
    assert says("同じマークの札", "マークの", "ja")
