"""Attempts at mails are counted in the database: across processes, and for unknown names too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.runtime.problems import TooManyRequests
from service.web.app import create_app
from service.web.http.limits import attempt_limits
from tests.contract import CheckedClient
from tests.support.accounts import PASSWORD, Bag, register
from tests.support.cast import BOOMERANG, CARAVAN, Cast, Person, sqlite_only
from tests.support.circles import found
from tests.support.post_office import Office
from tests.support.proposing import registered
from tests.support.servers.databases import disconnect

SECRET = bytes(32)
MINUTE = 60_000


@pytest.fixture
def apps(config, runtime):
    """Two applications, like two processes: they share nothing that is counted in memory."""
    made = [
        create_app(
            replace(config, rate_limits=True, attempt_limits=True, trusted_proxies=1), runtime
        )
        for _ in "ab"
    ]
    for app in made:
        app.test_client_class = CheckedClient
    yield made
    for app in made:
        disconnect(app)


def from_address(number):
    """The header of a caller at one of many addresses."""
    return {"X-Forwarded-For": f"192.0.2.{number}"}


def allowed(app, attempts, address="192.0.2.1"):
    """Whether these attempts of somebody at this address are allowed."""
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        try:
            attempt_limits.count(attempts())
        except TooManyRequests:
            return False
        return True


@sqlite_only
def test_an_address_has_one_allowance_of_mails_for_all_names(apps):
    """Counted without the rate limit of each process, which would be reached first."""
    results = [
        allowed(apps[n % 2], lambda n=n: attempt_limits.mail(f"somebody-{n}")) for n in range(21)
    ]
    assert results == [True] * 20 + [False]
    assert allowed(apps[0], lambda: attempt_limits.mail("somebody"), "192.0.2.2")


@sqlite_only
@pytest.mark.parametrize("kind", ["sign-in", "reset"])
def test_five_mails_an_hour_go_to_one_address_from_one_network(apps, clock, kind):
    """Its owner can still ask for one from another network."""
    for who in ("alice@example.org", "ALICE@example.org"):
        for n in range(3):
            body = {"kind": kind, "who": who}
            last = Person(apps[n % 2]).send(
                "POST", "/api/links", json=body, headers=from_address(1)
            )
    assert last.status_code == 429
    assert last.headers["Retry-After"] == "3601"
    last = Person(apps[0]).send("POST", "/api/links", json=body, headers=from_address(9))
    assert last.status_code == 202
    clock.forward(60 * MINUTE)
    last = Person(apps[0]).send("POST", "/api/links", json=body, headers=from_address(1))
    assert last.status_code == 202


@sqlite_only
def test_verifications_count_as_mails(apps):
    alice = Person(apps[0], "Alice")
    register(Bag(apps[0]), alice, "alice")
    for _ in range(6):
        change = {"address": "bob@example.org", "current_password": PASSWORD}
        last = alice.send("PUT", "/api/me/address", json=change, headers=from_address(1))
    assert last.status_code == 429


@sqlite_only
def test_a_registration_that_sends_no_mail_does_not_count(apps):
    register(Bag(apps[0]), Person(apps[0], "Alice"), "alice")
    carol = Person(apps[0], "Carol")
    for _ in range(7):
        wish = {"handle": "alice", "address": "carol@example.org"}
        carol.refused("POST", "/api/me/registration", "handle-taken", wish)
    carol.post("/api/me/registration", {**wish, "handle": "carol"})


@sqlite_only
@pytest.mark.parametrize(
    ("addresses", "same"),
    [
        (("2001:db8::1", "2001:db8::ffff"), True),
        (("2001:db8::1", "2001:db8:0:1::1"), True),
        (("2001:db8::1", "2001:db8:0:100::1"), False),
        (("192.0.2.1", "192.0.2.2"), False),
        (("::ffff:192.0.2.1", "::ffff:192.0.2.2"), False),
        (("::ffff:192.0.2.1", "192.0.2.1"), True),
        (("192.0.2.1:5555", "192.0.2.1:5556"), True),
    ],
)
def test_an_ipv6_network_is_one_caller(apps, addresses, same):
    networks = set()
    for address in addresses:
        with apps[0].test_request_context(environ_base={"REMOTE_ADDR": address}):
            networks.add(attempt_limits.client_network())
    assert len(networks) == (1 if same else 2)


@pytest.mark.both_databases
def test_concurrent_attempts_are_all_allowed(app, runtime):
    limit = Limit("test", 7, MINUTE)

    def once(_):
        with app.app_context():
            try:
                attempt_counts.count(
                    runtime, SECRET, [Attempt(limit, "alice"), Attempt(limit, "here")]
                )
            except TooManyRequests:
                return False
            return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(once, range(20))) == 7


@sqlite_only
def test_a_refused_attempt_does_not_count_against_other_limits(app, runtime):
    one, other = Attempt(Limit("one", 1, MINUTE), "x"), Attempt(Limit("other", 2, MINUTE), "x")
    with app.app_context():
        attempt_counts.count(runtime, SECRET, [one, other])
        with pytest.raises(TooManyRequests):
            attempt_counts.count(runtime, SECRET, [one, other])
        attempt_counts.count(runtime, SECRET, [other])


@pytest.mark.both_databases
def test_a_player_invites_ten_addresses_a_day_and_repeats_do_not_count(apps, clock):
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


@pytest.mark.both_databases
def test_sixty_handles_a_day_are_tried_and_one_player_is_invited_five_times(apps, clock):
    alice, bob = (Person(apps[0], name) for name in ("Alice", "Bob"))
    registered(alice, bob)
    tables = [alice.post("/api/games", {"ruleset": "caravan"})["id"] for _ in range(6)]
    paths = [f"/api/games/{each}/invitations" for each in tables]
    for path in (*paths[:5], paths[0]):  # a repetition does not count as another invitation of him
        alice.send("POST", path, json={"handle": "bob"})
    alice.refused("POST", paths[5], "too-many-requests", {"handle": "bob"})
    for n in range(53):
        alice.refused("POST", paths[5], "not-found", {"handle": f"nobody{n}"})
    alice.refused("POST", paths[5], "too-many-requests", {"handle": "nobody"})
    clock.forward(24 * 60 * MINUTE)
    alice.post(paths[5], {"handle": "bob"})


@pytest.mark.both_databases
def test_an_address_gets_five_invitations_an_hour_from_all_players(apps, clock):
    for n in range(6):
        person = Person(apps[n % 2], f"P{n}")
        Office(apps[0]).address(person)
        game = person.post("/api/games", {"ruleset": "caravan"}, headers=from_address(n))
        path, body = f"/api/games/{game['id']}/invitations", {"address": "x@example.org"}
        assert person.send("POST", path, json=body).status_code == (201 if n < 5 else 429)
    clock.forward(60 * MINUTE)
    person.post(path, body)


@sqlite_only
def test_a_network_makes_sixty_guests_an_hour_across_processes(apps, clock):
    def made(app, name, address=1):
        person = Person(app)
        answer = person.send(
            "POST", "/api/players", json={"name": name}, headers=from_address(address)
        )
        return answer.status_code

    assert all(allowed(apps[n % 2], attempt_limits.guest) for n in range(58))
    assert [made(app, "evil.com") for app in apps] == [422] * 2, "that does not count"
    assert [made(apps[n % 2], f"Guest {n}") for n in range(4)] == [201] * 2 + [429] * 2
    assert made(apps[0], "Neighbour", address=2) == 201
    clock.forward(60 * MINUTE)
    assert made(apps[0], "Later") == 201


@sqlite_only
def test_each_process_counts_requests_by_itself(apps):
    alice = Person(apps[0], "Alice", program=True)
    for _ in range(30):
        alice.post("/api/me/tokens", {"label": "x"})
    alice.refused("POST", "/api/me/tokens", "too-many-requests", {"label": "x"})
    twin = Person(apps[1])
    twin.headers = alice.headers
    twin.post("/api/me/tokens", {"label": "x"})


@sqlite_only
def test_with_a_refusal_nothing_is_left_whoever_counted(apps, clock):
    """The process that refuses knows only a part of the database's count."""
    assert all(allowed(apps[0], attempt_limits.guest) for _ in range(60))
    clock.forward(MINUTE)
    refused = Person(apps[1]).send(
        "POST", "/api/players", json={"name": "B"}, headers=from_address(1)
    )
    seconds = refused.headers["Retry-After"]
    assert 58 * 60 < int(seconds) <= 59 * 60 + 1
    assert refused.headers["RateLimit"] == f'"players";r=0;t={seconds}'


