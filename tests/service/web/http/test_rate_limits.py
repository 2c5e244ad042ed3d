"""Rate limits: announced in a header, enforced with the time to wait, and without a way around them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product

import pytest

from service.core.settings.networks import network_of
from service.web.app import create_app
from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.http.limits.rate_limits import LIMITS, WINDOWS, rate
from tests.contract import CheckedClient, operations
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.dump import dump
from tests.support.every_operation import API, path_of
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only


@pytest.fixture
def app(config, runtime):
    app = create_app(
        replace(config, rate_limits=True, attempt_limits=True, trusted_proxies=1), runtime
    )
    app.test_client_class = CheckedClient
    yield app
    disconnect(app)


def most(name):
    return int(LIMITS[name].split()[0])


def limit_of(answer):
    name, left, seconds = re.fullmatch(
        r'"([a-z-]+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"]
    ).groups()
    return name, int(left), int(seconds)


def at(address):
    """The header of a caller at this address, set by the proxy in front."""
    return {"X-Forwarded-For": address}


def sign_in(app, **headers):
    return Person(app).send("POST", "/api/sign-ins", json={"key": "x" * 43}, headers=headers)


def test_the_header_shows_what_is_left(app):
    told = [limit_of(sign_in(app)) for _ in range(3)]
    assert [left for _, left, _ in told] == [most("sign-ins") - n for n in (1, 2, 3)]
    assert {name for name, _, _ in told} == {"sign-ins"}
    assert all(0 < seconds <= 61 for _, _, seconds in told)


def test_processes_share_a_limit(config, runtime):
    """All processes of a machine together allow it, rounded up; the headers give the share."""
    for processes, share in ((1, 20), (2, 10), (3, 7), (40, 1)):
        app = create_app(replace(config, rate_limits=True, processes=processes), runtime)
        app.test_client_class = CheckedClient
        answers = [sign_in(app) for _ in range(share + 1)]
        assert [each.status_code for each in answers] == [401] * share + [429]
        assert answers[0].headers["RateLimit-Policy"] == f'"sign-ins";q={share};w=60'
        assert limit_of(answers[0])[1] == share - 1
        disconnect(app)


def test_over_the_limit_nothing_is_done(app):
    for _ in range(most("sign-ins")):
        assert sign_in(app).status_code == 401
    stored = dump(app)
    answer = sign_in(app)
    assert answer.status_code == 429
    assert answer.json["type"] == "/problems/too-many-requests"
    assert 1 <= int(answer.headers["Retry-After"]) <= 61
    assert limit_of(answer)[1] == 0
    assert dump(app) == stored


def test_other_addresses_are_not_limited(app):
    for _ in range(most("sign-ins") + 1):
        last = sign_in(app, **at("192.0.2.1"))
    assert last.status_code == 429
    assert sign_in(app, **at("192.0.2.2")).status_code == 401


def test_an_ipv6_network_is_one_caller(app):
    """A client there has countless addresses."""
    for n in range(most("sign-ins") + 1):
        last = sign_in(app, **at(f"2001:db8::{n + 1:x}"))
    assert last.status_code == 429
    assert sign_in(app, **at("2001:db8:0:100::1")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "/api/me/password"), ("PUT", "/api/me/address"), ("POST", "/api/me/erasure")],
)
def test_password_hashing_is_limited(app, method, path):
    alice = Person(app, "Alice")
    statuses = {
        alice.send(method, path, json={"x": 1}).status_code for _ in range(most("passwords"))
    }
    assert statuses == {400}
    assert alice.send(method, path, json={"x": 1}).status_code == 429


def test_made_up_tokens_do_not_raise_the_limit(app):
    answers = [sign_in(app, Authorization=f"Basic {n}") for n in range(most("sign-ins") + 1)]
    assert answers[-1].status_code == 429
    refused = sign_in(app, Authorization="Bearer tgm_1")
    assert refused.json["type"] == "/problems/not-signed-in"  # before anything is tried


def test_made_up_tokens_do_not_raise_the_limit_of_a_player(app):
    alice = Person(app, "Alice")
    for n in range(most("tokens") + 1):
        headers = {"Authorization": f"Basic {n}", **at(f"192.0.2.{n}")}
        last = alice.send("POST", "/api/me/tokens", json={"label": "x"}, headers=headers)
    assert last.status_code == 429


def test_players_at_one_address_have_limits_of_their_own(app):
    alice, bob = Person(app, "Alice"), Person(app, "Bob", program=True)
    for _ in range(most("tokens")):
        alice.post("/api/me/tokens", {"label": "x"})
    alice.refused("POST", "/api/me/tokens", "too-many-requests", {"label": "x"})
    bob.post("/api/me/tokens", {"label": "x"})


def test_each_limit_is_counted_alone(app):
    alice = Person(app, "Alice")
    for _ in range(most("tokens")):
        alice.post("/api/me/tokens", {"label": "x"})
    game = alice.post("/api/games", {"ruleset": BOOMERANG})
    assert limit_of(alice.send("POST", "/api/games", json={"ruleset": BOOMERANG}))[0] == "games"
    for _ in range(most("sign-ins") * 2):
        alice.game(game["id"])


def test_the_header_names_the_limit_of_the_endpoint(app):
    """Two limits may have the same rate."""
    alice = Person(app, "Alice")
    game = alice.post("/api/games", {"ruleset": BOOMERANG})
    body = {"channel": "seats", "text": "x"}
    said = alice.send("POST", f"/api/games/{game['id']}/messages", json=body)
    assert limit_of(said) == ("messages", most("messages") - 1, limit_of(said)[2])
    path = f"/api/games/{game['id']}/messages/{said.json['id']}/reports"
    assert limit_of(alice.send("POST", path, json={}))[:2] == ("reports", most("reports") - 1)


def test_messages_are_limited(app):
    alice = Person(app, "Alice")
    path = f"/api/games/{alice.post('/api/games', {'ruleset': BOOMERANG})['id']}/messages"
    for n in range(most("messages")):
        alice.post(path, {"channel": "seats", "text": f"{n}"})
    alice.refused("POST", path, "too-many-requests", {"channel": "seats", "text": "x"})
    assert len(alice.get(f"{path}?channel=seats&limit=100")["messages"]) == most("messages")


def test_history_is_limited_by_how_much_is_asked_for(app):
    alice = Person(app, "Alice")
    wish = {"ruleset": CARAVAN, "house": 1, "start": "full", "nonce": None}
    path = f"/api/games/{alice.post('/api/games', wish)['id']}/events"
    left = [
        limit_of(alice.send("GET", f"{path}{query}"))[1]
        for query in ("", "?limit=1", "?limit=200", "?limit=201", "?limit=x")
    ]
    spent = [a - b for a, b in pairwise([most("history"), *left])]
    assert spent == [50, 1, 200, 200, 50]
    statuses = [alice.send("GET", f"{path}?limit=200").status_code for _ in range(29)]
    assert statuses == [200] * 27 + [429] * 2


class Everybody:
    """A program that requests operations of the API, and a browser that requests the pages."""

    def __init__(self, app):
        self.program = Person(app, "Bob", program=True)
        self.browser = Person(app, "Alice")
        self.game_id = self.program.post("/api/games", {"ruleset": BOOMERANG})["id"]

    def asks(self, operation):
        """The answer to a request that seldom gets further than to a refusal."""
        caller = self.program if operation in API else self.browser
        more = {"json": {}} if "requestBody" in operation.spec else {}
        path = path_of(operation, self.game_id)
        return caller.send(operation.method.upper(), path, **more)


def test_every_operation_names_the_limit_that_every_answer_tells_of(app):
    everybody, found = Everybody(app), {}
    for operation in operations():
        answer, limit = everybody.asks(operation), operation.spec.get("x-limit")
        if limit is None:
            assert {"RateLimit", "RateLimit-Policy"}.isdisjoint(answer.headers.keys())
        else:
            assert limit_of(answer)[0] == limit, operation.name
            assert answer.headers["RateLimit-Policy"].startswith(f'"{limit}";'), operation.name
            found.setdefault(limit, []).append(answer.status_code)
    assert found.keys() == LIMITS.keys()
    assert max(len(set(statuses)) for statuses in found.values()) > 1


def test_over_its_limit_every_operation_says_when_it_begins_anew(app, runtime):
    everybody = Everybody(app)
    callers = [everybody.program.id, everybody.browser.id, network_of("127.0.0.1")]
    for name, caller in product(LIMITS, callers):
        most, length = rate(name)
        app.extensions[WINDOWS].add((name, caller), most, length, runtime.now())
    for operation in operations():
        answer, limit = everybody.asks(operation), operation.spec.get("x-limit")
        assert (answer.status_code == 429) == (limit is not None), operation.name
        if limit is not None:
            assert limit_of(answer) == (limit, 0, int(answer.headers["Retry-After"]))
            assert answer.headers["RateLimit-Policy"].startswith(f'"{limit}";'), operation.name


def test_an_operation_with_a_limit_lists_the_headers_with_its_success(database):
    """The responses of pages are components of all pages, so only `x-limit` names the limit there."""
    for operation in API:
        answers = [each for status, each in operation.responses.items() if 200 <= status < 300]
        for name in ("RateLimit", "RateLimit-Policy"):
            promised = {name in each.get("headers", {}) for each in answers}
            assert promised == {"x-limit" in operation.spec}, (operation.name, name)


def test_a_policy_says_the_whole_limit(app):
    told = Person(app, "Alice").send("POST", "/api/games", json={"ruleset": BOOMERANG})
    assert told.headers["RateLimit-Policy"] == '"games";q=120;w=3600'


def test_what_is_refused_before_it_is_counted_says_nothing_of_limits(app):
    bob, wish = Person(app, "Bob"), {"ruleset": BOOMERANG}
    for slug, query, more in (
        ("not-signed-in", "", {"headers": {"Authorization": "Bearer tgm_x"}}),
        ("invalid-query", "?utm=1", {}),
        ("body-too-large", "", {"json": wish | {"x": "x" * LARGEST_BODY}}),
        ("cross-site", "", {"headers": {"Sec-Fetch-Site": "cross-site"}}),
    ):
        answer = bob.send("POST", f"/api/games{query}", **{"json": wish, **more})
        assert answer.json["type"] == f"/problems/{slug}"
        assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers, slug
    assert limit_of(bob.send("POST", "/api/games", json=wish))[1] == most("games") - 1
