"""The changes for a player, in order: the one call by which a program learns of everything."""

from __future__ import annotations

import json
import threading

import pytest

from service.core.database.database import db
from service.core.runtime.units import DAY
from service.log import changes
from service.log.table_rows.table import find
from service.operations.worker.daily_purge import purge
from service.tables.before_start import departures
from service.tables.play import moves
from tests.support.cast import BOOMERANG, CARAVAN, Person
from tests.support.dump import execute
from tests.support.in_one_go import in_one_go
from tests.support.post_office import Office

PATH = "/api/me/changes"
STREAM = f"{PATH}/stream"


class Program:
    """A program that follows the changes for its player."""

    def __init__(self, person):
        self.person = person
        self.next = person.get(PATH)["next"]

    def news(self):
        """The changes since the last call."""
        told = self.person.get(f"{PATH}?after={self.next}")
        self.next = told["next"]
        return told["changes"]

    def kinds(self):
        return [each["kind"] for each in self.news()]


def test_whoever_has_never_begun_cannot_go_on(cast):
    """Nothing was kept of what happened before, and silence would hide that."""
    cast.start(CARAVAN)
    for after in (0, 5, 0):
        cast.bob.refused("GET", f"{PATH}?after={after}", "changes-gone")
    assert cast.bob.get(PATH)["next"] == 0
    assert cast.bob.get(f"{PATH}?after=0")["changes"] == []


@in_one_go("path", [PATH, STREAM])
@in_one_go("accept", ["application/json", "text/event-stream"])
@in_one_go("last", ["abc", "", "-1", "1.0", "1234567890", "0000000001", "1,2", "١"])
def test_an_id_of_an_event_that_is_none_is_refused(cast, path, accept, last):
    cast.bob.get(PATH)
    sent = last.encode().decode("latin-1")
    headers = {"Last-Event-ID": sent, "Accept": accept}
    problem = cast.bob.refused("GET", path, "invalid-query", headers=headers)
    assert "Last-Event-ID" in problem["errors"]


def test_the_first_answer_says_only_where_to_begin(cast):
    cast.start(CARAVAN)
    told = cast.bob.get(PATH)
    assert (told["changes"], told["next"], told["more"]) == ([], 0, False)
    assert Program(cast.bob).news() == []


@pytest.mark.both_databases
def test_a_start_and_turns_are_changes_and_moves_of_others_are_not(cast):
    alice, bob = Program(cast.alice), Program(cast.bob)
    game_id = cast.start(CARAVAN)
    assert alice.kinds() == ["table", "table", "started", "turn"]
    assert bob.kinds() == ["table", "started", "turn"]
    for _ in range(8):
        person, shown = cast.asked(game_id)
        other, program = (cast.bob, bob) if person is cast.alice else (cast.alice, alice)
        before = other.game(game_id)
        person.answer(shown)
        after = other.game(game_id)
        is_new = after["asked"] != before["asked"] or not before["legal"]
        assert program.kinds() == ["turn"] * bool(after["legal"] and is_new)


def test_a_change_says_where_to_look_and_from_which_revision_on(cast):
    program = Program(cast.bob)
    game_id = cast.start(CARAVAN)
    _, started, _ = program.news()
    assert started["fetch"] == f"/api/games/{game_id}"
    assert started["game"] == game_id
    assert started["revision"] == cast.bob.get(started["fetch"])["revision"]


def test_the_end_of_a_game_is_a_change(cast):
    game_id = cast.start(CARAVAN)
    program = Program(cast.bob)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert program.kinds() == ["ended"]


@pytest.mark.both_databases
def test_proposals_and_what_they_lead_to_are_changes(cast):
    game_id = cast.start(CARAVAN, pace="steady")
    program = Program(cast.bob)
    game = cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "pause", "seconds": 3600})
    assert program.kinds() == ["proposal"]
    proposal = game["proposals"][0]["id"]
    path = f"/api/games/{game_id}/proposals/{proposal}/votes"
    cast.bob.post(path, {"agrees": True}, 200)
    assert sorted(program.kinds()) == ["pause", "proposal"]


