"""Wrong bodies: each gets a problem with its own type, and nothing is changed."""

from __future__ import annotations

import io
import json

import pytest

from service.web.http.bodies.body_and_query import LARGEST_BODY
from tests.support.cast import BOOMERANG, CARAVAN, refused, sqlite_only
from tests.support.in_one_go import in_one_go

NUL, BIDI = "a\x00b", "a\u202eb"


@pytest.fixture
def requests(cast, game_id, open_id):
    """Every operation that takes a body, with a valid one."""
    action = {"type": "discard", "card": "As"}
    return {
        "players": ("POST", "/api/players", {"name": "Dora", "language": "ja", "token": "x"}),
        "sign-ins": ("POST", "/api/sign-ins", {"key": "x" * 43}),
        "me": ("PATCH", "/api/me", {"name": "Alicia", "language": "ja"}),
        "tokens": ("POST", "/api/me/tokens", {"label": "x"}),
        "registration": ("POST", "/api/me/registration", {"handle": "alice", "address": "a@b.org"}),
        "links": ("POST", "/api/links", {"kind": "reset", "who": "alice"}),
        "verifications": ("POST", "/api/verifications", {"key": "x" * 50}),
        "settings": ("PATCH", "/api/me/settings", {"language": "ja", "time_zone": "UTC"}),
        "vacations": ("POST", "/api/me/vacations", {"first": "2027-01-01", "last": "2027-01-01"}),
        "games": ("POST", "/api/games", {"ruleset": CARAVAN, "options": {}}),
        "seats": ("POST", f"/api/games/{open_id}/seats", {"house": True, "nonce": "ab" * 8}),
        "actions": ("POST", f"/api/games/{game_id}/actions", {"asked": 1, "action": action}),
    }


OPERATIONS = (
    *("players", "sign-ins", "me", "tokens", "games", "seats", "actions"),
    *("registration", "links", "verifications", "settings", "vacations"),
)
each_operation = in_one_go("operation", OPERATIONS)


# JSON

MALFORMED = (
    b"{",
    b"{]",
    b"nul",
    b"{'name': 'x'}",
    b'{"name": "x",}',
    b'{"name": NaN}',
    b'{"name": Infinity}',
    b'{"name": 01}',
    b'{"name": "\x00"}',
    b'{"name": "\xff"}',
    b'{"name": "\\ud800"}',
    b'{"name": "\\udc00\\ud800"}',
    b'\xef\xbb\xbf{"name": "x"}',
    '{"name": "x"}'.encode("utf-16"),
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    b"[" * 10_000,
    b'{"name": "x"} {}',
    b'{"name": "x", "name": "y"}',
    b'{"options": {"joker": "one", "joker": "both"}}',
    b"\x00",
    b" ",
)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_malformed_json(cast, requests, operation):
    method, path, _ = requests[operation]
    for data in MALFORMED:
        refused(cast.alice, method, path, "malformed-json", data)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_json_that_is_not_an_object_is_invalid(cast, requests, operation):
    method, path, _ = requests[operation]
    for data in ("[]", "null", "true", "1", '"x"', '["name"]', "1e400"[:4]):
        errors = refused(cast.alice, method, path, "invalid-body", data)["errors"]
        assert list(errors) == ["body"]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_other_media_types_are_refused(cast, requests, operation):
    method, path, body = requests[operation]
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "application/xml", "json"):
        refused(cast.alice, method, path, "unsupported-media-type", json.dumps(body), kind)


@sqlite_only
def test_a_parameter_of_the_media_type_is_ignored(cast):
    data = json.dumps({"name": "Dora"}).encode()
    answer = cast.nobody.send(
        "POST", "/api/players", data=data, content_type="application/json; charset=utf-8"
    )
    assert answer.status_code == 201


