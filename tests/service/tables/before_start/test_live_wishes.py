"""Wishes to be told when two others wait to play live: who is told, how often, at which hours; and what others can
cause.
"""

from __future__ import annotations

import pytest

from service.tables.before_start.live_wishes import MOST_TOLD
from tests.service.tables.play.test_live_games import LIVE, WISH, ready
from tests.support.cast import Person, sqlite_only
from tests.support.clock import MINUTE
from tests.support.dump import execute
from tests.support.post_office import Office, addressed, to


@pytest.fixture
def office(app):
    return Office(app)


def waiting_table(cast, **more):
    """A table at which Alice and Bob wait."""
    made = cast.alice.post("/api/games", LIVE | more)
    key = {"headers": {"Invitation": made["invitation"]["key"]}} if more else {}
    cast.bob.post(f"/api/games/{made['id']}/seats", {}, **key)
    return made["id"]


def again(cast, game_id):
    """Bob leaves, and sits down again."""
    tenure = cast.bob.game(game_id)["tenure"]
    cast.bob.send("DELETE", f"/api/games/{game_id}/seats/{tenure}")
    cast.bob.post(f"/api/games/{game_id}/seats", {})


def wished(person):
    return [each["ruleset"] for each in person.get("/api/me/live-wishes")["live_wishes"]]


@pytest.mark.both_databases
def test_a_wish_leads_to_one_mail_and_another_wish_to_another_one(cast, office, clock):
    office.address(cast.carol)
    cast.carol.put(WISH, None)
    game_id = waiting_table(cast)
    assert len(office.deliver(now=False)) == 1, "at once, although she was here just now"
    again(cast, game_id)
    assert office.deliver() == []
    clock.forward(MINUTE)
    cast.carol.put(WISH, None)
    again(cast, game_id)
    assert len(office.deliver()) == 1, "she has asked for it again, at the same table"


@sqlite_only
def test_of_many_who_wish_it_those_are_told_who_have_waited_longest(app, cast, office, clock):
    """Two people at a table cause no more mail than may lead to something."""
    people = [Person(app, f"Person{n}") for n in range(MOST_TOLD + 1)]
    office.address(*people)
    for person in people:
        clock.forward(MINUTE)
        person.put(WISH, None)
    game_id = waiting_table(cast)
    assert addressed(office.deliver()) == sorted(map(to, people[:-1]))
    assert wished(people[0]) == []
    assert wished(people[-1]) == ["2459n"]
    again(cast, game_id)
    assert addressed(office.deliver()) == [to(people[-1])]


@sqlite_only
def test_whoever_cannot_be_told_keeps_the_wish(cast, office):
    cast.carol.put(WISH, None)
    waiting_table(cast)
    assert office.deliver() == []
    assert wished(cast.carol) == ["2459n"]


@sqlite_only
@pytest.mark.both_databases
def test_a_wish_says_whether_its_maker_can_be_told(cast, office):
    assert cast.carol.put(WISH, None)["live_wish"]["told"] is False
    office.address(cast.carol)
    (wish,) = cast.carol.get("/api/me/live-wishes")["live_wishes"]
    assert wish["told"] is True


def test_whoever_may_not_sit_down_is_not_told(cast, office):
    office.address(cast.carol)
    made = cast.alice.post("/api/games", LIVE)
    path = f"/api/games/{made['id']}/seats"
    cast.carol.post(path, {})
    cast.alice.send("DELETE", f"{path}/{cast.carol.game(made['id'])['tenure']}")
    office.deliver()
    cast.carol.put(WISH, None)
    cast.bob.post(path, {})
    assert office.deliver() == [], "the host has removed her"
    assert wished(cast.carol) == ["2459n"]


@sqlite_only
def test_private_tables_tell_nobody(cast, office):
    office.address(cast.carol)
    cast.carol.put(WISH, None)
    waiting_table(cast, private=True)
    assert office.deliver() == []


@sqlite_only
def test_it_comes_in_quiet_hours_too(cast, office):
    """A wish to be told within three hours means these hours."""
    office.address(cast.carol)
    cast.carol.send("PATCH", "/api/me/settings", json={"quiet": "00:00-23:59"})
    cast.carol.put(WISH, None)
    waiting_table(cast)
    assert len(office.deliver(now=False)) == 1


@sqlite_only
def test_a_mail_that_comes_too_late_is_dropped(cast, office):
    office.address(cast.mallory)
    cast.mallory.put(WISH, None)
    game_id = waiting_table(cast)
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    assert office.deliver() == [], "the table is full"


@sqlite_only
def test_who_plays_wishes_for_no_other_table(cast, clock):
    cast.carol.put(WISH, None)
    game_id = waiting_table(cast)
    cast.carol.post(f"/api/games/{game_id}/seats", {})
    assert wished(cast.carol) == ["2459n"], "it may come to nothing"
    for person in cast.seated:
        ready(person, game_id)
    assert wished(cast.carol) == []


@pytest.mark.both_databases
def test_a_wish_is_erased_with_the_person_and_its_mail_is_not_sent(app, cast, office):
    office.address(cast.carol, cast.mallory)
    for person in (cast.carol, cast.mallory):
        person.put(WISH, None)
    cast.mallory.post("/api/me/erasure", {}, 204)
    waiting_table(cast)
    cast.carol.post("/api/me/erasure", {}, 204)
    assert execute(app, "SELECT * FROM live_wishes") == []
    assert office.deliver() == []
