"""Messages at a table: who may write and read what, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.core.settings.config import Config
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import Cast, sqlite_only
from tests.support.dump import execute
from tests.support.servers.databases import disconnect
from tests.support.talking import (
    SEATS,
    SPECTATORS,
    at,
    heard,
    page,
    refused,
    resigned,
    say,
    talk,
    two,
)
from tests.support.watching import watched


def test_those_at_the_table_talk_to_each_other(cast, clock):
    game_id = cast.start()
    said = say(cast.alice, game_id, "Good luck!")
    clock.forward(1000)
    say(cast.bob, game_id, "Thanks.\nYou too!")
    assert said["you"] and said["seat"] == 0 and said["number"] == 1
    assert said["tenure"] == cast.alice.game(game_id)["tenure"]
    for person in cast.seated:
        newest, first = page(person, game_id)["messages"]
        assert (first["text"], first["name"], first["seat"]) == ("Good luck!", "Alice", 0)
        assert newest["text"] == "Thanks.\nYou too!"
        assert [each["you"] for each in (first, newest)] == [
            person is cast.alice,
            person is cast.bob,
        ]
        assert newest["at"] == "2026-11-21T10:00:01.000Z"


def test_spectators_talk_among_themselves(cast):
    game_id = cast.start()
    said = say(cast.mallory, game_id, "Who wins?", SPECTATORS)
    assert said["tenure"] is said["seat"] is None
    assert heard(cast.mallory, game_id, SPECTATORS) == ["Who wins?"]
    refused(cast.mallory, game_id, "not-seated")
    for person in cast.seated:
        refused(person, game_id, "not-spectator", SPECTATORS)


def test_talk_needs_a_sign_in(cast):
    game_id = cast.start()
    for what in ("talk", "messages?channel=spectators", "notes", "mutes"):
        cast.nobody.refused("GET", at(game_id, what), "not-signed-in")
    body = {"channel": SPECTATORS, "text": "x"}
    cast.nobody.refused("POST", at(game_id, "messages"), "not-signed-in", body)


def test_before_the_start_spectators_may_ask_the_players(cast):
    game_id = two(cast)
    say(cast.alice, game_id, "at the table")
    say(cast.carol, game_id, "May I join?", SPECTATORS)
    say(cast.alice, game_id, "Full, sorry.", SPECTATORS)
    assert heard(cast.bob, game_id, SPECTATORS) == ["May I join?", "Full, sorry."]
    refused(cast.carol, game_id, "not-seated")
    cast.alice.post(at(game_id, "start"), status=200)
    refused(cast.alice, game_id, "not-spectator", SPECTATORS)
    assert heard(cast.carol, game_id, SPECTATORS) == ["May I join?", "Full, sorry."]
    assert heard(cast.bob, game_id) == ["at the table"]


def test_who_sits_down_reads_what_was_said_before(cast):
    game_id = cast.open()
    said = say(cast.alice, game_id, "We wait for two.")
    assert said["seat"] is None
    cast.bob.post(at(game_id, "seats"), {})
    assert heard(cast.bob, game_id) == ["We wait for two."]


def test_after_the_end_players_may_use_both_channels(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "secret plans")
    say(cast.mallory, game_id, "Alice cheats.", SPECTATORS)
    cast.play(game_id)
    say(cast.alice, game_id, "Well played.")
    refused(cast.mallory, game_id, "not-seated")
    say(cast.bob, game_id, "She does not!", SPECTATORS)
    for person in (*cast.seated, cast.mallory):
        assert heard(person, game_id, SPECTATORS) == ["Alice cheats.", "She does not!"]
    assert heard(cast.carol, game_id) == ["secret plans", "Well played."]


def test_after_resigning_one_reads_only_older_messages_and_writes_nowhere(cast):
    game_id = resigned(cast)
    assert heard(cast.bob, game_id) == ["before"]
    refused(cast.bob, game_id, "not-spectator", SPECTATORS)
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "not-seated", body)
    told = talk(cast.bob, game_id)
    assert told[SEATS] == {"reads": True, "writes": False, "last": 1, "read": 0, "unread": 1}
    cast.bob.post(at(game_id, "return"), status=200)
    assert heard(cast.bob, game_id) == ["before", "after"]
    say(cast.bob, game_id, "Here I am again.")


def test_a_message_after_a_handover_is_not_shown_to_who_left(cast):
    """Even if the clocks of two machines differ, a message is never dated before the handover that it followed."""
    game_id = resigned(cast)
    clock = cast.app.extensions["tegami"].now
    clock.forward(-60_000)
    said = say(cast.alice, game_id, "from a machine whose clock is slow")
    assert said["at"] == "2026-11-21T10:00:01.000Z"
    assert heard(cast.bob, game_id) == ["before"]


def test_who_left_before_the_start_may_spectate(cast, clock):
    game_id = cast.open()
    tenure = cast.bob.post(at(game_id, "seats"), {})["tenure"]
    say(cast.alice, game_id, "Welcome!")
    clock.forward(1)
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    say(cast.alice, game_id, "Where is Bob?")
    assert heard(cast.bob, game_id) == ["Welcome!"]
    for person in (cast.carol, cast.mallory):
        person.post(at(game_id, "seats"), {})
    cast.alice.post(at(game_id, "start"), status=200)
    say(cast.bob, game_id, "Now I watch.", SPECTATORS)


def test_the_talk_of_a_private_table_is_for_those_who_may_see_it(cast):
    game_id = cast.start(private=True)
    say(cast.alice, game_id, "among friends")
    for what in ("talk", "messages?channel=seats", "messages?channel=spectators", "notes"):
        cast.mallory.refused("GET", at(game_id, what), "not-found")
    key = cast.alice.game(game_id)["invitation"]["key"]
    headers = {"Invitation": key}
    say(cast.mallory, game_id, "May I watch?", SPECTATORS, headers=headers)
    path = at(game_id, "messages?channel=seats")
    cast.mallory.refused("GET", path, "not-seated", headers=headers)


@pytest.mark.both_databases
def test_pages_go_from_new_to_old(cast):
    game_id = cast.start()
    for n in range(1, 8):
        say(cast.alice, game_id, f"{n}")
    first = page(cast.bob, game_id, more="&limit=3")
    second = page(cast.bob, game_id, more=f"&limit=3&cursor={first['next']}")
    last = page(cast.bob, game_id, more=f"&limit=3&cursor={second['next']}")
    texts = [each["text"] for got in (first, second, last) for each in got["messages"]]
    assert texts == list("7654321")
    assert last["next"] is None
    assert page(cast.bob, game_id, more="&limit=7")["next"] is None


@pytest.mark.both_databases
def test_a_repetition_adds_no_message(cast):
    game_id = cast.start()
    body = {"channel": SEATS, "text": "Hello", "once": "ab" * 8}
    path = at(game_id, "messages")
    first = cast.alice.post(path, body)
    assert cast.alice.post(path, body, 200) == first
    cast.alice.refused("POST", path, "other-message", {**body, "text": "Other"})
    cast.alice.refused("POST", path, "other-message", {**body, "channel": "spectators"})
    cast.bob.post(path, body)
    assert heard(cast.carol, game_id) == ["Hello", "Hello"]


@pytest.mark.both_databases
def test_every_script_and_emoji_is_kept_as_sent(cast):
    game_id = cast.start()
    texts = [
        "りん、いい勝負でした。",
        "👩‍👩‍👧 👍🏽",
        "<b>&amp;</b><script>",
        "'; DROP TABLE messages; --",
    ]
    texts += ["مرحبا", "e\u0301", "a\nb\n\nc", "𝒳" * 1000]
    for text in texts:
        say(cast.alice, game_id, text)
    assert heard(cast.bob, game_id) == texts


def test_a_message_keeps_the_name_of_its_time(cast):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    cast.alice.send("PATCH", "/api/me", json={"name": "Alicia"})
    say(cast.alice, game_id, "y")
    told = [each["name"] for each in page(cast.bob, game_id)["messages"]]
    assert told == ["Alicia", "Alice"]


def test_a_message_does_not_change_the_game(cast):
    game_id = cast.start()
    tags = [person.send("GET", f"/api/games/{game_id}").headers["ETag"] for person in cast.seated]
    before = cast.alice.game(game_id)
    said = say(cast.alice, game_id, "x")
    cast.bob.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.alice.delete(at(game_id, f"messages/{said['id']}"))
    assert cast.alice.game(game_id) == before
    for person, tag in zip(cast.seated, tags, strict=True):
        answer = person.send("GET", f"/api/games/{game_id}", headers={"If-None-Match": tag})
        assert answer.status_code == 304


@pytest.mark.parametrize("what", ["talk", "messages?channel=seats", "notes"])
def test_nothing_new_is_304(cast, what):
    game_id = cast.start()
    path = at(game_id, what)
    say(cast.alice, game_id, "x")
    first = cast.bob.send("GET", path)
    headers = {"If-None-Match": first.headers["ETag"]}
    again = cast.bob.send("GET", path, headers=headers)
    assert (again.status_code, again.data) == (304, b"")
    say(cast.alice, game_id, "y")
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": "z"})
    assert cast.bob.send("GET", path, headers=headers).status_code == 200


@pytest.mark.both_databases
@pytest.mark.parametrize("what", ["talk", "messages?channel=seats"])
def test_an_idle_poll_reads_a_few_rows_by_index_and_no_game(app, cast, what):
    game_id = cast.start()
    say(cast.alice, game_id, "x")
    path = at(game_id, what)
    headers = {"If-None-Match": cast.bob.send("GET", path).headers["ETag"]}
    app.extensions["tegami"].states.load = None
    with watched(app) as seen:
        assert cast.bob.send("GET", path, headers=headers).status_code == 304
        assert seen.commits == 0
        assert len(seen.statements) <= 5, seen.statements
        assert all(each.startswith("SELECT") for each in seen.statements)


# What the rules ask


@sqlite_only
@pytest.mark.parametrize(("slug", "rules_ask"), [("blame-the-magic", True), ("caravan", False)])
def test_the_talk_shows_what_the_rules_say_about_it(cast, slug, rules_ask):
    words = []
    game_id = cast.open(slug)
    for language in ("en", "ja"):
        headers = {"Accept-Language": language}
        told = cast.nobody.get(f"/api/rulesets/{slug}", headers=headers)["talk"]
        assert cast.alice.get(at(game_id, "talk"), headers=headers)["rule"] == told
        words.append(told)
    assert (words[0] is not None) == rules_ask
    assert (words[0] != words[1]) == rules_ask


# Guests


@pytest.fixture
def strict(config, runtime):
    """The application of an operator who lets only registered players talk."""
    app = create_app(replace(config, guests_talk=False), runtime)
    app.test_client_class = CheckedClient
    yield app
    disconnect(app)


@sqlite_only
def test_whether_guests_may_talk_is_a_setting(config):
    given = {"DATA_DIR": str(config.data_dir)}
    assert Config.from_environment(given).guests_talk
    assert not Config.from_environment({**given, "GUESTS_TALK": "off"}).guests_talk


def test_an_operator_may_let_only_registered_players_talk(strict):
    cast = Cast(strict)
    game_id = cast.start()
    body = {"channel": SEATS, "text": "x"}
    cast.alice.refused("POST", at(game_id, "messages"), "not-for-guests", body)
    register = "INSERT INTO accounts (player_id, handle, generation, registered_at)"
    execute(strict, f"{register} VALUES (:id, 'alice', 0, 0)", id=cast.alice.id)
    say(cast.alice, game_id, "I have registered.")
    assert heard(cast.bob, game_id) == ["I have registered."]


# The end of a table and of a person


def test_a_table_with_messages_can_be_deleted(app, cast):
    game_id = cast.open()
    said = say(cast.alice, game_id, "Nobody comes.")
    cast.mallory.send("PUT", at(game_id, "notes"), json={"text": "x"})
    cast.alice.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.bob.post(at(game_id, "seats"), {})
    bob = cast.bob.game(game_id)["tenure"]
    cast.alice.post(at(game_id, "mutes"), {"tenure": bob})
    cast.bob.post(at(game_id, f"messages/{said['id']}/reports"), {}, 204)
    cast.bob.delete(at(game_id, f"seats/{bob}"))
    cast.alice.delete(at(game_id, f"seats/{cast.alice.game(game_id)['tenure']}"))
    for table in ("messages", "notes", "read_marks", "mutes"):
        assert execute(app, f"SELECT * FROM {table}") == []
    assert execute(app, "SELECT text FROM reports") == [("Nobody comes.",)]