def test_a_handover_is_a_change_for_the_table_and_for_the_former_holder(cast):
    game_id = cast.start(BOOMERANG)
    left, stayed = Program(cast.alice), Program(cast.bob)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    assert left.kinds() == ["handover"]
    assert "handover" in stayed.kinds()


def test_talk_is_a_change_for_everybody_else_who_may_read_it(cast):
    game_id = cast.start(CARAVAN)
    alice, bob, mallory = map(Program, (cast.alice, cast.bob, cast.mallory))
    path = f"/api/games/{game_id}/messages"
    message = cast.alice.post(path, {"channel": "seats", "text": "Hello"})
    (told,) = bob.news()
    assert (told["kind"], told["fetch"]) == ("message", f"/api/games/{game_id}/talk")
    assert "Hello" not in str(told)
    cast.mallory.post(path, {"channel": "spectators", "text": "Look at the other row"})
    assert alice.news() == bob.news() == mallory.news() == []
    cast.alice.send("DELETE", f"{path}/{message['id']}")
    assert bob.kinds() == ["message"]


def test_people_who_sit_down_and_who_are_removed_are_changes(cast):
    game_id = cast.open(CARAVAN)
    alice, bob = Program(cast.alice), Program(cast.bob)
    game = cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert alice.kinds() == bob.kinds() == ["table"]
    (tenure,) = (each["tenure"] for each in game["seats"] if each["name"] == "Bob")
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    assert "removed" in bob.kinds()
    assert alice.kinds() == ["table"]


def test_a_nudge_is_a_change_of_the_table(cast, clock):
    game_id = cast.start(BOOMERANG)
    asked, _ = cast.asked(game_id)
    other = next(each for each in cast.seated if each is not asked)
    nudged = Program(asked)
    clock.forward(DAY)
    other.post(f"/api/games/{game_id}/nudge", status=202)
    assert nudged.kinds() == ["table"]


def test_a_new_name_and_a_vacation_change_the_table(cast):
    cast.start(CARAVAN)
    program = Program(cast.bob)
    cast.alice.send("PATCH", "/api/me", json={"name": "Alina"})
    assert program.kinds() == ["table"]
    cast.alice.post("/api/me/vacations", {"first": "2026-12-24", "last": "2026-12-26"})
    assert program.kinds() == ["table"]


