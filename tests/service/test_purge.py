"""The daily purge: what goes, what stays, and that it is done once a day by one worker."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from service import admissions, outbox, people, purge, reports, tallies
from service.database import db, transaction
from service.models import Credential, Player
from service.models_mail import Outbox
from service.models_people import Admission, Tally
from service.models_talk import Report
from service.purge import DAY, GUESTS, KEYS, MAILS, REPORTS, Daily
from tests.service.accounts import Bag, register
from tests.service.cast import CARAVAN, START, Person
from tests.service.dump import dump, execute
from tests.service.hours import hours

__all__ = ["hours"]

HOUR = 3_600_000


@pytest.fixture
def purge_at(app):
    def do(at):
        with app.app_context():
            return purge.purge(at)

    return do


@pytest.fixture
def forget(app, outside, clock):
    """Forget the guests that may be forgotten at a time; their number."""

    def do(at, most=100):
        clock.at = at
        with app.app_context():
            return purge.forget_guests(outside, most)

    return do


def names(app, column):
    with app.app_context():
        return set(db.session.scalars(select(column)))


def write_mails(app, outside):
    """One mail for every way to stand in the outbox, all due at the start."""
    with app.app_context():
        for key in ("sent", "failed", "waiting", "sign-in", "reset", "sign-in waiting"):
            kind = key.split()[0] if key.startswith(("sign-in", "reset")) else "turn"
            with transaction():
                outbox.put(outside, kind, key, run_at=START, data={"who": "alice@example.org"})
    done = "UPDATE outbox SET done_at = :at, outcome = 'sent' WHERE key IN "
    execute(app, done + "('sent', 'failed', 'sign-in', 'reset')", at=START)


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (KEYS, {"sent", "failed", "waiting", "sign-in", "reset", "sign-in waiting"}),
        (KEYS + 1, {"sent", "failed", "waiting"}),
        (MAILS, {"sent", "failed", "waiting"}),
        (MAILS + 1, set()),
    ],
)
def test_mails_go_after_a_month_and_those_with_keys_after_a_day(
    app, outside, purge_at, after, left
):
    write_mails(app, outside)
    went = purge_at(START + after).mails
    assert names(app, Outbox.key) == left
    assert went == 6 - len(left)


def test_a_mail_that_is_not_due_yet_stays(app, outside, purge_at):
    with app.app_context(), transaction():
        outbox.put(outside, "reminder", "in a year", run_at=START + 365 * DAY)
    assert purge_at(START + 90 * DAY).mails == 0


def test_sign_ins_go_when_they_have_ended_or_the_browser_has_forgotten_them(app, cast, purge_at):
    cast.carol.delete("/api/sign-ins/current")
    assert purge_at(START + DAY).credentials == 0
    assert purge_at(START + DAY + 1).credentials == 1
    cast.alice.get("/api/me")
    cast.carol.refused("GET", "/api/me", "not-signed-in")
    forgotten = START + 1000 * people.COOKIE_AGE
    assert purge_at(forgotten).credentials == 0
    purge_at(forgotten + 1)
    assert names(app, Credential.kind) == {"link", "token"}
    cast.alice.refused("GET", "/api/me", "not-signed-in")
    cast.bob.get("/api/me")  # a program's token does not run out


def test_invitation_codes_and_tallies_go_when_they_end(app, outside, purge_at):
    limit = tallies.Limit("test", 3, 2 * HOUR)
    with app.app_context():
        admissions.make(outside, days=1)
        tallies.count(outside, b"x", [tallies.Try(limit, "somebody")])
    before = purge_at(START + 2 * HOUR - 1)
    assert (before.tallies, before.admissions) == (0, 0)
    assert purge_at(START + 2 * HOUR).tallies == 1
    assert purge_at(START + DAY - 1).admissions == 0
    assert purge_at(START + DAY).admissions == 1
    assert names(app, Admission.digest) == names(app, Tally.digest) == set()


def test_reports_go_some_time_after_they_were_closed(app, cast, outside, purge_at):
    game_id = cast.start(CARAVAN)
    at = f"/api/games/{game_id}/messages"
    for text in ("rude", "ruder"):
        said = cast.bob.post(at, {"channel": "seats", "text": text})
        cast.alice.post(f"{at}/{said['id']}/reports", {}, status=204)
    with app.app_context():
        first, second = reports.reports()
        reports.close(outside, first.id, hide=False)
    assert purge_at(START + REPORTS).reports == 0
    assert purge_at(START + REPORTS + 1).reports == 1
    assert names(app, Report.id) == {second.id}


def test_guests_who_never_played_are_forgotten(app, cast, forget):
    cast.alice.get("/api/me")
    assert forget(START + GUESTS) == 0
    assert forget(START + GUESTS + 1) == 4
    assert names(app, Player.id) == names(app, Credential.player_id) == set()
    cast.alice.refused("GET", "/api/me", "not-signed-in")


def test_who_sits_has_played_has_registered_or_was_here_stays(app, cast, clock, forget):
    open_id = cast.open()
    register(Bag(app), cast.carol, "carol")
    clock.forward(GUESTS)
    cast.mallory.get("/api/me")
    left = Person(app, "Dora")
    table = cast.open(CARAVAN)
    tenure = left.post(f"/api/games/{table}/seats", {})["seats"][1]["tenure"]
    assert forget(START + GUESTS + 1) == 1  # bob
    assert names(app, Player.name) == {"Alice", "Carol", "Mallory", "Dora"}
    assert cast.alice.game(open_id)["seats"][0]["name"] == "Alice"
    left.delete(f"/api/games/{table}/seats/{tenure}")
    assert forget(START + 2 * GUESTS + HOUR) == 2  # who got up before the start never played
    assert names(app, Player.name) == {"Alice", "Carol"}


def test_who_has_played_stays_after_the_end(app, cast, clock, forget):
    game_id = cast.start(CARAVAN)
    cast.play(game_id)
    before = cast.alice.game(game_id)
    assert forget(START + 12 * GUESTS) == 2  # carol and mallory
    clock.at = START
    assert cast.alice.game(game_id) == before


def test_what_a_forgotten_guest_said_is_taken_back(app, cast, forget):
    game_id = cast.start(CARAVAN)
    cast.mallory.post(
        f"/api/games/{game_id}/messages", {"channel": "spectators", "text": "I see you"}
    )
    assert forget(START + GUESTS + 1) == 2
    assert "I see you" not in str(dump(app))
    eve = Person(app, "Eve")
    (told,) = eve.get(f"/api/games/{game_id}/messages?channel=spectators")["messages"]
    assert told["hidden"]


def test_guests_are_forgotten_a_few_at_a_time_and_the_oldest_first(app, cast, clock, forget):
    cast.alice.get("/api/me")
    clock.forward(1)
    Person(app, "Eve")
    assert forget(START + GUESTS + 2, most=3) == 3
    assert forget(START + GUESTS + 2, most=3) == 2
    assert forget(START + GUESTS + 2, most=3) == 0


def test_it_is_done_once_a_day_by_one_worker(app, outside, clock):
    clock.at = START
    one, other = Daily(outside), Daily(outside)

    def looks():
        with app.app_context(), transaction():
            outbox.put(outside, "turn", f"at {clock()}", run_at=START - 2 * MAILS)
        with app.app_context():
            return [worker.look() for worker in (one, other, one)]

    assert looks() == [1, 0, 0]
    clock.forward(DAY - 1)
    assert looks() == [0, 0, 0]
    clock.forward(HOUR)
    assert looks() == [2, 0, 0]


def test_one_run_forgets_however_many_guests_there_are(app, outside, clock):
    with app.app_context(), transaction():
        for number in range(purge.SOME + 3):
            row = {"id": f"p_{number}", "name": "Eve", "language": "en", "created_at": START}
            db.session.execute(Player.__table__.insert().values(row))
    clock.forward(GUESTS + 1)
    with app.app_context():
        daily = Daily(outside)
        assert [daily.look() for _ in range(3)] == [purge.SOME, 3, 0]
    assert names(app, Player.id) == set()


def test_the_worker_purges(app, cast, clock, hours):
    assert names(app, Player.name) == {"Alice", "Bob", "Carol", "Mallory"}
    clock.forward(GUESTS + DAY)
    assert hours.look() == 4
