"""Vacations are announced by mail to the tables, a day before they begin."""

from __future__ import annotations

import pytest

from tests.service.tables.clocks.test_vacations import DAY, PATH, plan
from tests.support.cast import CARAVAN
from tests.support.post_office import Office, to
from tests.support.proposing import prose


@pytest.fixture
def office(app, cast):
    """alice lives in Tokyo, carol has UTC; bob goes on vacation."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.carol)
    office.address(cast.bob)
    return office


def news(office):
    """The vacation mails that arrive now, with their addresses."""
    told = [(str(mail["To"]), prose(mail)) for mail in office.deliver(now=False)]
    return sorted((address, words) for address, words in told if " is away from " in words)


@pytest.mark.both_databases
def test_a_vacation_is_announced_a_day_ahead(cast, clock, office):
    cast.start()
    plan(cast.bob, "2026-12-01", "2026-12-03")
    assert news(office) == []
    clock.at += 9 * DAY - 10 * 3_600_000 - 60_000  # a day and a minute before
    assert news(office) == []
    clock.forward(60_000)
    told = dict(news(office))
    assert sorted(told) == [to(cast.alice), to(cast.carol)]
    assert (
        "Bob is away from Tuesday, 1 December 2026, 00:00 (Coordinated Universal Time) until "
        "Friday, 4 December 2026, 00:00 (Coordinated Universal Time)." in told[to(cast.carol)]
    )
    assert "Tuesday, 1 December 2026, 09:00 (Japan Standard Time)" in told[to(cast.alice)]
    assert news(office) == []


def test_a_vacation_is_announced_at_every_table_even_if_it_starts_later(cast, clock, office):
    cast.start()
    opened = cast.open(CARAVAN)
    cast.bob.post(f"/api/games/{opened}/seats", {})
    over = cast.start(CARAVAN)
    plan(cast.bob, "2026-12-01", "2026-12-03")
    cast.alice.post(f"/api/games/{opened}/start", status=200)
    cast.alice.post(f"/api/games/{over}/resignation", status=200)
    clock.forward(9 * DAY)
    told = [address for address, _ in news(office)]
    assert told == [to(cast.alice), to(cast.alice), to(cast.carol)]


def test_a_cancelled_vacation_is_not_announced(cast, clock, office):
    cast.start()
    made = plan(cast.bob, "2026-12-01", "2026-12-03")
    cast.bob.delete(f"{PATH}/{made['id']}")
    assert office.due("told") == []
    clock.forward(9 * DAY)
    assert news(office) == []


def test_people_who_have_left_are_neither_announced_nor_told(cast, clock, office):
    left, kept = cast.start(), cast.start()
    plan(cast.bob, "2026-12-01", "2026-12-03")
    cast.bob.post(f"/api/games/{left}/resignation", status=200)
    cast.carol.post(f"/api/games/{kept}/resignation", status=200)
    clock.forward(9 * DAY)
    assert [address for address, _ in news(office)] == [to(cast.alice)]


def test_vacation_mails_can_be_turned_off_like_other_news(cast, clock, office):
    cast.start()
    cast.alice.send("PATCH", "/api/me/settings", json={"unwanted": ["told"]})
    plan(cast.bob, "2026-12-01", "2026-12-03")
    clock.forward(9 * DAY)
    assert [address for address, _ in news(office)] == [to(cast.carol)]


def test_a_vacation_is_announced_at_tables_opened_after_it_was_planned(cast, clock, office):
    plan(cast.bob, "2026-12-01", "2026-12-03")
    clock.forward(DAY)
    cast.start(CARAVAN)
    assert news(office) == []
    clock.forward(8 * DAY)
    assert [address for address, _ in news(office)] == [to(cast.alice)]
    cast.start()  # it begins while he is away or about to be
    assert [address for address, _ in news(office)] == [to(cast.alice), to(cast.carol)]


def test_somebody_who_takes_a_seat_is_told_and_announced(cast, clock, office):
    game_id = cast.start()
    plan(cast.bob, "2026-12-01", "2026-12-03")
    for person in (cast.bob, cast.carol):
        person.post(f"/api/games/{game_id}/resignation", status=200)
        person.post(f"/api/games/{game_id}/return", status=200)
    clock.forward(9 * DAY)
    assert [address for address, _ in news(office)] == [to(cast.alice), to(cast.carol)]


def test_a_past_vacation_is_not_announced(cast, clock, office):
    plan(cast.bob, "2026-12-01", "2026-12-03")
    clock.forward(14 * DAY)
    cast.start()
    assert news(office) == []
