"""`Idempotency-Key`: a request that creates something creates it once, and tells its secret to nobody else."""

from __future__ import annotations

from contextvars import Context
from dataclasses import replace
from hashlib import sha256

import pytest

from service.core.database.database import transaction
from service.core.runtime.problems import Unfinished
from service.core.runtime.units import DAY
from service.operations.worker.daily_purge import purge
from service.people.credentials import credentials
from service.web.app import create_app
from service.web.http.idempotency.stored_answers import CLAIMED, Keeper
from tests.contract import CheckedClient, operations
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.failing_commits import Killed, no_answer_to_commit
from tests.support.servers.databases import disconnect

KEY = {"Idempotency-Key": "7f3a9c1e-5b2d-4e86"}
OTHER = {"Idempotency-Key": "another-random-key-1"}
CREATING = (
    ("/api/players", {"name": "Dora", "token": "bot"}),
    ("/api/me/tokens", {"label": "bot"}),
    ("/api/me/feeds", {"label": "phone"}),
    ("/api/me/webhooks", {"label": "bot", "url": "https://bot.example/hook"}),
    ("/api/games", {"ruleset": CARAVAN}),
    (f"/api/rulesets/{CARAVAN}/lessons", {}),
)
"""The operations that create something only once, according to the document."""
each_creation = pytest.mark.parametrize(("path", "body"), CREATING)


@pytest.mark.both_databases
@each_creation
def test_a_repetition_gets_the_answer_from_before(app, cast, path, body):
    first = cast.alice.send("POST", path, json=body, headers=KEY)
    assert first.status_code == 201
    stored = dump(app)
    again = cast.alice.send("POST", path, json=body, headers=KEY)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers.get("Location") == first.headers.get("Location")
    assert dump(app) == stored
    quoted = {"Idempotency-Key": f'"{KEY["Idempotency-Key"]}"'}
    assert cast.alice.post(path, body, headers=quoted) == first.json
    assert cast.alice.post(path, body, headers=OTHER) != first.json
    assert cast.alice.post(path, body) != first.json


@sqlite_only
def test_a_browser_is_signed_in_again(app):
    first = app.test_client(use_cookies=False).post(
        "/api/players", json={"name": "Dora"}, headers=KEY
    )
    again = app.test_client(use_cookies=False).post(
        "/api/players", json={"name": "Dora"}, headers=KEY
    )
    assert again.headers["Set-Cookie"] == first.headers["Set-Cookie"]


@sqlite_only
@each_creation
def test_another_body_with_the_same_key_is_refused(cast, path, body):
    cast.alice.post(path, body, headers=KEY)
    other = {**body, **({"players": 2} if "ruleset" in body else {"expires_in_days": 3})}
    cast.alice.refused("POST", path, "other-request", other, headers=KEY)


@sqlite_only
def test_a_key_is_of_one_operation(cast):
    feed = cast.alice.post("/api/me/feeds", {"label": "bot"}, headers=KEY)
    token = cast.alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    assert "feed" in feed and "token" in token


@sqlite_only
def test_a_repetition_counts_for_the_limits(config, runtime):
    app = create_app(replace(config, rate_limits=True, attempt_limits=True), runtime)
    app.test_client_class = CheckedClient
    alice = Person(app, "Alice")
    left = [
        alice.send("POST", "/api/me/feeds", json={"label": "bot"}, headers=KEY).headers["RateLimit"]
        for _ in range(2)
    ]
    assert left[0] != left[1]
    disconnect(app)


@sqlite_only
def test_an_answer_from_before_keeps_its_language(cast):
    wish, key = {"ruleset": "caravan"}, {"Idempotency-Key": "k" * 20}
    told = [
        cast.alice.send(
            "POST", "/api/games", json=wish, headers={**key, "Accept-Language": language}
        )
        for language in ("ja", "en")
    ]
    assert [each.headers["Content-Language"] for each in told] == ["ja", "ja"]
    assert told[0].data == told[1].data


@pytest.mark.both_databases
def test_the_key_of_somebody_else_is_another(cast):
    mine = cast.alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    theirs = cast.bob.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    assert mine["token"]["id"] != theirs["token"]["id"]
    cast.alice.post("/api/games", {"ruleset": CARAVAN}, headers=KEY)  # another operation


@sqlite_only
def test_a_refused_request_leaves_the_key_free(cast):
    cast.alice.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": "whist"}, headers=KEY)
    cast.alice.refused("POST", "/api/games", "invalid-body", {"ruleset": 7}, headers=KEY)
    cast.alice.post("/api/games", {"ruleset": CARAVAN}, headers=KEY)