# Size


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_a_body_over_64_kib_is_refused(cast, requests, operation):
    method, path, body = requests[operation]
    large = json.dumps({**body, "more": "x" * LARGEST_BODY})
    refused(cast.alice, method, path, "body-too-large", large)
    chunked = {
        "input_stream": io.BytesIO(large.encode()),
        "headers": {"Transfer-Encoding": "chunked", "Content-Type": "application/json"},
        "environ_overrides": {"wsgi.input_terminated": True},
    }
    cast.alice.refused(method, path, "body-too-large", **chunked)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_a_body_of_exactly_64_kib_is_read(cast):
    body = json.dumps({"name": "x" * 80})
    errors = refused(cast.nobody, "POST", "/api/players", "invalid-body", body.ljust(LARGEST_BODY))
    assert list(errors["errors"]) == ["name"]


# Shape

WRONG = (
    None,
    True,
    0,
    1.5,
    -1,
    [],
    {},
    [None],
    {"a": 1},
    "",
    NUL,
    BIDI,
    "x" * 10_000,
    2**70,
    1e300,
)


@pytest.mark.usefixtures("unchanged")
@each_operation
def test_a_member_of_the_wrong_kind_is_named(cast, requests, operation):
    method, path, body = requests[operation]
    for member, right in body.items():
        for wrong in WRONG:
            if isinstance(right, dict) and isinstance(wrong, dict):
                continue  # actions and options are judged by the rules
            if isinstance(right, bool) and isinstance(wrong, bool):
                continue
            if member == "asked" and wrong == 0 and not isinstance(wrong, bool):
                continue
            sent = {**body, member: wrong}
            data = json.dumps(sent)
            problem = refused(cast.alice, method, path, "invalid-body", data)
            assert list(problem["errors"]) == [member], (member, wrong)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_unknown_members_are_refused(cast, requests, operation):
    method, path, body = requests[operation]
    for name in ("more", "", NUL, "__class__", "Name", "body", "x" * 1000):
        data = json.dumps({**body, name: 1})
        assert list(refused(cast.alice, method, path, "invalid-body", data)["errors"]) == [name]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@in_one_go(
    "operation, required",
    [
        ("players", ["name"]),
        ("sign-ins", ["key"]),
        ("tokens", ["label"]),
        ("games", ["ruleset"]),
        ("actions", ["asked", "action"]),
        ("registration", ["handle", "address"]),
        ("links", ["kind", "who"]),
        ("verifications", ["key"]),
        ("vacations", ["first", "last"]),
    ],
)
def test_missing_members_are_named(cast, requests, operation, required):
    method, path, body = requests[operation]
    for name in required:
        data = json.dumps({key: value for key, value in body.items() if key != name})
        assert list(refused(cast.alice, method, path, "invalid-body", data)["errors"]) == [name]
    for data in ("{}", ""):
        errors = refused(cast.alice, method, path, "invalid-body", data)["errors"]
        assert sorted(errors) == sorted(required)


NOT_LINES = ("", " ", " x", "x ", "x\n", NUL, "\x7f", "\x85", BIDI, "\u2066", "\u2028", "\u3000x")
LINES = ("x" * 40, "りん", "👩‍👩‍👧", "'; DROP TABLE events; --", "<b>&amp;", "x\\", "%s{}")
NOT_NONCES = ("ab", "AB" * 8, "ab" * 33, "xy" * 8, "ab" * 8 + "\n", "а" * 16)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_names_and_labels_are_lines_of_text(cast):
    for line in NOT_LINES:
        cast.alice.refused("POST", "/api/me/tokens", "invalid-body", {"label": line})
    for line in (*NOT_LINES, "x" * 41):
        cast.nobody.refused("POST", "/api/players", "invalid-body", {"name": line})
        cast.alice.refused("PATCH", "/api/me", "invalid-body", {"name": line})


@pytest.mark.both_databases
def test_names_may_hold_any_other_text(cast):
    for line in LINES:
        assert cast.nobody.post("/api/players", {"name": line})["player"]["name"] == line


@pytest.mark.usefixtures("unchanged")
@sqlite_only
def test_nonces_are_hexadecimal(cast, open_id):
    for nonce in NOT_NONCES:
        body = {"nonce": nonce}
        cast.bob.refused("POST", f"/api/games/{open_id}/seats", "invalid-body", body)
        cast.bob.refused("POST", "/api/games", "invalid-body", {"ruleset": BOOMERANG, **body})
