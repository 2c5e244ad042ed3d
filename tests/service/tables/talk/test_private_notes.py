"""Private notes: for each game, and only for their writer."""

from __future__ import annotations

import pytest

from service.web.api.games.talk_schemas import LONGEST_NOTE
from tests.support.talking import at

TEXTS = (
    "りんさんは9が好き",
    "  two spaces\n\tand a tab \n",
    "<b>&",
    "👩‍👩‍👧",
    "x" * LONGEST_NOTE,
    "",
)


def write(person, game_id, text):
    answer = person.send("PUT", at(game_id, "notes"), json={"text": text})
    assert answer.status_code == 200, answer.json
    return answer.json


def read(person, game_id):
    return person.get(at(game_id, "notes"))


@pytest.mark.both_databases
def test_notes_are_kept_as_they_were_written(cast, clock):
    game_id = cast.start()
    assert read(cast.alice, game_id) == {"text": "", "changed_at": None}
    for text in TEXTS:
        clock.forward(1000)
        told = write(cast.alice, game_id, text)
        assert told["text"] == text
        assert read(cast.alice, game_id) == told
    assert told["changed_at"] == "2026-11-21T10:00:06.000Z"


def test_nobody_else_reads_them(cast):
    game_id, other = cast.start(), cast.start()
    write(cast.alice, game_id, "mine alone")
    for person in (cast.bob, cast.carol, cast.mallory):
        assert read(person, game_id)["text"] == ""
    assert read(cast.alice, other)["text"] == ""
    write(cast.mallory, game_id, "of one who looks on")
    assert read(cast.alice, game_id)["text"] == "mine alone"
    cast.nobody.refused("GET", at(game_id, "notes"), "not-signed-in")
    cast.nobody.refused("PUT", at(game_id, "notes"), "not-signed-in", {"text": "x"})


def test_notes_need_a_table_that_is_visible(cast):
    game_id = cast.start(private=True)
    cast.mallory.refused("GET", at(game_id, "notes"), "not-found")
    cast.mallory.refused("PUT", at(game_id, "notes"), "not-found", {"text": "x"})
    write(cast.bob, game_id, "x")


def test_notes_stay_after_resigning(cast):
    game_id = cast.start(private=True)
    write(cast.bob, game_id, "x")
    cast.bob.post(at(game_id, "resignation"), status=200)
    assert read(cast.bob, game_id)["text"] == "x"
