"""Digests: one mail a day with every game that waits, at the reader's chosen hour; urgent turns are mailed alone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.outbox import digests
from service.outbox.recipients import Recipient
from tests.service.tables.play.test_hidden_information import cards
from tests.support.cast import CARAVAN, START, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.dump import execute
from tests.support.post_office import Office, part
from tests.support.strangers_browser import Stranger, urls
from tests.support.talking import say

WEEK = {"kind": "decision", "seconds": 7 * 24 * 3600}
NEXT = START + 22 * HOUR
"""Eight o'clock on the next day; every test begins at ten."""


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(*cast.seated)
    execute(app, "UPDATE credentials SET seen_at = NULL")  # nobody is here
    return office


@pytest.fixture
def wish(cast):
    """Change settings of alice."""

    def change(**settings):
        assert cast.alice.send("PATCH", "/api/me/settings", json=settings).status_code == 200

    return change


@pytest.fixture
def come(office, clock):
    """The mails that arrive for alice until a time, if the worker looks every half hour."""

    def until(at):
        found = []
        while clock() < at:
            clock.forward(min(30 * MINUTE, at - clock()))
            found += arrived(office)
        return found

    return until


def arrived(office):
    return [mail for mail in office.deliver(now=False) if mail["To"] == "alice@example.org"]


def subjects(mails):
    return [str(mail["Subject"]) for mail in mails]


def waiting_games(cast, office, number, pace=WEEK):
    """Make this number of games in which alice is asked something; returns the mails that she got at once."""
    ids = [cast.start(CARAVAN, pace=pace) for _ in range(number)]
    for each in ids:
        if not cast.alice.game(each)["legal"]:
            cast.bob.answer(cast.bob.game(each))
    return ids


@pytest.mark.both_databases
def test_one_mail_a_day_says_all_that_waits(cast, office, wish, come, clock):
    wish(digest="08:00")
    games = waiting_games(cast, office, 2)
    say(cast.bob, games[0], "Off to the mountains")
    assert come(NEXT - 1) == []
    (mail,) = come(NEXT + HOUR)
    assert mail["Subject"] == "Waiting for you: 2 games"
    for text in (part(mail), part(mail, "html")):
        assert text.count("/moves/") == 2 and text.count("/tables/") == 2
        assert "Off to the mountains" in text
    (again,) = come(NEXT + DAY + HOUR)
    assert again["Message-ID"] != mail["Message-ID"], "the next day it comes again"


@sqlite_only
def test_of_many_games_each_has_its_link(app, cast, office, wish, come):
    """Games for which there is no room are named, and link to their tables without a sign-in, as everything in mails
    does.
    """
    wish(digest="08:00")
    waiting_games(cast, office, 14)
    (mail,) = come(NEXT + HOUR)
    assert mail["Subject"] == "Waiting for you: 14 games"
    assert "Also waiting for you: 2 games" in part(mail)
    for text in (part(mail), part(mail, "html")):
        assert text.count("/tables/") == 14 and text.count("/moves/") == 12
        assert "can play for you" in text
    for url in urls(mail):
        page = Stranger(app).follow_link(url)
        assert page is not None and "sign in" not in page.title.lower(), url
        assert "unsubscribe" in url or "/mails/" in url or "rules" in url or "Caravan" in page.text


@pytest.mark.both_databases
def test_the_most_urgent_game_stands_first(cast, office, wish, come):
    wish(digest="08:00")
    (late,) = waiting_games(cast, office, 1)
    (urgent,) = waiting_games(cast, office, 1, {"kind": "decision", "seconds": 2 * 24 * 3600})
    (free,) = waiting_games(cast, office, 1, "none")
    (mail,) = come(NEXT + HOUR)
    tenures = [cast.alice.game(each)["tenure"] for each in (urgent, late, free)]
    places = [part(mail).index(f"/moves/{each}") for each in tenures]
    assert places == sorted(places)


def test_if_nothing_waits_there_is_no_mail(cast, office, wish, come):
    wish(digest="08:00")
    (game,) = waiting_games(cast, office, 1)
    come(NEXT - HOUR)
    cast.alice.answer(cast.alice.game(game))
    assert come(NEXT + DAY) == []


