"""Each request has an id, which its response, its problem and its log lines share."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.cast import sqlite_only

pytestmark = sqlite_only

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
PATHS = (
    "/",
    "/api/rulesets",
    "/api/me",
    "/api/nothing",
    "/openapi.yaml",
    "/app.js",
    "/plain/me",
    "/healthz",
)
NO_TRACES = (
    f"00-{'0' * 32}-00f067aa0ba902b7-01",
    f"00-{TRACE}-{'0' * 16}-01",
    PARENT.upper(),
    TRACE,
    f"00-{TRACE}-00f067aa0ba902b7",
)
NO_IDS = (
    "",
    "short",
    "x" * 65,
    "with a blank",
    "a\tb-c-d-e-f",
    "<script>alert",
    "\xe9" * 9,
    '"quoted-id"',
)


def asked(client, path, **headers):
    """The id of the response; if the response is a problem, it has the same id."""
    answer = client.get(
        path, headers={each.replace("_", "-"): value for each, value in headers.items()}
    )
    (told,) = answer.headers.getlist("X-Request-Id")
    if answer.mimetype == "application/problem+json":
        assert answer.json["request_id"] == told
    return told


@pytest.mark.parametrize("path", PATHS)
def test_an_id_that_is_brought_is_kept(client, path):
    assert asked(client, path, X_Request_Id="edge-17_a.B") == "edge-17_a.B"
    assert asked(client, path, traceparent=PARENT) == TRACE
    assert (
        asked(client, path, traceparent=f"cc{PARENT[2:]}-more", X_Request_Id="edge-17_a") == TRACE
    )


def test_what_is_no_id_is_not_repeated(client):
    for wrong in NO_IDS:
        raw = {"HTTP_X_REQUEST_ID": wrong}
        told = client.get("/api/me", environ_overrides=raw).headers["X-Request-Id"]
        assert re.fullmatch("[0-9a-f]{32}", told), wrong
    for wrong in NO_TRACES:
        assert asked(client, "/api/me", traceparent=wrong, X_Request_Id="edge-17_a") == "edge-17_a"


def test_each_request_without_one_gets_its_own(client):
    raw = {"HTTP_X_REQUEST_ID": ""}
    told = [client.get("/api/me", environ_overrides=raw).headers["X-Request-Id"] for _ in range(9)]
    assert len(set(told)) == 9


@pytest.mark.own_database  # the application is spoilt
def test_lines_that_are_logged_of_a_request_have_its_id(app, capsys):
    """These are a refusal in the audit log, and a crash; the next request has another id."""

    def crash():
        raise RuntimeError

    app.view_functions["whole_server.get_health"] = crash
    client = app.test_client()
    capsys.readouterr()
    client.get("/api/me", headers={"X-Request-Id": "a-refusal"})
    answer = client.get("/healthz", headers={"X-Request-Id": "the-crash"})
    assert answer.json["request_id"] == "the-crash"
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(each["event"], each["request"]) for each in told] == [
        ("audit", "a-refusal"),
        ("crash", "the-crash"),
    ]


def test_an_idle_poll_says_it_too(cast, game_id):
    path = f"/api/games/{game_id}"
    tag = cast.alice.send("GET", path).headers["ETag"]
    headers = {"If-None-Match": tag, "X-Request-Id": "an-idle-poll"}
    answer = cast.alice.send("GET", path, headers=headers)
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (304, "an-idle-poll")
