"""The audit log: a line for each sign-in, change of credentials and refusal, without anything that people typed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from service.web.app import create_app
from tests.contract import operations
from tests.support.accounts import OTHER, PASSWORD, Bag
from tests.support.cast import Person, sqlite_only
from tests.support.servers.databases import disconnect

pytestmark = [sqlite_only, pytest.mark.usefixtures("everybody")]

ADDRESS = "alice.secret@example.org"
CREDENTIALS = (
    *("/api/sign-ins", "/api/links", "/api/password-resets", "/api/verifications", "/api/players"),
    *("/api/me/registration", "/api/me/password", "/api/me/address", "/api/me/erasure"),
    *("/api/me/link", "/api/me/tokens", "/api/me/sign-ins", "/api/address-rejections"),
)
"""The beginnings of paths of operations about ways to sign in."""


@pytest.fixture
def bag(app):
    return Bag(app)


@pytest.fixture
def audited(capsys):
    """The new lines of the audit log."""

    def read():
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        found = [line for line in lines if line["event"] == "audit"]
        assert all(line.keys() <= KEYS for line in found)
        return found

    return read


KEYS = {"event", "level", "timestamp", "what", "outcome", "who", "login", "network", "request"}


@pytest.fixture
def one(audited):
    """The content of the only line, and whose it is."""

    def read(who=None):
        (line,) = audited()
        assert line.get("who") == (who and who.id)
        assert line["level"] == ("info" if line["outcome"] == "done" else "warning")
        return line["what"], line["outcome"]

    return read


def test_sign_ins(app, cast, bag, audited, one):
    alice, visitor = cast.alice, Person(app)
    registration = {"handle": "alice", "address": ADDRESS, "password": PASSWORD}
    audited()
    alice.post("/api/me/registration", registration)
    assert one(alice) == ("POST /api/me/registration", "done")
    alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert one(alice) == ("POST /api/verifications", "done")
    visitor.post("/api/sign-ins", {"who": "alice", "password": PASSWORD})
    (line,) = audited()
    assert (line["what"], line["outcome"]) == ("POST /api/sign-ins", "done")
    assert (line["who"], line["login"][:2]) == (alice.id, "l_")
    visitor.delete("/api/sign-ins/current")
    assert one(alice) == ("DELETE /api/sign-ins/current", "done")
    visitor.post("/api/links", {"kind": "sign-in", "who": "Alice"}, 202)
    (asked,) = audited()
    assert (asked["what"], asked["outcome"]) == ("POST /api/links", "done")
    assert asked["login"] == line["login"]
    visitor.post("/api/sign-ins", {"mailed": bag.key("sign-in")})
    assert one(alice) == ("POST /api/sign-ins", "done")


def test_failed_sign_ins(app, cast, audited):
    visitor = Person(app)
    audited()
    visitor.refused("POST", "/api/sign-ins", "wrong-key", {"key": "k" * 43})
    for who in ("nobody", "NOBODY", "somebody"):
        wish = {"who": who, "password": OTHER}
        visitor.refused("POST", "/api/sign-ins", "wrong-password", wish)
    lines = audited()
    assert {line["what"] for line in lines} == {"POST /api/sign-ins"}
    outcomes = [line["outcome"] for line in lines]
    assert outcomes == ["wrong-key", *["wrong-password"] * 3]
    assert not any("who" in line for line in lines)
    logins = [line.get("login") for line in lines]
    assert logins[0] is None and logins[1] == logins[2] != logins[3]


def test_changes_of_credentials(cast, audited, one):
    alice = cast.alice
    alice.post("/api/me/registration", {"handle": "alice", "address": ADDRESS})
    audited()
    alice.send("PUT", "/api/me/password", json={"password": PASSWORD})
    assert one(alice) == ("PUT /api/me/password", "done")
    wrong = {"password": OTHER, "current_password": "wrong horse"}
    alice.refused("PUT", "/api/me/password", "wrong-password", wrong)
    assert one(alice) == ("PUT /api/me/password", "wrong-password")
    changed = {"address": "other@example.org", "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=changed)
    assert one(alice) == ("PUT /api/me/address", "done")
    alice.post("/api/me/link")
    assert one(alice) == ("POST /api/me/link", "done")
    token = alice.post("/api/me/tokens", {"label": "my secret robot"})["token"]
    assert one(alice) == ("POST /api/me/tokens", "done")
    alice.delete(f"/api/me/tokens/{token['id']}")
    assert one(alice) == ("DELETE /api/me/tokens/{token_id}", "done")
    alice.get("/api/me/export")
    assert one(alice) == ("GET /api/me/export", "done")
    alice.get("/api/me")
    assert audited() == []
    alice.post("/api/me/erasure", {"current_password": PASSWORD}, 204)
    assert one(alice) == ("POST /api/me/erasure", "done")


def test_refusals(cast, open_id, audited, one):
    audited()
    cast.nobody.refused("GET", "/api/me", "not-signed-in")
    assert one() == ("GET /api/me", "not-signed-in")
    cast.bob.refused("POST", f"/api/games/{open_id}/start", "not-host")
    assert one(cast.bob) == ("POST /api/games/{game_id}/start", "not-host")
    foreign = {"Sec-Fetch-Site": "cross-site"}
    cast.alice.refused("PATCH", "/api/me", "cross-site", {"name": "Eve"}, headers=foreign)
    assert one() == ("PATCH /api/me", "cross-site")
    cast.bob.refused("POST", "/api/me/link", "cookie-only")
    assert one(cast.bob) == ("POST /api/me/link", "cookie-only")
    made = cast.alice.post("/api/me/tokens", {"label": "x", "scopes": ["read"]})["token"]
    audited()
    headers = {"Authorization": f"Bearer {made['secret']}"}
    cast.nobody.refused("GET", "/api/me/export", "missing-scope", headers=headers)
    assert one(cast.alice) == ("GET /api/me/export", "missing-scope")


def test_too_many_requests(config, runtime, audited):
    app = create_app(
        replace(config, rate_limits=True, attempt_limits=True, trusted_proxies=1), runtime
    )
    person = Person(app)
    for number in range(25):
        key = {"key": f"{number:043}"}
        answer = person.send(
            "POST", "/api/sign-ins", json=key, headers={"X-Forwarded-For": "192.0.2.7"}
        )
    assert answer.status_code == 429
    assert audited()[-1]["outcome"] == "too-many-requests"
    disconnect(app)


def test_every_operation_that_is_about_credentials_is_logged(app, audited):
    audited()
    for operation in operations():
        if operation.method != "get" and operation.path.startswith(CREDENTIALS):
            path = operation.path.replace("{token_id}", "k_" + "x" * 22)
            path = path.replace("{sign_in_id}", "k_" + "x" * 22)
            app.test_client().open(path, method=operation.method.upper(), json={"nonsense": 1})
            (line,) = audited()
            assert line["what"] == f"{operation.method.upper()} {operation.path}"
            assert line["outcome"] != "server-error"


def test_networks_are_told_apart_and_not_named(config, runtime, audited):
    app = create_app(replace(config, trusted_proxies=1), runtime)
    networks = []
    for address in ("192.0.2.7", "192.0.2.7", "192.0.2.8", "2001:db8::1", "2001:db8::2"):
        app.test_client().get("/api/me", headers={"X-Forwarded-For": address})
        (line,) = audited()
        networks.append(line["network"])
        assert address not in json.dumps(line)
    assert networks[0] == networks[1] != networks[2] != networks[3] == networks[4]
    assert all(each.startswith("n_") for each in networks)
    disconnect(app)


def test_nothing_that_anybody_typed_is_logged(app, cast, bag, capsys):
    """This holds for every attempt at every operation, however it ends."""
    alice, visitor = cast.alice, Person(app)
    registration = {"handle": "al-secret", "address": ADDRESS, "password": PASSWORD}
    alice.post("/api/me/registration", registration)
    alice.post("/api/verifications", {"key": (verified := bag.key("verify"))}, 204)
    token = alice.post("/api/me/tokens", {"label": "Bakenekos Roboter"})["token"]["secret"]
    link = alice.post("/api/me/link")["link"]["key"]
    typed = {
        *("al-secret", ADDRESS, "alice.secret", PASSWORD, OTHER, verified, token, link),
        *("Bakenekos Roboter", "Alice", "Mallory", "127.0.0.1", "tgm_", "k" * 43, "Quixote"),
    }
    bodies = [
        {"who": ADDRESS, "password": PASSWORD},
        {"who": "al-secret", "password": OTHER},
        {"who": "al-secret", "kind": "reset"},
        {"key": link},
        {"key": "k" * 43},
        {"mailed": verified},
        {"name": "Quixote", "token": "Bakenekos Roboter"},
        {"password": OTHER, "current_password": PASSWORD},
        {"label": "Bakenekos Roboter"},
    ]
    headers = [{}, {"Authorization": f"Bearer {token}"}, {"Sec-Fetch-Site": "cross-site"}]
    for operation in operations():
        if operation.method != "get" and operation.path.startswith(CREDENTIALS):
            for number, body in enumerate(bodies):
                visitor.send(
                    operation.method.upper(),
                    operation.path.replace("{token_id}", link).replace("{sign_in_id}", token),
                    json=body,
                    headers={**headers[number % 3], "User-Agent": OTHER},
                    query_string={"secret": PASSWORD} if number == 3 else None,
                )
    logged = capsys.readouterr().err
    assert logged.count('"audit"') > 100
    assert [each for each in typed if each.lower() in logged.lower()] == []
