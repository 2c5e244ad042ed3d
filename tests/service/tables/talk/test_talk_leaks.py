"""Nobody learns of messages that they may not read, not even by counting: their responses stay the same."""

from __future__ import annotations

import json

import pytest

from tests.support.cast import Person
from tests.support.talking import SEATS, SPECTATORS, at, resigned, say

SECRET = "the-secret-plan"
EVERYWHERE = (
    "/api/games/{}",
    "/api/games/{}/events",
    "/api/games/{}/talk",
    "/api/games/{}/messages?channel=seats",
    "/api/games/{}/messages?channel=seats&limit=1",
    "/api/games/{}/messages?channel=spectators",
    "/api/games/{}/notes",
    "/api/games/{}/mutes",
    "/api/games/{}/clock",
    "/api/games/{}/proposals",
    "/api/games",
    "/api/games?mine=true",
    "/api/me/unread",
    "/api/me/turns",
    "/api/me/blocks",
)


def all_told(person: Person, game_id: str) -> list[tuple[int, dict[str, str], str]]:
    """Every response that this person can get, with its headers."""
    answers = [person.send("GET", path.format(game_id)) for path in EVERYWHERE]
    return [(each.status_code, dict(each.headers), each.text) for each in answers]


def chatter(cast, person, game_id, channel):
    """Messages are posted, read, reported and hidden, and notes are written."""
    path = at(game_id, "messages")
    for n in range(3):
        said = say(person, game_id, f"{SECRET} {n}", channel)
        person.post(f"{path}/{said['id']}/reports", {"why": SECRET}, 204)
    person.send("PUT", at(game_id, "marks"), json={"channel": channel, "number": 2})
    person.send("PUT", at(game_id, "notes"), json={"text": SECRET})
    if person is cast.alice:
        person.delete(f"{path}/{said['id']}")


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_spectators_learn_nothing_of_the_talk_of_players(cast, over):
    game_id = cast.start()
    if over:
        cast.play(game_id)
    say(cast.mallory, game_id, "own words", SPECTATORS)
    onlookers = (cast.mallory, Person(cast.app, "Dora"), cast.nobody)
    before = [all_told(person, game_id) for person in onlookers]
    chatter(cast, cast.alice, game_id, SEATS)
    assert [all_told(person, game_id) for person in onlookers] == before
    aside = say(cast.mallory, game_id, "the next", SPECTATORS)
    assert aside["number"] == 2


def test_players_learn_nothing_of_the_talk_of_spectators(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "own words")
    before = [all_told(person, game_id) for person in cast.seated]
    chatter(cast, cast.mallory, game_id, SPECTATORS)
    assert [all_told(person, game_id) for person in cast.seated] == before
    assert say(cast.bob, game_id, "the next")["number"] == 2


def test_who_has_left_learns_nothing_of_later_talk(cast):
    game_id = resigned(cast)
    before = all_told(cast.bob, game_id)
    chatter(cast, cast.alice, game_id, SEATS)
    chatter(cast, cast.mallory, game_id, SPECTATORS)
    assert all_told(cast.bob, game_id) == before
    assert "before" in before[3][2]


def test_read_marks_and_notes_are_not_shown_to_others(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    before = all_told(cast.alice, game_id)
    cast.bob.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": SECRET})
    assert all_told(cast.alice, game_id) == before


def test_a_report_is_not_shown_to_anybody_at_the_table(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, "x")
    before = [all_told(person, game_id) for person in cast.seated]
    cast.carol.post(at(game_id, f"messages/{said['id']}/reports"), {"why": SECRET}, 204)
    assert [all_told(person, game_id) for person in cast.seated] == before


def test_the_text_of_a_hidden_message_is_nowhere(cast):
    game_id = cast.start()
    said = say(cast.bob, game_id, SECRET)
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    again = {"channel": SEATS, "text": "y", "once": "ab" * 8}
    cast.bob.post(at(game_id, "messages"), again)
    for person in (*cast.seated, cast.mallory, cast.nobody):
        assert SECRET not in json.dumps(all_told(person, game_id))


def test_a_repetition_shows_no_hidden_text(cast):
    game_id = cast.start()
    body = {"channel": SEATS, "text": SECRET, "once": "ab" * 8}
    said = cast.bob.post(at(game_id, "messages"), body)
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    assert cast.bob.post(at(game_id, "messages"), body, 200)["text"] is None


def test_the_record_of_a_game_holds_no_talk(cast):
    game_id = cast.start()
    say(cast.alice, game_id, SECRET)
    cast.play(game_id)
    assert SECRET not in json.dumps(cast.alice.get(at(game_id, "record")))