def test_an_invitation_to_a_rematch_is_a_change(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    program = Program(cast.bob)
    cast.alice.post(f"/api/games/{game_id}/rematch", {"nonce": None})
    (told,) = [each for each in program.news() if each["kind"] == "invitation"]
    assert told["fetch"] == "/api/me/invitations"
    assert cast.bob.get(told["fetch"])["invitations"][0]["game"]["id"] == told["game"]


@pytest.mark.both_databases
def test_an_invitation_by_mail_is_a_change_for_the_owner_of_the_address(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    address = cast.bob.get("/api/me")["player"]["address"]
    game_id = cast.open(CARAVAN)
    program = Program(cast.bob)
    body = {"address": address, "language": "en"}
    cast.alice.post(f"/api/games/{game_id}/invitations", body)
    assert program.news() == []
    office.deliver()
    assert program.kinds() == ["invitation"]


@pytest.mark.parametrize("end", ["withdrawn", "left", "expired", "started", "erased"])
def test_an_invitation_that_ends_is_a_change(app, cast, clock, runtime, end):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    table = cast.alice.post(f"/api/games/{game_id}/rematch", {"nonce": None})
    program, path = Program(cast.bob), f"/api/games/{table['id']}"
    if end == "withdrawn":
        (invitation,) = cast.alice.get(f"{path}/invitations")["invitations"]
        cast.alice.delete(f"{path}/invitations/{invitation['id']}")
    elif end == "left":
        cast.alice.delete(f"{path}/seats/{table['seats'][0]['tenure']}")
    elif end == "expired":
        clock.forward(15 * DAY)
        with app.app_context():
            departures.expire(runtime, table["id"])
    elif end == "started":
        cast.alice.post(f"{path}/start", {"house": True}, 200)
    else:
        cast.alice.post("/api/me/erasure", {}, 204)
    assert program.kinds()[:1] == ["invitation"]
    assert cast.bob.get("/api/me/invitations")["invitations"] == []


def test_an_invitation_by_mail_that_ends_is_a_change_for_the_owner_of_the_address(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    address = cast.bob.get("/api/me")["player"]["address"]
    game_id = cast.open(CARAVAN)
    path = f"/api/games/{game_id}/invitations"
    made = cast.alice.post(path, {"address": address, "language": "en"})
    office.deliver()
    program = Program(cast.bob)
    cast.alice.delete(f"{path}/{made['id']}")
    assert program.kinds() == ["invitation"]


def test_whoever_blocks_the_inviter_is_told_nothing_of_invitations(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    table = cast.alice.post(f"/api/games/{game_id}/rematch", {"nonce": None})
    tenure = cast.bob.game(game_id)["seats"][0]["tenure"]
    cast.bob.post("/api/me/blocks", {"game": game_id, "tenure": tenure})
    program = Program(cast.bob)
    cast.alice.delete(f"/api/games/{table['id']}/seats/{table['seats'][0]['tenure']}")
    assert program.kinds() == []


@pytest.mark.both_databases
def test_numbers_rise_by_one_and_every_page_goes_on_where_the_last_one_ended(cast):
    program = Program(cast.bob)
    games = [cast.start(CARAVAN) for _ in range(3)]
    told = cast.bob.get(f"{PATH}?after={program.next}&limit=4")
    assert told["more"] is True
    rest = cast.bob.get(f"{PATH}?after={told['next']}")
    assert rest["more"] is False
    found = told["changes"] + rest["changes"]
    assert [each["number"] for each in found] == list(range(1, len(found) + 1))
    assert [each["game"] for each in found if each["kind"] == "started"] == games


def test_a_poll_without_news_is_304(cast):
    program = Program(cast.bob)
    path = f"{PATH}?after={program.next}"
    tag = cast.bob.send("GET", path).headers["ETag"]
    assert cast.bob.send("GET", path, headers={"If-None-Match": tag}).status_code == 304
    cast.start(CARAVAN)
    assert cast.bob.send("GET", path, headers={"If-None-Match": tag}).status_code == 200


def test_nothing_is_kept_for_whoever_has_not_asked(app, cast):
    cast.start(CARAVAN)
    assert execute(app, "SELECT count(*) AS n FROM changes")[0].n == 0


@pytest.mark.parametrize("after", [1, 2**31 - 1])
def test_a_number_that_was_never_given_is_gone(cast, after):
    cast.bob.get(PATH)
    cast.bob.refused("GET", f"{PATH}?after={after}", "changes-gone")


@pytest.mark.both_databases
def test_changes_are_kept_for_30_days(app, cast, clock):
    program = Program(cast.bob)
    cast.start(CARAVAN)
    clock.forward(20 * DAY)
    cast.bob.get(PATH)
    clock.forward(11 * DAY)
    with app.app_context():
        purge(clock())
    cast.bob.refused("GET", f"{PATH}?after={program.next}", "changes-gone")
    later = Program(cast.bob)
    assert later.next == 3
    cast.start(CARAVAN)
    assert later.kinds() == ["table", "started", "turn"]


@pytest.mark.both_databases
def test_whoever_has_not_asked_for_30_days_begins_anew(app, cast, clock):
    program = Program(cast.bob)
    clock.forward(31 * DAY)
    with app.app_context():
        purge(clock())
    cast.start(CARAVAN)
    assert execute(app, "SELECT count(*) AS n FROM changes")[0].n == 0
    cast.bob.refused("GET", f"{PATH}?after={program.next}", "changes-gone")
    assert Program(cast.bob).news() == []


def test_many_who_fell_silent_are_purged_some_at_a_time(app, cast, clock):
    for person in (cast.alice, cast.bob):
        Program(person)
    cast.start(CARAVAN)
    clock.forward(31 * DAY)
    with app.app_context():
        for _ in range(8):
            if not changes.purge(clock(), 1):
                break
    assert execute(app, "SELECT count(*) AS n FROM listeners WHERE read_at IS NOT NULL")[0].n == 0
    assert execute(app, "SELECT count(*) AS n FROM changes")[0].n == 0


def test_an_erased_player_leaves_no_changes(app, cast):
    Program(cast.bob)
    cast.start(CARAVAN)
    browser = Person(app)
    browser.post("/api/sign-ins", {"key": cast.bob.key})
    browser.post("/api/me/erasure", {}, 204)
    for table in ("changes", "listeners"):
        assert execute(app, f"SELECT count(*) AS n FROM {table}")[0].n == 0


@pytest.mark.both_databases
def test_changes_of_many_games_at_once_are_numbered_without_a_gap(app, cast):
    """Games commit for the same people: nobody waits forever, and no number is skipped."""
    programs = [Program(person) for person in cast.seated]
    games = [cast.start(BOOMERANG) for _ in range(4)]
    failed = []

    def talk(game_id, number):
        person = Person(app)
        person.headers = dict(cast.bob.headers)
        for n in range(6):
            body = {"channel": "seats", "text": f"{number} {n}"}
            answer = person.send("POST", f"/api/games/{game_id}/messages", json=body)
            if answer.status_code != 201:
                failed.append(answer.get_data(as_text=True))

    threads = [
        threading.Thread(target=talk, args=each) for each in zip(games, range(4), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    found = programs[0].news()
    assert sum(each["kind"] == "message" for each in found) == 24
    assert [each["number"] for each in found] == list(range(1, len(found) + 1))


@pytest.mark.both_databases
def test_whoever_begins_to_listen_while_a_move_is_worked_out_is_told_of_it(app, cast):
    """The move was read before somebody listened; its commit finds that the table has changed since."""
    game_id, services = cast.start(CARAVAN), app.extensions["tegami"]
    person, shown = cast.asked(game_id)
    other = cast.bob if person is cast.alice else cast.alice
    with app.app_context():
        read = find(game_id)
        db.session.rollback()
    program = Program(other)
    with app.app_context():
        action = shown["legal"][0]["action"]
        played = moves.play(services, read, person.id, shown["asked"], action)
        assert played.new
        assert all(each.listens == (each.player_id == other.id) for each in played.table.people)
    before, after = (
        {each.player_id: each.asked for each in table.holders} for table in (read, played.table)
    )
    assert program.kinds() == ["turn"] * (before[other.id] != after[other.id])


def stream(person, query="", **headers):
    """The fields of the events of a stream, and the ms after which to reconnect; the older operation sends the same."""
    answer = person.send("GET", f"{STREAM}{query}", headers=headers)
    older = {"Accept": "text/event-stream", **headers}
    before = person.send("GET", f"{PATH}{query}", headers=older)
    assert (before.data, before.mimetype) == (answer.data, answer.mimetype)
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    retry, *events = answer.get_data(as_text=True).removesuffix("\n\n").split("\n\n")
    found = [dict(line.split(": ", 1) for line in each.split("\n")) for each in events]
    return found, int(retry.removeprefix("retry: "))


def test_server_sent_events_are_the_changes_in_order(cast):
    ((begin,), retry) = stream(cast.bob)
    assert (begin["event"], begin["id"]) == ("begin", "0")
    cast.start(CARAVAN)
    found, retry = stream(cast.bob, "?after=0")
    told = cast.bob.get(f"{PATH}?after=0")["changes"]
    assert [json.loads(each["data"]) for each in found] == told
    assert [each["event"] for each in found] == [each["kind"] for each in told]
    assert retry < 1000


def test_a_program_comes_back_to_a_stream_where_it_was(cast):
    stream(cast.bob)
    cast.start(CARAVAN)
    found, _ = stream(cast.bob, **{"Last-Event-ID": "1"})
    assert [each["id"] for each in found] == ["2", "3"]
    found, _ = stream(cast.bob, "?after=0", **{"Last-Event-ID": "3"})
    assert found == [{"": "nothing new"}]
    answer = cast.bob.send("GET", PATH, headers={"Accept": "*/*"})
    assert answer.mimetype == "application/json"
    for accept in ("*/*", "application/json", "text/html"):
        answer = cast.bob.send("GET", STREAM, headers={"Accept": accept})
        assert answer.mimetype == "text/event-stream"


def test_every_kind_has_an_address():
    assert all(each.startswith("/api/") for each in changes.KINDS.values())