@sqlite_only
def test_after_a_day_the_key_is_forgotten(cast, clock):
    first = cast.alice.post("/api/games", {"ruleset": CARAVAN}, headers=KEY)
    clock.forward(DAY - 1)
    assert cast.alice.post("/api/games", {"ruleset": CARAVAN}, headers=KEY) == first
    clock.forward(1)
    assert cast.alice.post("/api/games", {"ruleset": CARAVAN}, headers=KEY) != first


@sqlite_only
def test_what_was_never_answered_is_not_done_again(app, cast):
    """As after a crash: nobody knows whether it was done."""
    scope, data = f"tokens.make_token {cast.alice.id}", b'{"label": "bot"}'
    with app.app_context():
        keeper = Keeper(scope, KEY["Idempotency-Key"])
        assert keeper.claim(sha256(data).digest())
    sent = {"data": data, "content_type": "application/json", "headers": KEY}
    cast.alice.refused("POST", "/api/me/tokens", "unfinished", **sent)
    assert cast.alice.get("/api/me/tokens")["tokens"] == []


@sqlite_only
@pytest.mark.parametrize(
    "key", ["", "short", "x" * 65, "with spaces in between", 'half"quoted-key-1', "é" * 16]
)
def test_other_keys_are_refused(cast, key):
    headers = {"Idempotency-Key": key}
    body = {"label": "x"}
    cast.alice.refused("POST", "/api/me/tokens", "invalid-idempotency-key", body, headers=headers)


@sqlite_only
def test_the_key_is_not_kept_and_the_answer_for_a_day_alone(app, cast, clock):
    made = cast.alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    assert KEY["Idempotency-Key"] not in repr(dump(app))
    clock.forward(2 * DAY)
    with app.app_context():
        purge(clock.at)
    assert made["token"]["secret"] not in repr(dump(app))


@sqlite_only
@pytest.mark.parametrize("answer", [bytes(range(256)), None], ids=["encrypted", "lost"])
def test_what_an_earlier_release_has_encrypted_or_lost_is_not_made_again(app, cast, clock, answer):
    """Nobody can read that response any more, and what it acknowledged exists: `Retry-After` says for how long."""
    sent = ("POST", "/api/me/tokens")
    cast.alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    execute(app, "UPDATE kept_answers SET answer = :answer", answer=answer)
    stored = dump(app)
    cast.alice.refused(*sent, "unfinished", {"label": "bot"}, headers=KEY)
    clock.forward(2 * CLAIMED)
    told = cast.alice.send(*sent, json={"label": "bot"}, headers=KEY)
    assert told.json["type"] == "/problems/unfinished"
    assert int(told.headers["Retry-After"]) == (DAY - 2 * CLAIMED) // 1000
    assert dump(app)["kept_answers"] == stored["kept_answers"]


class Defect(Exception):
    """A defect of a part that fails once."""


def failing_once(do):
    """`do`, which fails when it is first called."""
    calls = []

    def fail(*args, **kwargs):
        calls.append(args)
        if len(calls) == 1:
            raise Defect
        return do(*args, **kwargs)

    return fail


@pytest.mark.parametrize("before", [True, False], ids=["before", "answering"])
def test_a_request_that_failed_with_500_is_done_once(config, runtime, before):
    """A failure before the commit has made nothing; a repetition counts as the first request, and nothing is made
    twice.
    """
    app, alice = crashing(config, runtime, before=before)
    sent = {"json": {"label": "bot"}, "headers": KEY}
    assert alice.send("POST", "/api/me/tokens", **sent).status_code == 500
    assert alice.get("/api/me/tokens")["tokens"] == []
    first = alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY)
    assert alice.post("/api/me/tokens", {"label": "bot"}, headers=KEY) == first
    other = {"label": "another"}
    alice.refused("POST", "/api/me/tokens", "other-request", other, headers=KEY)
    assert len(alice.get("/api/me/tokens")["tokens"]) == 1
    disconnect(app)


def crashing(config, runtime, *, before):
    """An application whose next request fails, before it has created anything or while its response is sent."""
    app = create_app(replace(config, rate_limits=True), runtime)
    app.test_client_class = CheckedClient
    alice = Person(app, "Alice")
    services = app.extensions["tegami"]
    if before:
        app.extensions["tegami"] = replace(services, entropy=failing_once(runtime.entropy))
    else:
        app.json.response = failing_once(app.json.response)
    return app, alice


CREATED = 2
"""The index of the commit that creates something, among those of a request with a key: the first one claims the key."""