@sqlite_only
@pytest.mark.parametrize("rematch", [False, True])
def test_a_player_opens_120_tables_an_hour_across_processes(apps, rematch):
    alice, twin = Person(apps[0], "Alice", program=True), Person(apps[1])
    twin.headers = alice.headers
    at_once = {"ruleset": CARAVAN, "house": 1, "start": "full", "nonce": None}
    path, body, done = "/api/games", at_once, 0
    if rematch:
        over = alice.post("/api/games", at_once)["id"]
        alice.post(f"/api/games/{over}/resignation", {}, status=200)
        path, body, done = f"/api/games/{over}/rematch", {"nonce": None}, 1
    assert all(
        allowed(apps[n % 2], lambda: attempt_limits.table(alice.id)) for n in range(done, 119)
    )
    twin.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": "none"})
    alice.post(path, body)
    for person in (twin, alice):
        person.refused("POST", path, "too-many-requests", body)
    registered(alice)
    weekly = {"weekday": 1, "time": "20:00", "time_zone": "UTC", "table": {"ruleset": CARAVAN}}
    weeklies = f"/api/circles/{found(alice)}/weeklies"
    alice.refused("POST", weeklies, "too-many-requests", weekly)


@sqlite_only
def test_a_player_asks_for_20_analyses_a_day_and_a_network_for_100(apps):
    cast = Cast(apps[0])
    alice, bob = cast.alice, cast.bob
    game_id = cast.start_anew(CARAVAN)
    alice.refused("PUT", f"/api/games/{game_id}/analysis", "not-over")
    alice.post(f"/api/games/{game_id}/resignation", status=200)
    path = f"/api/games/{game_id}/analysis"
    mine = lambda: attempt_limits.analysis(alice.id)  # noqa: E731 - as for the others
    assert all(allowed(apps[n % 2], mine, "127.0.0.1") for n in range(19))
    alice.put(path, None, status=202)
    alice.put(path, None)
    assert not allowed(apps[1], mine, "127.0.0.1")
    others = (lambda n=n: attempt_limits.analysis(f"p_{n}") for n in range(80))
    assert all(allowed(apps[n % 2], other, "127.0.0.1") for n, other in enumerate(others))
    bob.refused("PUT", path, "too-many-requests")


