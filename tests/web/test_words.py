"""The messages of the page: all are in both catalogues, and none is unused."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rules
from rules.common.cards import SUITS
from rules.kernel import vocabulary as say
from service.core.settings.config import ROOT
from service.core.words.words import LANGUAGES, phrases

SOURCES = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "web").rglob("*.js")))
LITERAL = set(re.findall(r"\"([a-z-]+(?:\.[\w-]+)*)\"", SOURCES))
"""Every string in the modules that may be a key."""
PATTERNS = [
    re.escape(pattern).replace(r"\$\{\}", r"[\w.-]+")
    for pattern in re.findall(
        r"`([a-z$\{][\w.-]*(?:\$\{\}[\w.]*)*)`", re.sub(r"\$\{[^{}`]*\}", "${}", SOURCES)
    )
    if "${}" in pattern and "." in pattern
]
"""Keys that are composed: `suit.${…}`."""


def page_words(language: str) -> dict[str, str]:
    return {
        key.removeprefix("page."): text
        for key, text in phrases(language).messages.items()
        if key.startswith("page.")
    }


def test_every_language_has_the_same_messages_with_the_same_fields() -> None:
    first, *others = map(page_words, LANGUAGES)
    for other in others:
        assert first.keys() == other.keys()
        for key, text in first.items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", other[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_missing_or_unused(language: str) -> None:
    words = page_words(language)
    assert set(re.findall(r"\bt\(\"([\w.-]+)\"", SOURCES)) <= words.keys()
    said = re.compile("|".join(PATTERNS))
    assert {key for key in words if key not in LITERAL and not said.fullmatch(key)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_can_be_led_has_a_word(language: str) -> None:
    led = {
        value
        for ruleset in map(rules.load, rules.slugs())
        for area in ruleset.looks.layout
        for members in say.prompts(ruleset.looks.vocabulary).values()
        for member in members
        if "led" in area.facts and member.name == area.facts["led"]
        for value in member.values or SUITS
    }
    assert {*SUITS, "none"} == led
    assert {f"suit.{value}" for value in led} <= page_words(language).keys()


def test_modules_contain_no_wording() -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCES, flags=re.DOTALL)
    assert re.findall(r'"[A-Z][a-z]+ [a-z ]+"', code) == []
    assert not re.search(r"[ぁ-んァ-ヶ一-龠]", code)


def test_the_page_parses_no_markup() -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", SOURCES
    )
    html = (ROOT / "service/web/page/templates/shell.html").read_text(encoding="utf-8")
    assert not re.search(
        r"\sstyle=|<style|\son\w+=|<script(?! type=\"application/json\")(?![^>]* src=)", html
    )


SAY = """
async fields => {
  const { loadLanguage, t } = await import("/base/words.js");
  await loadLanguage(document.documentElement.lang);
  return t("new-table.length.each", fields);
}
"""


@pytest.mark.browser
@pytest.mark.parametrize(("count", "noun"), [(1, "1 decision each"), (2, "2 decisions each")])
def test_the_page_says_nouns_in_the_form_that_fits_their_number(
    visit: Any, count: int, noun: str
) -> None:
    page = visit().open()
    assert page.evaluate(SAY, {"words": "", "decisions": count}).endswith(noun)
    page.locator("button[lang=ja]").click()
    page.wait_for_selector("html[lang=ja]")
    assert str(count) in page.evaluate(SAY, {"words": "", "decisions": count})
