"""The talk of a circle: who reads, hides and reports what."""

from __future__ import annotations

import pytest

from service.operations.commands import reported_messages as command
from service.tables.talk import reported_messages
from tests.support.circles import found, join, member, path
from tests.support.dump import execute
from tests.support.proposing import registered
from tests.support.talking import two

ONCE = "0123456789abcdef"


@pytest.fixture
def circle_id(cast):
    """A circle of Alice, with Bob and Carol."""
    registered(*cast.everybody)
    return found(cast.alice, cast.bob, cast.carol)


def say(person, circle_id, text, status=201, **more):
    return person.post(path(circle_id, "messages"), {"text": text, **more}, status)


def heard(person, circle_id, query=""):
    page = person.get(path(circle_id, f"messages{query}"))
    return [each["text"] for each in page["messages"]]


def unread(person, circle_id):
    (mine,) = person.get("/api/me/circles")["circles"]
    assert mine["unread"] == person.get(path(circle_id))["unread"]
    return mine["unread"]


@pytest.mark.both_databases
def test_members_talk_and_see_how_much_is_new(cast, circle_id):
    first = say(cast.alice, circle_id, "Who plays?")
    say(cast.bob, circle_id, "I do.")
    assert heard(cast.carol, circle_id) == ["I do.", "Who plays?"]
    assert (first["name"], first["number"], first["you"]) == ("Alice", 1, True)
    assert [unread(each, circle_id) for each in cast.seated] == [1, 1, 2]
    cast.carol.put(path(circle_id, "mark"), {"number": 99}, 204)
    cast.carol.put(path(circle_id, "mark"), {"number": 1}, 204)
    assert unread(cast.carol, circle_id) == 0
    say(cast.bob, circle_id, "Nobody else?")
    assert unread(cast.carol, circle_id) == 1


@pytest.mark.both_databases
def test_whoever_joins_later_has_read_what_was_said_before(cast, circle_id):
    say(cast.alice, circle_id, "Who plays?")
    say(cast.bob, circle_id, "I do.")
    join(cast.mallory, cast.alice.get(path(circle_id)))
    assert unread(cast.mallory, circle_id) == 0
    assert heard(cast.mallory, circle_id) == ["I do.", "Who plays?"]
    say(cast.bob, circle_id, "Who else?")
    assert unread(cast.mallory, circle_id) == 1


@pytest.mark.both_databases
def test_a_host_hides_and_reports_what_people_say_whom_they_have_blocked(app, cast, circle_id):
    game_id = two(cast)
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    said = [say(cast.bob, circle_id, text)["id"] for text in ("rude words", "ruder words")]
    cast.alice.post("/api/me/blocks", body)
    cast.alice.post(path(circle_id, f"messages/{said[0]}/reports"), {}, 204)
    cast.alice.delete(path(circle_id, f"messages/{said[1]}"))
    assert heard(cast.carol, circle_id) == [None, "rude words"]
    with app.app_context():
        assert [each.text for each in reported_messages.list_reports()] == ["rude words"]


def test_a_message_that_is_sent_again_is_posted_once(cast, circle_id):
    made = say(cast.alice, circle_id, "Who plays?", once=ONCE)
    assert say(cast.alice, circle_id, "Who plays?", 200, once=ONCE) == made
    body = {"text": "Something else", "once": ONCE}
    cast.alice.refused("POST", path(circle_id, "messages"), "other-message", body)
    say(cast.bob, circle_id, "I do.", once=ONCE)
    assert heard(cast.bob, circle_id) == ["I do.", "Who plays?"]


def test_talk_is_listed_by_page(cast, circle_id):
    for text in ("one", "two", "three"):
        say(cast.alice, circle_id, text)
    first = cast.bob.get(path(circle_id, "messages?limit=2"))
    assert heard(cast.bob, circle_id, f"?limit=2&cursor={first['next']}") == ["one"]


@pytest.mark.both_databases
def test_messages_of_people_one_has_blocked_are_left_out_for_oneself_alone(cast, circle_id):
    game_id = two(cast)
    say(cast.bob, circle_id, "Hello")
    say(cast.alice, circle_id, "Hello Bob")
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    assert heard(cast.alice, circle_id) == ["Hello Bob"]
    assert unread(cast.alice, circle_id) == 0
    for person in (cast.bob, cast.carol):
        assert heard(person, circle_id) == ["Hello Bob", "Hello"]


def test_the_host_alone_hides_messages(cast, circle_id):
    said = say(cast.bob, circle_id, "rude words")
    hidden = path(circle_id, f"messages/{said['id']}")
    cast.carol.refused("DELETE", hidden, "not-host")
    cast.mallory.refused("DELETE", hidden, "not-found")
    cast.alice.delete(hidden)
    assert heard(cast.bob, circle_id) == [None]
    assert unread(cast.carol, circle_id) == 0


@pytest.mark.both_databases
def test_the_operator_sees_reported_messages_and_can_hide_them(app, runtime, cast, circle_id):
    said = say(cast.bob, circle_id, "rude words")
    reports = path(circle_id, f"messages/{said['id']}/reports")
    before = cast.bob.get(path(circle_id, "messages"))
    for _ in range(2):
        cast.carol.post(reports, {"why": "Not nice"}, 204)
    cast.mallory.refused("POST", reports, "not-found", {})
    assert cast.bob.get(path(circle_id, "messages")) == before
    with app.app_context():
        (report,) = reported_messages.list_reports()
        shown = "\n".join(command.lines(report))
        reported_messages.close(runtime, report.id, hide=True)
    assert f"circle of {circle_id}" in shown
    assert "Bob said:" in shown and "| rude words" in shown and "Not nice" in shown
    assert heard(cast.carol, circle_id) == [None]


def test_whoever_is_removed_reads_no_more_and_their_messages_stay(app, cast, circle_id):
    say(cast.bob, circle_id, "Hello")
    circle = cast.alice.get(path(circle_id))
    cast.alice.delete(path(circle_id, f"members/{member(circle, 'Bob')}"))
    say(cast.alice, circle_id, "He is gone")
    cast.bob.refused("GET", path(circle_id, "messages"), "not-found")
    assert heard(cast.carol, circle_id) == ["He is gone", "Hello"]
    join(cast.mallory, cast.alice.get(path(circle_id)))
    assert heard(cast.mallory, circle_id) == ["He is gone", "Hello"]
    assert execute(app, "SELECT COUNT(*) AS n FROM circle_messages")[0].n == 2