def test_a_player_begins_60_lessons_an_hour_and_a_network_240(apps):
    path, carol = f"/api/rulesets/{BOOMERANG}/lessons", Person(apps[0], "Carol", program=True)
    alice, bob = (Person(apps[1], name, program=True) for name in ("Alice", "Bob"))
    assert all(
        allowed(apps[n % 2], lambda: attempt_limits.lesson(alice.id), "127.0.0.1")
        for n in range(59)
    )
    alice.refused("POST", "/api/rulesets/none/lessons", "not-found", {})
    alice.post(path, {})
    alice.refused("POST", path, "too-many-requests", {})
    others = (lambda n=n: attempt_limits.lesson(f"p_{n}") for n in range(179))
    assert all(allowed(apps[n % 2], other, "127.0.0.1") for n, other in enumerate(others))
    carol.post(path, {})
    bob.refused("POST", path, "too-many-requests", {})


def test_tries_are_limited_for_a_player_a_network_and_a_day(apps):
    path, carol = "/api/daily-deals/today/tries", Person(apps[0], "Carol", program=True)
    alice, bob = (Person(apps[1], name, program=True) for name in ("Alice", "Bob"))

    def tries(player, day="2026-11-20"):
        return lambda: attempt_limits.daily_try(player, day)

    assert all(allowed(apps[n % 2], tries(alice.id), "127.0.0.1") for n in range(59))
    alice.refused("POST", "/api/daily-deals/2020-01-01/tries", "not-found", {})
    alice.post(path, {})
    assert not allowed(apps[0], tries(alice.id), "127.0.0.1")
    alice.post(path, {}, 200)  # to return to it is free
    others = (tries(f"p_{n}") for n in range(179))
    assert all(allowed(apps[n % 2], other, "127.0.0.1") for n, other in enumerate(others))
    carol.post(path, {})
    bob.refused("POST", path, "too-many-requests", {})
    assert attempt_limits.TRIES_ON_A_DAY.most == 50_000
