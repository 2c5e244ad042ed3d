"""The daily purge: what is deleted, what stays, and that one worker does it once a day."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from service.core.counts import attempt_counts
from service.core.database.database import db, transaction
from service.core.models.mail import Outbox
from service.core.models.people import Admission, AttemptCount, Credential, Player
from service.core.models.talk import Report
from service.core.runtime.backoff import Backoff
from service.core.runtime.units import DAY, HOUR
from service.operations.worker import daily_purge
from service.operations.worker.daily_purge import (
    GUESTS_AT_ONCE,
    ROWS_AT_ONCE,
    DailyPurge,
)
from service.outbox import queue
from service.outbox.queue import KEY_MAILS_KEPT, MAILS_KEPT
from service.people.accounts import admission_codes
from service.people.accounts.guests import GUESTS_KEPT
from service.people.credentials import credentials
from service.tables.talk import reported_messages
from service.tables.talk.reported_messages import REPORTS_KEPT
from tests.support.accounts import Bag, register
from tests.support.cast import CARAVAN, START, Person
from tests.support.clock import hours
from tests.support.dump import dump, execute

pytestmark = pytest.mark.both_databases


@pytest.fixture
def cast(cast, everybody):
    """The people, all of whom have made themselves known to the service."""
    return cast


__all__ = ["hours"]


@pytest.fixture
def purge_at(app):
    def do(at):
        with app.app_context():
            return daily_purge.purge(at)

    return do


@pytest.fixture
def forget(app, runtime, clock):
    """Delete the guests that may be deleted at a time; returns how many."""

    def do(at, most=100):
        clock.at = at
        with app.app_context():
            return daily_purge.delete_guests(runtime, most, Backoff("purge of a guest", clock))

    return do


def names(app, column):
    with app.app_context():
        return set(db.session.scalars(select(column)))


def write_mails(app, runtime):
    """Write one mail for each state of a row of the outbox, all due at the start."""
    with app.app_context():
        for key in ("sent", "failed", "waiting", "sign-in", "reset", "sign-in waiting"):
            kind = key.split()[0] if key.startswith(("sign-in", "reset")) else "turn"
            with transaction():
                queue.put(runtime, kind, key, run_at=START, data={"who": "alice@example.org"})
    done = "UPDATE outbox SET done_at = :at, outcome = 'sent' WHERE key IN "
    execute(app, done + "('sent', 'failed', 'sign-in', 'reset')", at=START)


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (KEY_MAILS_KEPT, {"sent", "failed", "waiting", "sign-in", "reset", "sign-in waiting"}),
        (KEY_MAILS_KEPT + 1, {"sent", "failed", "waiting"}),
        (MAILS_KEPT, {"sent", "failed", "waiting"}),
        (MAILS_KEPT + 1, set()),
    ],
)
def test_mails_are_deleted_after_a_month_and_those_with_keys_after_a_day(
    app, runtime, purge_at, after, left
):
    write_mails(app, runtime)
    went = purge_at(START + after)["mails"]
    assert names(app, Outbox.key) == left
    assert went == 6 - len(left)


def test_a_mail_that_is_not_due_yet_stays(app, runtime, purge_at):
    with app.app_context(), transaction():
        queue.put(runtime, "reminder", "in a year", run_at=START + 365 * DAY)
    assert purge_at(START + 90 * DAY)["mails"] == 0


def test_ended_credentials_and_expired_cookies_are_deleted(app, cast, purge_at):
    cast.carol.delete("/api/sign-ins/current")
    assert purge_at(START + DAY)["credentials"] == 0
    assert purge_at(START + DAY + 1)["credentials"] == 1
    cast.alice.get("/api/me")
    cast.carol.refused("GET", "/api/me", "not-signed-in")
    forgotten = START + 1000 * credentials.COOKIE_MAX_AGE
    assert purge_at(forgotten)["credentials"] == 0
    purge_at(forgotten + 1)
    assert names(app, Credential.kind) == {"link", "token"}
    cast.alice.refused("GET", "/api/me", "not-signed-in")
    cast.bob.get("/api/me")  # a program's token does not run out


def test_expired_admission_codes_and_attempt_counts_are_deleted(app, runtime, purge_at):
    limit = attempt_counts.Limit("test", 3, 2 * HOUR)
    with app.app_context():
        admission_codes.create(runtime, days=1)
        attempt_counts.count(runtime, b"x", [attempt_counts.Attempt(limit, "somebody")])
    before = purge_at(START + 2 * HOUR - 1)
    assert (before["tallies"], before["admissions"]) == (0, 0)
    assert purge_at(START + 2 * HOUR)["tallies"] == 1
    assert purge_at(START + DAY - 1)["admissions"] == 0
    assert purge_at(START + DAY)["admissions"] == 1
    assert names(app, Admission.digest) == names(app, AttemptCount.digest) == set()


def test_closed_reports_are_deleted_after_some_time(app, cast, runtime, purge_at):
    game_id = cast.start(CARAVAN)
    at = f"/api/games/{game_id}/messages"
    for text in ("rude", "ruder"):
        said = cast.bob.post(at, {"channel": "seats", "text": text})
        cast.alice.post(f"{at}/{said['id']}/reports", {}, status=204)
    with app.app_context():
        first, second = reported_messages.list_reports()
        reported_messages.close(runtime, first.id, hide=False)
    assert purge_at(START + REPORTS_KEPT)["reports"] == 0
    assert purge_at(START + REPORTS_KEPT + 1)["reports"] == 1
    assert names(app, Report.id) == {second.id}


def test_guests_who_never_played_are_deleted(app, cast, forget):
    cast.alice.get("/api/me")
    assert forget(START + GUESTS_KEPT) == 0
    assert forget(START + GUESTS_KEPT + 1) == 4
    assert names(app, Player.id) == names(app, Credential.player_id) == set()
    cast.alice.refused("GET", "/api/me", "not-signed-in")


def test_who_sits_has_registered_or_was_seen_stays(app, cast, clock, forget):
    open_id = cast.open()
    register(Bag(app), cast.carol, "carol")
    clock.forward(GUESTS_KEPT)
    cast.mallory.get("/api/me")
    left = Person(app, "Dora")
    table = cast.open(CARAVAN)
    tenure = left.post(f"/api/games/{table}/seats", {})["seats"][1]["tenure"]
    assert forget(START + GUESTS_KEPT + 1) == 1  # bob
    assert names(app, Player.name) == {"Alice", "Carol", "Mallory", "Dora"}
    assert cast.alice.game(open_id)["seats"][0]["name"] == "Alice"
    left.delete(f"/api/games/{table}/seats/{tenure}")
    assert forget(START + 2 * GUESTS_KEPT + HOUR) == 2  # who got up before the start never played
    assert names(app, Player.name) == {"Alice", "Carol"}


def test_who_has_played_stays_after_the_end(app, cast, clock, forget):
    game_id = cast.start(CARAVAN)
    cast.play(game_id)
    before = cast.alice.game(game_id)
    assert forget(START + 12 * GUESTS_KEPT) == 2  # carol and mallory
    clock.at = START
    assert cast.alice.game(game_id) == before


def test_the_messages_of_a_deleted_guest_are_hidden(app, cast, forget):
    game_id = cast.start(CARAVAN)
    cast.mallory.post(
        f"/api/games/{game_id}/messages", {"channel": "spectators", "text": "I see you"}
    )
    assert forget(START + GUESTS_KEPT + 1) == 2
    assert "I see you" not in str(dump(app))
    eve = Person(app, "Eve")
    (told,) = eve.get(f"/api/games/{game_id}/messages?channel=spectators")["messages"]
    assert told["hidden"]


def test_guests_are_deleted_a_few_at_a_time(app, cast, clock, forget):
    cast.alice.get("/api/me")
    clock.forward(1)
    Person(app, "Eve")
    assert forget(START + GUESTS_KEPT + 2, most=3) == 3
    assert forget(START + GUESTS_KEPT + 2, most=3) == 2
    assert forget(START + GUESTS_KEPT + 2, most=3) == 0


def test_one_worker_purges_once_a_day(app, runtime, clock):
    clock.at = START
    one, other = DailyPurge(runtime), DailyPurge(runtime)

    def looks():
        with app.app_context(), transaction():
            queue.put(runtime, "turn", f"at {clock()}", run_at=START - 2 * MAILS_KEPT)
        with app.app_context():
            return [worker.step() for worker in (one, other, one)]

    assert looks() == [1, 0, 0]
    clock.forward(DAY - 1)
    assert looks() == [0, 0, 0]
    clock.forward(HOUR)
    assert looks() == [2, 0, 0]


def test_much_is_purged_a_part_at_a_time(app, runtime, clock):
    """Neither deadlines nor house players wait for it."""
    mails, more = ROWS_AT_ONCE // 2, ROWS_AT_ONCE
    with app.app_context(), db.engine.begin() as connection:
        tally = {"count": 1, "ends_at": 0}
        rows = [{**tally, "digest": n.to_bytes(32, "big")} for n in range(2 * ROWS_AT_ONCE + 7)]
        connection.execute(insert(AttemptCount), rows)
    with app.app_context(), transaction():
        for number in range(mails):
            queue.put(runtime, "turn", f"{number}", run_at=START - 2 * MAILS_KEPT)
    with app.app_context():
        daily = DailyPurge(runtime)
        assert [daily.step() for _ in range(4)] == [more, more, mails + 7, 0]
    assert names(app, AttemptCount.digest) == names(app, Outbox.key) == set()


def test_a_purge_goes_on_until_no_guests_are_left(app, runtime, clock):
    with app.app_context(), transaction():
        for number in range(GUESTS_AT_ONCE + 3):
            row = {"id": f"p_{number}", "name": "Eve", "language": "en", "created_at": START}
            db.session.execute(Player.__table__.insert().values(row))
    clock.forward(GUESTS_KEPT + 1)
    with app.app_context():
        daily = DailyPurge(runtime)
        assert [daily.step() for _ in range(3)] == [GUESTS_AT_ONCE, 3, 0]
    assert names(app, Player.id) == set()


def test_the_worker_purges(app, cast, clock, hours):
    assert names(app, Player.name) == {"Alice", "Bob", "Carol", "Mallory"}
    clock.forward(GUESTS_KEPT + DAY)
    assert hours.look() == 4
