"""The worked turn of each page of rules is the one that the page behind its link plays."""

from __future__ import annotations

import json

import pytest

from rules.kernel import Ruleset
from tests.rules.page_examples import LANGUAGES, examples, led, page
from tests.rules.page_turns import file_of, position_of, worked_turn, written

pytestmark = pytest.mark.every_game


def test_the_worked_turn_is_the_example_of_the_page(ruleset: Ruleset) -> None:
    """After a change of the example, run `python -m tests.rules.page_turns`."""
    text = file_of(ruleset).read_text(encoding="utf-8")
    assert text == written(json.loads(text))
    assert json.loads(text) == worked_turn(ruleset)


def test_a_game_comes_to_where_the_worked_turn_begins(ruleset: Ruleset) -> None:
    """By the `lead` of the example, or because it begins with the game: people are shown the whole table there."""
    turn = json.loads(file_of(ruleset).read_text(encoding="utf-8"))
    example = next(each for each in examples(ruleset) if each.kind == "turn")
    start = led(ruleset, example) if "lead" in example.given else None
    first = position_of(ruleset, start, turn["options"]) if start else {**turn, "fields": {}}
    assert (first["phase"], first["fields"]) == (turn["phase"], turn["fields"])


def test_the_worked_turn_can_be_played(ruleset: Ruleset) -> None:
    turn = json.loads(file_of(ruleset).read_text(encoding="utf-8"))
    state = ruleset.position(turn)
    for event in turn["events"]:
        state = ruleset.apply(state, event)
    assert len(turn["events"]) > 1


def test_every_page_leads_to_it(ruleset: Ruleset) -> None:
    assert all(page(ruleset, language).count("](example)") == 1 for language in LANGUAGES)