@pytest.mark.both_databases
@pytest.mark.parametrize("done", [False, True], ids=["lost", "done"])
@each_creation
def test_what_became_of_a_commit_is_found_out_by_a_repetition(app, cast, path, body, done):
    """If there was a commit, it gets the earlier response, secrets included; otherwise it is carried out, once."""
    alice, before = cast.alice, how_many(app)
    with no_answer_to_commit(app, CREATED, done=done):
        assert alice.send("POST", path, json=body, headers=KEY).status_code == 500
    assert (how_many(app) != before) is done
    first = alice.post(path, body, headers=KEY)
    made = how_many(app)
    assert alice.post(path, body, headers=KEY) == first
    assert how_many(app) == made
    assert sum(made.values()) - sum(before.values()) == 1 + ("token" in body)


@sqlite_only
@each_creation
def test_a_claim_ends_where_nothing_was_created(app, cast, clock, path, body):
    alice, created = cast.alice, how_many(app)
    with no_answer_to_commit(app, CREATED, done=False, error=Killed()), pytest.raises(Killed):
        alice.send("POST", path, json=body, headers=KEY)
    assert how_many(app) == created
    clock.forward(CLAIMED - 1)
    assert alice.send("POST", path, json=body, headers=KEY).headers["Retry-After"] == "1"
    alice.refused("POST", path, "unfinished", body, headers=KEY)
    clock.forward(1)
    made = alice.post(path, body, headers=KEY)
    clock.forward(CLAIMED)
    assert alice.post(path, body, headers=KEY) == made


@sqlite_only
@each_creation
def test_an_answer_is_there_where_something_was_created(app, cast, clock, path, body):
    """This holds however the process ended that created it."""
    alice = cast.alice
    with no_answer_to_commit(app, CREATED, done=True, error=Killed()), pytest.raises(Killed):
        alice.send("POST", path, json=body, headers=KEY)
    created = how_many(app)
    first = alice.post(path, body, headers=KEY)
    clock.forward(DAY - 1)
    assert alice.post(path, body, headers=KEY) == first
    assert how_many(app) == created
    clock.forward(1)
    assert alice.post(path, body, headers=KEY) != first


def how_many(app):
    """The number of each thing that a request creates."""
    stored = dump(app)
    return {name: len(stored[name]) for name in ("credentials", "receivers", "games")}


@sqlite_only
def test_who_has_been_overtaken_creates_nothing(app, cast, clock):
    """A request took longer than a claim lasts; by then another process had answered the same one."""
    scope, data = f"tokens.make_token {cast.alice.id}", b'{"label": "bot"}'
    sent = {"data": data, "content_type": "application/json", "headers": KEY}

    def make():
        clock.forward(CLAIMED)
        Context().run(cast.alice.post, "/api/me/tokens", **sent)  # in another process
        with transaction():
            credentials.create(app.extensions["tegami"], cast.alice.id, credentials.FEED, "mine")
        return "made"

    with app.app_context(), pytest.raises(Unfinished):
        Keeper(scope, KEY["Idempotency-Key"]).once(data, make)
    assert len(cast.alice.get("/api/me/tokens")["tokens"]) == 1
    assert cast.alice.get("/api/me/feeds")["feeds"] == []
    cast.alice.post("/api/me/tokens", **sent)


def test_what_takes_a_key_is_what_creates_something():
    described = {
        each.path.format(slug=CARAVAN)
        for each in operations()
        if "Idempotency-Key" in {one["name"] for one in each.parameters}
    }
    assert described == {path for path, _ in CREATING}


@sqlite_only
def test_what_is_put_or_deleted_twice_changes_nothing_more(app, cast):
    game = f"/api/games/{cast.open(CARAVAN)}"
    cast.alice.post(f"{game}/messages", {"channel": "seats", "text": "x"})
    token = cast.alice.post("/api/me/tokens", {"label": "x"})["token"]
    feed = cast.alice.post("/api/me/feeds", {"label": "x"})["feed"]
    for method, path, body in (
        ("PUT", f"{game}/notes", {"text": "mine"}),
        ("PUT", f"{game}/marks", {"channel": "seats", "number": 1}),
        ("PUT", f"{game}/nonce", {"nonce": "0123456789abcdef"}),
        ("DELETE", f"/api/me/tokens/{token['id']}", None),
        ("DELETE", f"/api/me/feeds/{feed['id']}", None),
    ):
        assert cast.alice.send(method, path, json=body).status_code in (200, 204), path
        stored = dump(app)
        assert cast.alice.send(method, path, json=body).status_code in (200, 404), path
        assert dump(app) == stored