def test_what_would_be_late_before_the_next_digest_comes_alone(cast, office, wish, come):
    wish(digest="08:00", reminders=[])
    waiting_games(cast, office, 1, {"kind": "decision", "seconds": 20 * 3600})
    assert [each.split(":")[0] for each in subjects(come(START + HOUR))] == ["Your turn"]


@sqlite_only
@pytest.mark.parametrize(("hours", "alone"), [(22, True), (24, False)])
def test_a_digest_leaves_an_hour_to_play(cast, office, wish, come, hours, alone):
    wish(digest="08:00", reminders=[])
    waiting_games(cast, office, 1, {"kind": "decision", "seconds": hours * 3600})
    assert bool(come(START + HOUR)) == alone


def test_a_reminder_comes_alone_once_it_cannot_wait(cast, office, wish, come):
    wish(digest="08:00", reminders=[60])
    waiting_games(cast, office, 1, {"kind": "decision", "seconds": 30 * 3600})
    first, second = come(START + 30 * HOUR - MINUTE)
    assert str(first["Subject"]).startswith("Waiting for you")
    assert str(second["Subject"]).startswith("Still your turn")


@sqlite_only
def test_quiet_hours_put_it_off(cast, office, wish, come):
    wish(digest="08:00", quiet="22:00-09:30")
    waiting_games(cast, office, 2)
    assert come(NEXT + 89 * MINUTE) == []
    assert len(come(NEXT + DAY - HOUR)) == 1


@sqlite_only
def test_a_turn_that_comes_while_the_digest_waits_for_the_end_of_the_night_is_in_it(
    app, cast, office, wish, come, clock
):
    """The digest is late by then, and it replaces the mails of all its games."""
    wish(digest="08:00", quiet="22:00-09:00", time_zone="UTC")
    waiting_games(cast, office, 1)
    assert come(NEXT + 30 * MINUTE) == []
    waiting_games(cast, office, 1)
    assert come(NEXT + HOUR - 1) == []
    (mail,) = come(NEXT + HOUR)
    assert mail["Subject"] == "Waiting for you: 2 games"
    query = "SELECT kind FROM outbox WHERE done_at IS NULL AND run_at <= :now AND player_id = :of"
    execute(app, "UPDATE outbox SET lease_until = 0 WHERE done_at IS NULL")
    assert arrived(office) == [], "nothing is said twice"
    waiting = {each[0] for each in execute(app, query, now=clock(), of=cast.alice.id)}
    assert waiting <= {"turn"}, "of what came since the digest was due, and is in the next one"
    come(NEXT + DAY + 2 * HOUR)
    assert execute(app, query, now=clock(), of=cast.alice.id) == [], "and then it is done"


def test_without_digests_each_turn_is_mailed(cast, office, wish, come):
    waiting_games(cast, office, 2)
    assert len(come(START + HOUR)) == 2


@sqlite_only
def test_who_wants_no_digest_any_more_gets_what_waited_for_it(cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 2)
    assert come(START + HOUR) == []
    wish(digest=None)
    assert len(come(START + 2 * HOUR)) == 2
    assert come(NEXT + DAY) == []


@sqlite_only
def test_who_asks_for_digests_is_told_of_what_waited_before(cast, office, wish, come):
    waiting_games(cast, office, 2)
    come(START + HOUR)
    wish(digest="08:00")
    assert subjects(come(NEXT + HOUR)) == ["Waiting for you: 2 games"]


