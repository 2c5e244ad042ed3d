"""Messages, notes, blocks and reports in the export, and in the erasure."""

from __future__ import annotations

import pytest

from service import personal_data
from service.core.database.database import transaction
from service.people.circles import blocks
from service.tables.talk import messages, mutes, private_notes, read_marks, reported_messages
from tests.support.dump import dump
from tests.support.talking import SEATS, at, page, say

pytestmark = pytest.mark.both_databases


@pytest.fixture
def game_id(cast):
    return cast.start()


def place(person, game_id):
    return person.game(game_id)["tenure"]


def report(person, game_id, message, **body):
    person.post(at(game_id, f"messages/{message['id']}/reports"), body, 204)


def test_the_export_holds_messages_notes_blocks_and_reports(app, cast, runtime, game_id):
    say(cast.bob, game_id, "mine")
    report(cast.bob, game_id, say(cast.alice, game_id, "hers"), why="no reason")
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": "a note"})
    cast.bob.post("/api/me/blocks", {"game": game_id, "tenure": place(cast.carol, game_id)})
    with app.app_context():
        whole = personal_data.export(runtime, cast.bob.id)
    told = {name: whole[name] for name in ("messages", "notes", "blocks", "reports")}
    when = "2026-11-21T10:00:00.000Z"
    assert told == {
        "messages": [{"game": game_id, "channel": SEATS, "text": "mine", "at": when}],
        "notes": [{"game": game_id, "text": "a note", "at": when}],
        "blocks": [{"name": "Carol", "at": when}],
        "reports": [{"game": game_id, "text": "hers", "why": "no reason", "at": when}],
    }


def test_of_an_erased_player_placeholders_stay(app, cast, game_id):
    say(cast.bob, game_id, "mine")
    report(cast.carol, game_id, say(cast.bob, game_id, "rude"))
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": "a note"})
    cast.bob.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.carol.post("/api/me/blocks", {"game": game_id, "tenure": place(cast.bob, game_id)})
    with app.app_context(), transaction():
        messages.erase(cast.bob.id, 1)
        for noun in (reported_messages, blocks, read_marks, private_notes, mutes):
            noun.erase(cast.bob.id)
    for mark in page(cast.alice, game_id)["messages"]:
        assert (mark["text"], mark["hidden"], mark["you"]) == (None, True, False)
        assert mark["name"] != "Bob"
    stored = dump(app)
    for table in ("notes", "read_marks", "blocks"):
        assert stored[table] == []
    assert cast.bob.id not in repr([stored[each] for each in ("messages", "reports")])
    with app.app_context():
        (kept,) = reported_messages.list_reports()
    assert kept.text == "rude"
