"""Without scripts: a lesson is begun, continued and left; the pages do not offer what it refuses."""

from __future__ import annotations

import random
import re
from urllib.parse import urljoin

import pytest
from flask import Flask

import rules
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.form_reader import FormReader

pytestmark = sqlite_only

LESSON = rules.lesson(BOOMERANG)
REFUSED = re.compile(r"/(talk|proposals|resignation|verification|record)$")
"""The operations that a lesson refuses."""


@pytest.fixture
def reader(app: Flask) -> FormReader:
    """Aki at the first step of a lesson, with a text browser."""
    reader = FormReader(app)
    reader.arrive("Aki")
    reader.open("/plain")
    reader.follow("Learn Boomerang Auction by playing")
    reader.send("Learn by playing")
    return reader


def try_what_is_said(reader: FormReader) -> None:
    """Choose what the lesson says, and confirm it."""
    game = reader.http.get(f"/api{reader.path.removeprefix('/plain')}").json
    (place,) = (
        n for n, each in enumerate(game["legal"]) if each["action"] == game["lesson"]["action"]
    )
    reader.open(f"{reader.path}/move?asked={game['asked']}&place={place}")
    reader.send("Play it")


def assert_all_is_as_offered(reader: FormReader) -> None:
    """Every link leads to a page, and nothing is offered that a lesson refuses."""
    table = reader.path
    offered = [path for path, _ in reader.page.links if path.startswith("/plain/games/")]
    assert not [path for path in offered if REFUSED.search(path)]
    for path in offered:
        shown = reader.open(urljoin(table, path))
        assert not [link for link, _ in shown.links if REFUSED.search(link)], path
    buttons = {form.button for form in reader.open(table).forms}
    assert buttons <= {"Leave the lesson", "Back to the step"}


def test_a_lesson_can_be_begun_and_left(reader: FormReader) -> None:
    assert LESSON is not None
    table, steps = reader.path, len(LESSON.steps)
    assert f"Step 1 of {steps}" in reader.page.text
    assert_all_is_as_offered(reader)
    try_what_is_said(reader)
    assert f"Step 2 of {steps}" in reader.page.text
    reader.open("/plain")
    reader.follow("Continue with Boomerang Auction")
    assert reader.path == table
    reader.send("Leave the lesson")
    assert table not in [path for path, _ in reader.page.links]
    reader.open(table, 404)


def test_whoever_moves_otherwise_goes_back_to_the_step(reader: FormReader) -> None:
    try_what_is_said(reader)
    table = reader.path
    while "Back to the step" not in [form.button for form in reader.page.forms]:
        reader.open(table)
        reader.choose(random.Random(1))
    assert_all_is_as_offered(reader)
    (step,) = re.findall(r"Step \d+ of", reader.page.text)
    reader.send("Back to the step")
    assert reader.path != table and step in reader.page.text
    reader.open(table, 404)


def test_a_lesson_is_begun_once_by_a_form_and_only_where_there_is_one(
    app: Flask, reader: FormReader
) -> None:
    page = reader.open(f"/plain/new/{BOOMERANG}")
    form = reader.form("Learn by playing")
    first = reader.send("Learn by playing") and reader.path
    reader.post(form.action, form.fields)
    assert reader.path == first and page
    reader.open(f"/plain/new/{BOOMERANG}")
    reader.post(form.action, {**form.fields, "once": "0" * 32, "step": "0"}, 400)
    reader.post("/plain/new/nosuch", {**form.fields, "once": "0" * 32}, 404)
    stranger = FormReader(app)
    stranger.open(f"/plain/new/{BOOMERANG}")
    assert stranger.page.forms == []
