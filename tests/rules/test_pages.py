"""Rules pages: the drawings are examples that the engine plays, the same in every language."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path

import pytest

from rules.kernel import Ruleset, State
from tests.rules.page_examples import (
    LANGUAGES,
    codes,
    drawn,
    examples,
    has_line,
    one_deck,
    page,
)
from tests.rules.playouts import phases

pytestmark = pytest.mark.every_game


def test_whatever_a_page_draws_stands_in_an_example(ruleset: Ruleset) -> None:
    played = {code for example in examples(ruleset) for code in codes(example.given)}
    for language in LANGUAGES:
        assert set(drawn(page(ruleset, language))) <= played, language


def test_a_page_says_what_its_examples_say(ruleset: Ruleset) -> None:
    pages = {language: page(ruleset, language) for language in LANGUAGES}
    for example in examples(ruleset):
        said = [example.line] if "line" in example.given else []
        said += [line for step in example.get("steps", []) for line in step.get("says", [])]
        for line, (language, text) in itertools.product(said, pages.items()):
            assert has_line(text, line), (language, str(example), line)


def test_every_page_works_through_a_turn(ruleset: Ruleset) -> None:
    turns = [example for example in examples(ruleset) if example.kind == "turn"]
    assert turns
    assert all(len(turn.steps) > 1 for turn in turns)


def test_a_wrong_sum_and_an_impossible_hand_are_found() -> None:
    text = "| Ann | `2s 3s` | 5 |\n| Bea | `2h` | −2 |"
    assert has_line(text, ["2s 3s", "5"])
    assert has_line(text, ["2h", "−2"])
    assert not has_line(text, ["2s 3s", "6"])
    assert not has_line(text, ["2h", "2"])
    assert has_line("1. She plays `5s`: now\n   it is 6.\n2. He plays `2s`.", ["5s", "6"])
    assert not has_line("1. She plays `5s`: now\n   it is 7.\n2. He plays `6s`, 6.", ["5s", "6"])
    with pytest.raises(AssertionError, match="impossible: \\['2-1'\\]"):
        one_deck(["2-1", "3-0", "6-6", "2-1"], ["2-1", "3-0", "6-6"])


def test_the_languages_have_the_same_sections_and_tables(ruleset: Ruleset) -> None:
    shapes = [
        [re.match(r"#+|\||[-1-9]", line) for line in page(ruleset, language).splitlines()]
        for language in LANGUAGES
    ]
    headings, rows = (
        [[each[0] for each in shape if each and each[0][0] == mark] for shape in shapes]
        for mark in "#|"
    )
    assert headings[0] == headings[1]
    assert len(rows[0]) == len(rows[1])


def test_the_languages_have_the_same_items_in_every_section(ruleset: Ruleset) -> None:
    sections = [re.split(r"^## ", page(ruleset, language), flags=re.M) for language in LANGUAGES]
    for pair in zip(*sections, strict=True):
        bullets, steps = (
            [len(re.findall(mark, section, flags=re.M)) for section in pair]
            for mark in (r"^- ", r"^[0-9]+\. ")
        )
        assert bullets[0] == bullets[1] and steps[0] == steps[1], pair[0].partition("\n")[0]


def test_every_language_states_the_same_facts(ruleset: Ruleset) -> None:
    """A rule that only one of the pages states is found: each rule has its row in page_facts.toml."""
    facts = FACTS[ruleset.slug]
    assert [int(fact.partition(" ")[0]) for fact in facts] == list(range(1, len(facts) + 1))
    for fact, phrases in facts.items():
        for language, phrase in zip(LANGUAGES, phrases, strict=True):
            text = " ".join(page(ruleset, language).split())
            assert phrase in text, f"{language}: {fact}"


def explained(ruleset: Ruleset, language: str) -> list[list[str]]:
    """The phases that the headings name, heading by heading."""
    headings = re.findall(r"^#.*", page(ruleset, language), flags=re.M)
    named = [re.search(r" \{(.+)\}$", heading) for heading in headings]
    return [each[1].split() if each else [] for each in named]


def test_a_section_explains_whatever_is_asked(ruleset: Ruleset) -> None:
    first, *others = (explained(ruleset, language) for language in LANGUAGES)
    assert all(other == first for other in others)
    asking = {each.phase for each in phases(ruleset) if each.legal is not State.legal}
    assert asking == {phase for section in first for phase in section}


SECTIONS = tomllib.loads(Path(__file__).with_name("page_sections.toml").read_text(encoding="utf-8"))
FACTS = tomllib.loads(Path(__file__).with_name("page_facts.toml").read_text(encoding="utf-8"))
"""By slug: each section of the specification, and where the pages state it, or why they do not."""


def test_every_section_of_a_specification_is_on_the_page(ruleset: Ruleset) -> None:
    rows = SECTIONS[ruleset.slug]
    assert {section[0] for section in rows} == set("12345678")
    for section, found in rows.items():
        if isinstance(found, list):
            for language, phrase in zip(LANGUAGES, found, strict=True):
                text = " ".join(page(ruleset, language).split())
                assert phrase in text, (section, phrase)
        else:
            assert found.endswith("."), "why it is not on the page"
