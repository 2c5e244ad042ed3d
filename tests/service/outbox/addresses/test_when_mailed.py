"""When a mail about a table is due: at once, or a little later for people who look at the website anyway."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from service.core.database.database import transaction
from service.outbox import queue, recipients
from service.outbox.addresses.suppressed_addresses import (
    REFUSED,
    STRANGERS,
    is_suppressed,
    lift,
    suppress,
)
from service.outbox.causes.after_move import due_times
from tests.support.cast import START, sqlite_only
from tests.support.clock import MINUTE
from tests.support.dump import execute
from tests.support.mail_kinds import rows
from tests.support.post_office import Office

pytestmark = sqlite_only


@pytest.fixture
def seen(app, cast):
    """Set the time when alice, who has an address like bob, was last seen."""
    Office(app).address(cast.alice, cast.bob)
    execute(app, "UPDATE credentials SET seen_at = NULL")

    def at(ms):
        one = "SELECT min(id) FROM credentials WHERE player_id = :of"
        set_it = f"UPDATE credentials SET seen_at = :ms WHERE id = ({one})"
        execute(app, set_it, ms=ms, of=cast.alice.id)

    return at


@pytest.mark.parametrize(("ago", "delay"), [(3 * MINUTE - 1, 5 * MINUTE), (3 * MINUTE, 0)])
def test_whoever_was_here_in_the_last_three_minutes_is_mailed_in_five(
    app, runtime, cast, seen, ago, delay
):
    seen(START - ago)
    with app.app_context():
        times = due_times(runtime, {cast.alice.id, cast.bob.id, cast.carol.id})
    assert times == {cast.alice.id: START + delay, cast.bob.id: START}, "carol has no address"


def test_of_nobody_nobody_is_mailed(app, runtime):
    with app.app_context():
        assert due_times(runtime, set()) == {}


def test_a_sign_in_that_has_ended_says_nothing(app, cast, seen):
    seen(START)
    with app.app_context():
        assert recipients.last_seen([cast.alice.id, cast.bob.id]) == {
            cast.alice.id: START,
            cast.bob.id: 0,
        }
    execute(app, "UPDATE credentials SET ended_at = 1 WHERE player_id = :of", of=cast.alice.id)
    with app.app_context():
        assert recipients.last_seen([cast.alice.id]) == {cast.alice.id: 0}


def test_a_recipient_has_a_verified_address(app, cast, seen):
    execute(app, "UPDATE players SET time_zone = 'Asia/Tokyo' WHERE id = :of", of=cast.bob.id)
    with app.app_context():
        found = recipients.find(cast.bob.id)
        assert (found.name, found.address, found.time_zone) == (
            "Bob",
            "bob@example.org",
            "Asia/Tokyo",
        )
        assert str(found.zone) == "Asia/Tokyo"
        assert str(recipients.find(cast.alice.id).zone) == "UTC"
        assert recipients.find(cast.carol.id) is None and recipients.find(None) is None
    execute(app, "UPDATE accounts SET address = NULL WHERE player_id = :of", of=cast.bob.id)
    with app.app_context():
        assert recipients.find(cast.bob.id) is None
        assert recipients.last_seen([cast.bob.id]) == {}


def news(app, runtime, key, run_at, *, game=1, player="p", said=None):
    with app.app_context(), transaction():
        queue.put_news(runtime, key, game, (player, "t"), {"n": said or key}, run_at=run_at)


def waiting(app):
    """The unsent mails: when, to whom, about which game, and the news."""
    return [
        (
            row.run_at,
            row.player_id,
            row.game_key,
            [each["n"] for each in json.loads(row.data)["news"]],
        )
        for row in rows(app).values()
        if row.done_at is None
    ]


def test_further_news_join_a_mail_and_do_not_put_it_off(app, runtime):
    news(app, runtime, "one", START + 2)
    news(app, runtime, "two", START + 9)
    news(app, runtime, "two", START + 9, said="again")
    news(app, runtime, "three", START + 1)
    assert waiting(app) == [(START + 1, "p", 1, ["one", "two", "three"])]


def test_news_of_another_table_or_for_somebody_else_are_another_mail(app, runtime):
    news(app, runtime, "one", START)
    news(app, runtime, "two", START, game=2)
    news(app, runtime, "three", START, player="q")
    assert waiting(app) == [
        (START, "p", 1, ["one"]),
        (START, "p", 2, ["two"]),
        (START, "q", 1, ["three"]),
    ]


def test_news_that_were_sent_are_not_sent_again(app, runtime, clock):
    news(app, runtime, "one", START)
    execute(app, "UPDATE outbox SET done_at = 1, outcome = 'sent'")
    news(app, runtime, "two", START)
    assert waiting(app) == [(START, "p", 1, ["two"])]


def test_a_mail_holds_the_last_twenty_pieces_of_news(app, runtime):
    for number in range(21):
        news(app, runtime, str(number), START)
    ((_, _, _, told),) = waiting(app)
    assert told == [str(number) for number in range(1, 21)]


def test_twenty_rows_are_due_at_a_time(app, runtime):
    for number in range(21):
        with app.app_context(), transaction():
            queue.put(runtime, "plain", str(number), run_at=START - number)
    with app.app_context():
        due = queue.due(START)
    assert [row.key for row in due] == [str(number) for number in range(20, 0, -1)]


def test_a_claimed_row_waits_as_long_as_it_is_told(app, runtime, clock):
    with app.app_context(), transaction():
        queue.put(runtime, "plain", "one", run_at=START)
    with app.app_context():
        (row,) = queue.due(START)
        claimed = queue.claim(row, START)
        assert rows(app)["one"].lease_until == START + MINUTE
        assert queue.claim(row, START + 5 * MINUTE) is None, "it is not the same try any more"
        with transaction():
            queue.hold(claimed, START + 7)
        assert queue.due(START + 6) == []
        (again,) = queue.due(START + 7)
        assert queue.claim(again, START + 7, lease=1)
    assert rows(app)["one"].lease_until == START + 8


class Seated(NamedTuple):
    """Somebody at a table."""

    tenure: str
    player_id: str | None


def test_a_mail_at_a_table_belongs_to_the_tenure_and_the_question(app, runtime):
    person = Seated("t", "p")

    def put(mail):
        queue.put_rows(runtime, [mail])

    with app.app_context(), transaction():
        for number in (4, 4, 5):
            put(queue.row_at_table("turn", 7, person, number, run_at=START))
        for unique in ("a", "b", "a"):
            put(queue.row_at_table("nudge", 7, person, 4, run_at=START, unique=unique))
    stored = rows(app)
    assert [(row.kind, row.number) for row in stored.values()] == [
        ("turn", 4),
        ("turn", 5),
        ("nudge", 4),
        ("nudge", 4),
    ]
    assert {
        (row.tenure_id, row.player_id, row.game_key, row.run_at) for row in stored.values()
    } == {("t", "p", 7, START)}


def test_an_address_is_freed_of_one_reason_alone(app, runtime):
    with app.app_context(), transaction():
        for digest, reason in ((b"a" * 32, REFUSED), (b"a" * 32, STRANGERS), (b"b" * 32, REFUSED)):
            suppress(runtime, digest, reason)
        lift(b"a" * 32, REFUSED)
        assert not is_suppressed(b"a" * 32, REFUSED)
        assert is_suppressed(b"a" * 32, STRANGERS) and is_suppressed(b"b" * 32, REFUSED)
