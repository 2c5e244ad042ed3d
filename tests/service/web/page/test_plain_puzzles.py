"""Puzzles without scripts: listed, looked at and answered by forms."""

from __future__ import annotations

import pytest

import rules
from rules.kernel import text
from service.tables.play.puzzles import puzzles
from tests.support.cast import sqlite_only
from tests.support.form_reader import FormReader

pytestmark = sqlite_only
SLUG = "trunk-and-peddler"
RIGHT = {"en": "That is the best choice.", "ja": "正解です。"}


def form_of(page, choice):
    """The form that gives this answer."""
    return next(each for each in page.forms if each.fields.get("choice") == choice)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_puzzle_is_solved_without_scripts(app, cast, language):
    posed = puzzles.find(rules.puzzles(SLUG).puzzles[0].id)
    best = next(n for n, each in enumerate(posed.legal) if posed.is_best(n))
    wrong = next(n for n, each in enumerate(posed.legal) if text(each) != text(posed.puzzle.best))
    reader = FormReader(app, language)
    if language == "en":
        reader.arrive("Aki")
    address = f"/plain/puzzles/{SLUG}/{posed.puzzle.id}"
    assert address in reader.open(f"/plain/puzzles/{SLUG}").html
    page = reader.open(address)
    assert RIGHT[language] not in page.text
    form = form_of(page, str(wrong))
    page = reader.post(form.action, form.fields)
    assert RIGHT[language] not in page.text
    form = form_of(page, str(best))
    page = reader.post(form.action, form.fields)
    assert RIGHT[language] in page.text
    remembered = "<strong>Solved</strong>" in reader.open(f"/plain/puzzles/{SLUG}").html
    assert remembered == (language == "en"), "of visitors, nothing is stored"
    reader.open(f"/plain/puzzles/caravan/{posed.puzzle.id}", 404)


def test_a_visitor_has_a_solution_shown(app, cast):
    posed = puzzles.find(rules.puzzles(SLUG).puzzles[0].id)
    reader = FormReader(app)
    page = reader.open(f"/plain/puzzles/{SLUG}/{posed.puzzle.id}")
    form = form_of(page, "show")
    assert "the best choice" in reader.post(form.action, form.fields).text
    assert "<strong>" not in reader.open(f"/plain/puzzles/{SLUG}").html.partition("<ol>")[2]
