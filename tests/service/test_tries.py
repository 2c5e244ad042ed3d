"""Tries at passwords and mails are counted in the database: over all processes, for known and unknown alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service import create_app, tallies
from service.api import tries
from service.problems import TooManyRequests
from service.tallies import Limit, Try
from tests.contract import CheckedClient
from tests.service.accounts import OTHER, PASSWORD, Bag, register
from tests.service.cast import Person, sqlite_only
from tests.service.correspondence import Office
from tests.service.databases import disconnect
from tests.service.dump import dump

SECRET = bytes(32)
MINUTE = 60_000


@pytest.fixture
def apps(config, outside):
    """Two processes, as it were: what is counted in memory alone is not shared."""
    made = [create_app(replace(config, rate_limits=True, trusted_proxies=1), outside) for _ in "ab"]
    for app in made:
        app.test_client_class = CheckedClient
    yield made
    for app in made:
        disconnect(app)


def at(number):
    """Somebody at one of many addresses."""
    return {"X-Forwarded-For": f"192.0.2.{number}"}


def attempt(app, who, password=OTHER, address=1):
    body = {"who": who, "password": password}
    return Person(app).send("POST", "/api/sign-ins", json=body, headers=at(address))


@pytest.mark.parametrize("who", ["alice", "nobody", "nobody@example.org"])
def test_one_handle_or_address_is_tried_ten_times_wherever_from(apps, clock, who):
    register(Bag(apps[0]), Person(apps[0], "Alice"), "alice")
    answers = [attempt(apps[n % 2], who, address=n) for n in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    assert answers[-1].headers["Retry-After"] == "901"
    assert attempt(apps[0], "other", address=50).status_code == 401
    clock.forward(15 * MINUTE)
    assert attempt(apps[0], who, address=60).status_code == 401


@sqlite_only
def test_over_the_limit_the_right_password_is_refused_too(apps):
    register(Bag(apps[0]), Person(apps[0], "Alice"), "alice")
    for n in range(10):
        attempt(apps[0], "alice", address=n)
    assert attempt(apps[0], "alice", PASSWORD, address=70).status_code == 429


@sqlite_only
def test_right_passwords_do_not_count(apps):
    register(Bag(apps[0]), Person(apps[0], "Alice"), "alice")
    statuses = [attempt(apps[n % 2], "alice", PASSWORD, address=n).status_code for n in range(15)]
    assert statuses == [201] * 15


def counted(app, tried, address="192.0.2.1"):
    """Whether these tries of somebody at this address are let through."""
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        try:
            tries.count(tried())
        except TooManyRequests:
            return False
        return True


@sqlite_only
@pytest.mark.parametrize(("kind", "most"), [(tries.signing_in, 30), (tries.mailing, 20)])
def test_one_address_tries_so_often_whoever_it_says_to_be(apps, kind, most):
    """Counted here without the limit of each process, which is lower for a moment."""
    through = [counted(apps[n % 2], lambda n=n: kind(f"somebody-{n}")) for n in range(most + 1)]
    assert through == [True] * most + [False]
    assert counted(apps[0], lambda: kind("somebody"), "192.0.2.2")


@sqlite_only
@pytest.mark.parametrize("kind", ["sign-in", "reset"])
def test_five_mails_an_hour_go_to_one_address(apps, clock, kind):
    for who in ("alice@example.org", "ALICE@example.org"):
        for n in range(3):
            body = {"kind": kind, "who": who}
            last = Person(apps[n % 2]).send("POST", "/api/links", json=body, headers=at(n))
    assert last.status_code == 429
    assert last.headers["Retry-After"] == "3601"
    clock.forward(60 * MINUTE)
    last = Person(apps[0]).send("POST", "/api/links", json=body, headers=at(9))
    assert last.status_code == 202


@sqlite_only
def test_verifications_are_mails_like_others(apps):
    alice = Person(apps[0], "Alice")
    register(Bag(apps[0]), alice, "alice")
    for n in range(6):
        change = {"address": "bob@example.org", "current_password": PASSWORD}
        last = alice.send("PUT", "/api/me/address", json=change, headers=at(n))
    assert last.status_code == 429


@sqlite_only
def test_a_handle_that_is_taken_sends_no_mail_and_counts_as_none(apps):
    register(Bag(apps[0]), Person(apps[0], "Alice"), "alice")
    carol = Person(apps[0], "Carol")
    for _ in range(7):
        wish = {"handle": "alice", "address": "carol@example.org"}
        carol.refused("POST", "/api/me/registration", "handle-taken", wish)
    carol.post("/api/me/registration", {**wish, "handle": "carol"})


@sqlite_only
def test_the_password_that_confirms_is_tried_ten_times(apps):
    alice = Person(apps[0], "Alice")
    register(Bag(apps[0]), alice, "alice")
    for n in range(11):
        body = {"current_password": "wrong"}
        last = alice.send("POST", "/api/me/erasure", json=body, headers=at(n))
    assert last.status_code == 429
    alice.get("/api/me")


@sqlite_only
@pytest.mark.parametrize(
    ("addresses", "same"),
    [
        (("2001:db8::1", "2001:db8::ffff"), True),
        (("2001:db8::1", "2001:db8:0:1::1"), False),
        (("192.0.2.1", "192.0.2.2"), False),
        (("::ffff:192.0.2.1", "::ffff:192.0.2.2"), False),
    ],
)
def test_of_ipv6_a_network_is_one_caller(apps, addresses, same):
    origins = set()
    for address in addresses:
        with apps[0].test_request_context(environ_base={"REMOTE_ADDR": address}):
            origins.add(tries.origin())
    assert len(origins) == (1 if same else 2)


def test_many_at_once_are_all_counted(app, outside):
    limit = Limit("test", 7, MINUTE)

    def once(_):
        with app.app_context():
            try:
                tallies.count(outside, SECRET, [Try(limit, "alice"), Try(limit, "here")])
            except TooManyRequests:
                return False
            return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(once, range(20))) == 7


@sqlite_only
def test_a_refused_try_is_not_counted_elsewhere(app, outside):
    one, other = Try(Limit("one", 1, MINUTE), "x"), Try(Limit("other", 2, MINUTE), "x")
    with app.app_context():
        tallies.count(outside, SECRET, [one, other])
        with pytest.raises(TooManyRequests):
            tallies.count(outside, SECRET, [one, other])
        tallies.count(outside, SECRET, [other])


@sqlite_only
def test_nobody_is_named_by_what_is_counted(apps):
    attempt(apps[0], "alice@example.org", address=77)
    stored = str(dump(apps[0])["tallies"])
    assert "alice" not in stored and "192.0.2.77" not in stored


def test_a_player_invites_ten_addresses_a_day_and_a_repeat_is_none(apps, clock):
    alice = Person(apps[0], "Alice")
    Office(apps[0]).address(alice)
    path = f"/api/games/{alice.post('/api/games', {'ruleset': 'caravan'})['id']}/invitations"
    for n in (0, 0, *range(1, 10)):
        answer = alice.send("POST", path, json={"address": f"x{n}@example.org"})
        assert answer.status_code in (200, 201)
    answer = alice.send("POST", path, json={"address": "y@example.org"})
    assert answer.status_code == 429
    clock.forward(24 * 60 * MINUTE)
    alice.post(path, {"address": "y@example.org"})


def test_an_address_is_invited_five_times_an_hour_by_whomever(apps, clock):
    for n in range(6):
        person = Person(apps[n % 2], f"P{n}")
        Office(apps[0]).address(person)
        game = person.post("/api/games", {"ruleset": "caravan"}, headers=at(n))
        path, body = f"/api/games/{game['id']}/invitations", {"address": "x@example.org"}
        assert person.send("POST", path, json=body).status_code == (201 if n < 5 else 429)
    clock.forward(60 * MINUTE)
    person.post(path, body)
