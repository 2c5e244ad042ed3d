"""What the host, anybody and the operator may do about what is said."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from service import reports, said
from service.cli import main
from service.database import db, transaction
from tests.service.dump import dump, execute
from tests.service.talking import SEATS, SPECTATORS, at, heard, page, resigned, say, talk


@pytest.fixture
def game_id(cast):
    return cast.start()


def place(person, game_id):
    return person.game(game_id)["tenure"]


# Hiding


def test_the_host_hides_a_message_and_a_mark_stays(cast, game_id):
    message = say(cast.bob, game_id, "rude words")
    say(cast.carol, game_id, "next")
    path = at(game_id, f"messages/{message['id']}")
    for person in (cast.bob, cast.carol):
        person.refused("DELETE", path, "not-host")
    for _ in range(2):
        cast.alice.delete(path)
    for person in cast.seated:
        mark = page(person, game_id)["messages"][1]
        assert (mark["hidden"], mark["text"], mark["name"]) == (True, None, "Bob")
        assert heard(person, game_id) == [None, "next"]


def test_nobody_learns_whether_there_is_a_message_that_is_not_theirs_to_read(cast, game_id):
    message = say(cast.bob, game_id, "x")
    aside = say(cast.mallory, game_id, "y", SPECTATORS)
    nothing = "m_" + "0" * 22
    for person, other in ((cast.mallory, message), (cast.alice, aside)):
        for kind, method, tail in (("DELETE", "DELETE", ""), ("report", "POST", "/reports")):
            told = [
                person.send(method, at(game_id, f"messages/{each}{tail}"), json={})
                for each in (other["id"], nothing)
            ]
            assert [each.status_code for each in told] == [404, 404], kind
            assert told[0].data == told[1].data
        for path, body in ((at(game_id, "mutes"), {}), ("/api/me/blocks", {"game": game_id})):
            if person is cast.alice or "blocks" in path:
                person.refused("POST", path, "not-found", {**body, "message": other["id"]})


def test_a_message_belongs_to_its_table(cast, game_id):
    message, other = say(cast.bob, game_id, "x"), cast.start()
    cast.alice.refused("DELETE", at(other, f"messages/{message['id']}"), "not-found")
    body = {"tenure": place(cast.bob, game_id)}
    cast.alice.refused("POST", at(other, "mutes"), "not-found", body)
    assert heard(cast.bob, game_id) == ["x"]


def test_the_host_hides_what_spectators_said_when_the_game_is_over(cast, game_id):
    message = say(cast.mallory, game_id, "x", SPECTATORS)
    path = at(game_id, f"messages/{message['id']}")
    cast.alice.refused("DELETE", path, "not-found")
    cast.mallory.refused("DELETE", path, "not-host")
    cast.play(game_id)
    cast.alice.delete(path)
    assert heard(cast.mallory, game_id, SPECTATORS) == [None]


# Muting


def test_a_muted_person_reads_and_plays_but_does_not_write(cast, game_id):
    say(cast.alice, game_id, "x")
    mute = cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)})
    assert mute["name"] == "Bob"
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    assert talk(cast.bob, game_id)[SEATS]["writes"] is False
    assert heard(cast.bob, game_id) == ["x"]
    again = cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)}, 200)
    assert again == mute
    assert cast.alice.get(at(game_id, "mutes"))["mutes"] == [mute]
    say(cast.bob, cast.start(), "Elsewhere I may.")
    cast.alice.delete(at(game_id, f"mutes/{mute['id']}"))
    say(cast.bob, game_id, "Thank you.")
    cast.alice.refused("DELETE", at(game_id, f"mutes/{mute['id']}"), "not-found")


def test_only_the_host_mutes(cast, game_id):
    body = {"tenure": place(cast.alice, game_id)}
    for person in (cast.bob, cast.mallory):
        person.refused("POST", at(game_id, "mutes"), "not-host", body)
        person.refused("GET", at(game_id, "mutes"), "not-host")
        person.refused("DELETE", at(game_id, f"mutes/s_{'0' * 22}"), "not-host")


def test_a_spectator_is_muted_by_what_was_said(cast, game_id):
    message = say(cast.mallory, game_id, "x", SPECTATORS)
    cast.play(game_id)
    cast.alice.post(at(game_id, "mutes"), {"message": message["id"]})
    body = {"channel": SPECTATORS, "text": "y"}
    cast.mallory.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    assert heard(cast.mallory, game_id, SPECTATORS) == ["x"]


def test_neither_oneself_nor_a_house_player_is_meant(cast):
    game_id = cast.open(house=1)
    house = cast.alice.game(game_id)["seats"][1]["tenure"]
    own = say(cast.alice, game_id, "x")["id"]
    for body in ({"tenure": house}, {"tenure": place(cast.alice, game_id)}, {"message": own}):
        cast.alice.refused("POST", at(game_id, "mutes"), "not-found", body)
        cast.alice.refused("POST", "/api/me/blocks", "not-found", {"game": game_id, **body})


def test_a_mute_outlasts_the_seat(cast):
    game_id = cast.start()
    cast.alice.post(at(game_id, "mutes"), {"tenure": place(cast.bob, game_id)})
    cast.bob.post(at(game_id, "resignation"), status=200)
    cast.bob.post(at(game_id, "return"), status=200)
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)


# Reporting


def report(person, game_id, message, **body):
    person.post(at(game_id, f"messages/{message['id']}/reports"), body, 204)


def test_the_operator_reads_what_was_reported(app, cast, game_id):
    message = say(cast.bob, game_id, "rude\nwords")
    report(cast.carol, game_id, message, why="This is rude.")
    report(cast.carol, game_id, message, why="Again.")
    cast.alice.delete(at(game_id, f"messages/{message['id']}"))
    report(cast.alice, game_id, message)
    with app.app_context():
        first, second = reports.reports()
    assert (first.text, first.author, first.reporter) == ("rude\nwords", "Bob", "Carol")
    assert (first.why, first.game_id, first.channel) == ("This is rude.", game_id, SEATS)
    assert (second.reporter, second.why) == ("Alice", None)


@pytest.fixture
def operator(config):
    """Runs `tegami reports` with these words over the database of the test."""
    env = {"DATABASE_URL": config.database_url, "DATA_DIR": str(config.data_dir)}

    def run(*words):
        return CliRunner().invoke(main, ["reports", *words], env=env)

    return run


def test_the_operator_lists_and_closes_reports(app, cast, game_id, operator):
    message = say(cast.bob, game_id, "rude\n  r_fake of now by Nobody")
    report(cast.carol, game_id, message, why="This is rude.")
    told = operator("list").output
    assert "1 in all" in told and "Bob said" in told and "    | This is rude." in told
    assert "    | rude\n    |   r_fake of now by Nobody" in told
    ((report_id,),) = execute(app, "SELECT id FROM reports")
    assert operator("close", report_id, "--hide").exit_code == 0
    assert heard(cast.carol, game_id) == [None]
    assert operator("list").output == "0 in all\n"
    assert "1 in all" in operator("list", "--all").output
    refused = operator("close", "r_nothing")
    assert refused.exit_code == 1 and "There is no report r_nothing." in refused.output


def test_closed_reports_are_purged_and_open_ones_stay(app, cast, game_id):
    for text in ("x", "y"):
        report(cast.carol, game_id, say(cast.bob, game_id, text))
    execute(app, "UPDATE reports SET closed_at = 5 WHERE text = 'x'")
    with app.app_context():
        assert [reports.purge(before) for before in (5, 6)] == [0, 1]
    assert execute(app, "SELECT text FROM reports") == [("y",)]


# Going


def test_a_person_is_handed_all_they_said(app, cast, game_id):
    say(cast.bob, game_id, "mine")
    report(cast.bob, game_id, say(cast.alice, game_id, "hers"), why="no reason")
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": "a note"})
    cast.bob.post("/api/me/blocks", {"game": game_id, "tenure": place(cast.carol, game_id)})
    with app.app_context():
        told = said.export(cast.bob.id)
    when = "2026-11-21T10:00:00.000Z"
    assert told == {
        "messages": [{"game": game_id, "channel": SEATS, "text": "mine", "at": when}],
        "notes": [{"game": game_id, "text": "a note", "at": when}],
        "blocks": [{"name": "Carol", "at": when}],
        "reports": [{"game": game_id, "text": "hers", "why": "no reason", "at": when}],
    }


def test_of_an_erased_person_a_mark_stays(app, cast, game_id):
    say(cast.bob, game_id, "mine")
    report(cast.carol, game_id, say(cast.bob, game_id, "rude"))
    cast.bob.send("PUT", at(game_id, "notes"), json={"text": "a note"})
    cast.bob.send("PUT", at(game_id, "marks"), json={"channel": SEATS, "number": 1})
    cast.carol.post("/api/me/blocks", {"game": game_id, "tenure": place(cast.bob, game_id)})
    with app.app_context(), transaction():
        said.forget(cast.bob.id, 1)
    for mark in page(cast.alice, game_id)["messages"]:
        assert (mark["text"], mark["hidden"], mark["you"]) == (None, True, False)
        assert mark["name"] != "Bob"
    stored = dump(app)
    for table in ("notes", "read_marks", "blocks"):
        assert stored[table] == []
    assert cast.bob.id not in repr([stored[each] for each in ("messages", "reports")])
    with app.app_context():
        (kept,) = reports.reports()
        db.session.rollback()
    assert kept.text == "rude"


def test_who_has_resigned_may_report_what_was_said_before(cast):
    game_id = resigned(cast)
    after, before = page(cast.carol, game_id)["messages"]
    report(cast.bob, game_id, before)
    path = at(game_id, f"messages/{after['id']}/reports")
    cast.bob.refused("POST", path, "not-found", {})