def test_another_hour_brings_no_second_digest_on_a_day(cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    assert len(come(NEXT + HOUR)) == 1
    wish(digest="12:00")
    assert come(NEXT + 15 * HOUR) == [], "this day had one"
    assert len(come(NEXT + DAY + 5 * HOUR)) == 1


@sqlite_only
def test_an_hour_that_is_still_to_come_counts_at_once(cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    come(START + HOUR)
    wish(digest="12:00")
    assert len(come(START + 3 * HOUR)) == 1
    assert come(NEXT + 3 * HOUR) == []


@sqlite_only
def test_a_digest_that_was_late_is_one_mail(cast, office, wish, clock):
    wish(digest="08:00")
    waiting_games(cast, office, 2)
    assert arrived(office) == []
    clock.forward(DAY + 2 * HOUR)  # nobody was at work
    assert subjects(arrived(office)) == ["Waiting for you: 2 games"]
    clock.forward(HOUR)
    assert arrived(office) == []


@pytest.mark.both_databases
def test_a_kill_after_sending_repeats_one_and_the_same_mail(app, cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    come(START + HOUR)
    execute(app, "CREATE TABLE kept AS SELECT * FROM outbox WHERE kind = 'digest'")
    try:
        (mail,) = come(NEXT + MINUTE)
        execute(app, "UPDATE players SET digested = NULL")
        execute(app, "DELETE FROM outbox WHERE kind = 'digest'")
        execute(app, "INSERT INTO outbox SELECT * FROM kept")
        (again,) = come(NEXT + HOUR)
    finally:
        execute(app, "DROP TABLE kept")
    assert again["Message-ID"] == mail["Message-ID"]


@sqlite_only
def test_two_senders_send_one(app, cast, office, wish, clock, come):
    other = Office(app)
    wish(digest="08:00")
    waiting_games(cast, office, 2)
    come(NEXT - MINUTE)
    clock.forward(2 * MINUTE)
    assert len(arrived(office) + arrived(other)) == 1


@sqlite_only
def test_one_click_ends_digests_and_brings_no_other_mails(cast, office, wish, come, client):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    (mail,) = come(NEXT + HOUR)
    link = mail["List-Unsubscribe"].strip("<>").removeprefix("http://localhost")
    assert client.post(link).status_code == 200
    waiting_games(cast, office, 1)
    assert come(NEXT + 2 * DAY) == []
    assert "stop=each" in client.get(link).text
    assert client.post(link + "&stop=each").status_code == 200
    assert cast.alice.get("/api/me/settings")["settings"]["digest"] is None
    waiting_games(cast, office, 1)
    assert len(come(NEXT + 2 * DAY + HOUR)) == 1


@sqlite_only
def test_the_page_of_a_turn_mail_offers_digests(cast, office, wish, come, client):
    waiting_games(cast, office, 1)
    (mail,) = come(START + HOUR)
    link = mail["List-Unsubscribe"].strip("<>").removeprefix("http://localhost")
    assert "stop=digest" in client.get(link).text
    assert client.post(link + "&stop=digest").status_code == 200
    assert cast.alice.get("/api/me/settings")["settings"]["digest"] == "08:00"
    assert len(come(NEXT + HOUR)) == 1
    wish(digest="09:00")
    client.post(link + "&stop=digest")
    assert cast.alice.get("/api/me/settings")["settings"]["digest"] == "09:00"


@sqlite_only
def test_a_table_about_which_no_mails_are_wanted_is_left_out(cast, office, wish, come, client):
    first, _ = waiting_games(cast, office, 2)
    link = come(START + HOUR)[0]["List-Unsubscribe"].strip("<>").removeprefix("http://localhost")
    client.post(link)
    wish(digest="08:00")
    (mail,) = come(NEXT + HOUR)
    assert mail["Subject"] == "Waiting for you: 1 game"
    assert cast.alice.game(first)["tenure"] not in part(mail)


@sqlite_only
def test_the_preview_says_what_is_urgent_and_no_card(cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    (mail,) = come(NEXT + HOUR)
    preview = part(mail, "html").split('class="preview"')[1].split("</div>")[0]
    assert "Caravan with Bob: Please play by Saturday, 28 November 2026, 10:00" in preview
    assert not cards([preview, str(mail["Subject"])])
    assert str(mail["Subject"]) not in preview


@pytest.mark.both_databases
def test_a_turn_that_came_alone_is_in_no_digest(cast, office, wish, come):
    wish(digest="08:00", reminders=[])
    waiting_games(cast, office, 1, {"kind": "decision", "seconds": int(22.5 * 3600)})
    assert len(come(START + HOUR)) == 1
    assert come(NEXT + 29 * MINUTE) == [], "nothing else waits"
    waiting_games(cast, office, 1)
    (digest,) = come(NEXT + DAY + HOUR)
    assert digest["Subject"] == "Waiting for you: 1 game"


@sqlite_only
def test_beside_one_that_came_alone_a_digest_tells_the_others(cast, office, wish, come):
    wish(digest="08:00", reminders=[])
    urgent, other = (
        *waiting_games(cast, office, 1, {"kind": "decision", "seconds": int(22.5 * 3600)}),
        *waiting_games(cast, office, 1),
    )
    (alone, digest) = come(NEXT + 29 * MINUTE)
    assert cast.alice.game(urgent)["tenure"] in part(alone)
    assert digest["Subject"] == "Waiting for you: 1 game"
    assert cast.alice.game(other)["tenure"] in part(digest)
    assert cast.alice.game(urgent)["tenure"] not in part(digest)


@sqlite_only
def test_a_turn_of_somebody_who_is_online_comes_in_the_digest_alone(
    cast, office, wish, come, clock
):
    """Its own mail waits some minutes longer than the digest, and could not wait for the next one."""
    wish(digest="08:00", reminders=[])
    come(NEXT - 3 * MINUTE)
    cast.alice.get("/api/me/settings")  # is here
    waiting_games(cast, office, 1, {"kind": "decision", "seconds": 20 * 3600})
    assert [row.run_at > NEXT for row in office.due() if row.player_id == cast.alice.id] == [True]
    found = [*come(NEXT + MINUTE), *come(NEXT + 2 * HOUR)]
    assert subjects(found) == ["Waiting for you: 1 game"]


@sqlite_only
def test_the_text_is_wrapped_and_its_links_are_whole(cast, office, wish, come):
    wish(digest="08:00")
    waiting_games(cast, office, 1)
    (mail,) = come(NEXT + HOUR)
    for line in part(mail).splitlines():
        assert len(line) <= 78 or line.startswith("http://localhost/"), line


@sqlite_only
def test_japanese_readers_get_it_in_japanese(cast, office, wish, come):
    wish(digest="08:00", language="ja")
    waiting_games(cast, office, 2)
    (mail,) = come(NEXT + HOUR)
    assert "2件" in mail["Subject"] and "2件" in part(mail)


# When it is due


def at(text, zone):
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def reader(zone, hour, digested=None):
    return Recipient("p", "Ann", "ann@example.org", "en", zone, None, hour, digested)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-03-28T09:00", "2026-03-29T08:00"),  # an hour less until then
        ("2026-10-24T09:00", "2026-10-25T08:00"),  # an hour more
        ("2026-06-01T07:59", "2026-06-01T08:00"),
        ("2026-06-01T08:00", "2026-06-02T08:00"),
    ],
)
def test_it_is_due_by_the_clock_on_the_wall(now, due):
    found = digests.following(reader("Europe/Berlin", "08:00"), at(now, "Europe/Berlin"))
    assert found == (at(due, "Europe/Berlin"), due[:10])


def test_an_hour_that_a_day_does_not_have_is_the_one_after():
    found = digests.following(
        reader("Europe/Berlin", "02:30"), at("2026-03-29T01:00", "Europe/Berlin")
    )
    assert found == (at("2026-03-29T03:30", "Europe/Berlin"), "2026-03-29")


def test_of_an_hour_that_a_day_has_twice_the_first_counts():
    now = at("2026-10-25T01:00", "Europe/Berlin")
    first = digests.following(reader("Europe/Berlin", "02:30"), now)
    assert first.at == now + 90 * MINUTE
    later = digests.following(reader("Europe/Berlin", "02:30", "2026-10-25"), first.at + MINUTE)
    assert later.day == "2026-10-26"


ZONES = st.sampled_from(["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Pacific/Apia", "UTC"])


@given(
    st.integers(START, START + 400 * DAY),
    st.lists(st.tuples(ZONES, st.integers(0, 23), st.integers(0, 2 * DAY)), max_size=12),
)
def test_no_day_has_two_whoever_travels_and_changes_the_hour(now, changes):
    told, days = None, []
    for zone, hour, later in changes:
        due = digests.following(reader(zone, f"{hour:02}:00", told), now)
        now += later
        if due is not None and due.at <= now:
            days.append(due.day)
            told = due.day
    assert days == sorted(set(days))


def test_there_is_always_a_next_one():
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        assert digests.following(reader(zone, "08:00", "2026-11-22"), START)
