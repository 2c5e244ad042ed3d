"""Whatever a stranger sends that is not right: a problem of its own type, and nothing is changed."""

from __future__ import annotations

import io
import json

import pytest

from service.schemas import MOST
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.dump import dump

MOST_BYTES = 64 * 1024
NUL, BIDI = "a\x00b", "a\u202eb"


@pytest.fixture
def game_id(cast):
    return cast.start(CARAVAN)


@pytest.fixture
def open_id(cast):
    return cast.open()


@pytest.fixture
def unchanged(app, cast, game_id, open_id):
    """At the end of the test the database is as it was."""
    stored = dump(app)
    yield
    assert dump(app) == stored


@pytest.fixture
def sendings(cast, game_id, open_id):
    """Every operation that takes a body, as somebody who may use it, with a right body."""
    action = {"type": "discard", "card": "As"}
    return {
        "players": ("POST", "/api/players", {"name": "Dora", "language": "ja", "token": "x"}),
        "sign-ins": ("POST", "/api/sign-ins", {"key": "x" * 43}),
        "me": ("PATCH", "/api/me", {"name": "Alicia", "language": "ja"}),
        "tokens": ("POST", "/api/me/tokens", {"label": "x"}),
        "games": ("POST", "/api/games", {"ruleset": CARAVAN, "options": {}, "nonce": "ab" * 8}),
        "seats": ("POST", f"/api/games/{open_id}/seats", {"house": True, "nonce": "ab" * 8}),
        "actions": ("POST", f"/api/games/{game_id}/actions", {"asked": 1, "action": action}),
    }


OPERATIONS = ("players", "sign-ins", "me", "tokens", "games", "seats", "actions")
each_operation = pytest.mark.parametrize("operation", OPERATIONS)


def refused(person, method, path, slug, data, kind="application/json"):
    """The problem document with which these bytes are answered."""
    data = data if isinstance(data, bytes) else data.encode()
    return person.refused(method, path, slug, data=data, content_type=kind)


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
def test_what_is_not_json_is_malformed(cast, sendings, operation):
    method, path, _ = sendings[operation]
    for data in MALFORMED:
        refused(cast.alice, method, path, "malformed-json", data)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_json_that_is_no_object_is_invalid(cast, sendings, operation):
    method, path, _ = sendings[operation]
    for data in ("[]", "null", "true", "1", '"x"', '["name"]', "1e400"[:4]):
        errors = refused(cast.alice, method, path, "invalid-body", data)["errors"]
        assert list(errors) == ["body"]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_what_is_not_declared_as_json_is_refused(cast, sendings, operation):
    method, path, body = sendings[operation]
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "application/xml", "json"):
        refused(cast.alice, method, path, "unsupported-media-type", json.dumps(body), kind)


@sqlite_only
def test_a_parameter_of_the_media_type_does_no_harm(cast):
    data = json.dumps({"name": "Dora"}).encode()
    answer = cast.nobody.send(
        "POST", "/api/players", data=data, content_type="application/json; charset=utf-8"
    )
    assert answer.status_code == 201


# Size


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@each_operation
def test_a_body_over_64_kib_is_refused(cast, sendings, operation):
    method, path, body = sendings[operation]
    large = json.dumps({**body, "more": "x" * MOST_BYTES})
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
    errors = refused(cast.nobody, "POST", "/api/players", "invalid-body", body.ljust(MOST_BYTES))
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
def test_a_member_of_the_wrong_kind_is_named(cast, sendings, operation):
    method, path, body = sendings[operation]
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
def test_unknown_members_are_refused(cast, sendings, operation):
    method, path, body = sendings[operation]
    for name in ("more", "", NUL, "__class__", "Name", "body", "x" * 1000):
        data = json.dumps({**body, name: 1})
        assert list(refused(cast.alice, method, path, "invalid-body", data)["errors"]) == [name]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize("operation", ["players", "sign-ins", "tokens", "games", "actions"])
def test_what_is_missing_is_named(cast, sendings, operation):
    method, path, body = sendings[operation]
    required = {
        "players": ["name"],
        "sign-ins": ["key"],
        "tokens": ["label"],
        "games": ["ruleset"],
        "actions": ["asked", "action"],
    }[operation]
    for name in required:
        data = json.dumps({key: value for key, value in body.items() if key != name})
        assert list(refused(cast.alice, method, path, "invalid-body", data)["errors"]) == [name]
    for data in ("{}", ""):
        errors = refused(cast.alice, method, path, "invalid-body", data)["errors"]
        assert sorted(errors) == sorted(required)


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " x",
        "x ",
        "x\n",
        NUL,
        "\x7f",
        "\x85",
        BIDI,
        "\u2066",
        "\u2028",
        "x" * 41,
        "\u3000x",
    ],
)
def test_names_are_lines_of_text(cast, name):
    cast.nobody.refused("POST", "/api/players", "invalid-body", {"name": name})
    cast.alice.refused("PATCH", "/api/me", "invalid-body", {"name": name})
    if len(name) != 41:
        cast.alice.refused("POST", "/api/me/tokens", "invalid-body", {"label": name})


@pytest.mark.parametrize(
    "name", ["x" * 40, "りん", "👩‍👩‍👧", "'; DROP TABLE events; --", "<b>&amp;", "\\", "%s{}"]
)
def test_names_are_free_otherwise(cast, name):
    assert cast.nobody.post("/api/players", {"name": name})["player"]["name"] == name


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize("nonce", ["ab", "AB" * 8, "ab" * 33, "xy" * 8, "ab" * 8 + "\n", "а" * 16])
def test_nonces_are_hexadecimal(cast, open_id, nonce):
    body = {"nonce": nonce}
    cast.bob.refused("POST", f"/api/games/{open_id}/seats", "invalid-body", body)
    cast.bob.refused("POST", "/api/games", "invalid-body", {"ruleset": BOOMERANG, **body})


# Tables that cannot be


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize("ruleset", ["chess", "caravan2", "kernel", "cards", "rules", "car-avan"])
def test_an_unknown_ruleset(cast, ruleset):
    problem = cast.alice.refused("POST", "/api/games", "unknown-ruleset", {"ruleset": ruleset})
    assert {BOOMERANG, CARAVAN} <= set(problem["may"])


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize(
    "wish",
    [
        {"ruleset": CARAVAN, "players": 3},
        {"ruleset": BOOMERANG, "players": 2},
        {"ruleset": BOOMERANG, "players": 100},
        {"ruleset": BOOMERANG, "house": 3},
        {"ruleset": CARAVAN, "players": 2, "house": 2},
    ],
    ids=str,
)
def test_a_wrong_number_of_players(cast, wish):
    problem = cast.alice.refused("POST", "/api/games", "invalid-players", wish)
    assert problem["may"] == ([2] if wish["ruleset"] == CARAVAN else [3])


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize(
    "options",
    [
        {"joker": "two"},
        {"joker": None},
        {"joker": True},
        {"joker": ["none"]},
        {"joker": {"none": 1}},
        {"joker": 1e308},
        {"Joker": "none"},
        {"joker": "none", "more": 1},
        {"": "none"},
        {NUL: NUL},
        {"joker": "x" * 50_000},
        {"joker": 2**64},
    ],
    ids=lambda options: str(options)[:40],
)
def test_an_unknown_option(cast, options):
    wish = json.dumps({"ruleset": CARAVAN, "options": options})
    problem = refused(cast.alice, "POST", "/api/games", "invalid-options", wish)
    assert "joker" in str(problem["may"])
    wish = json.dumps({"ruleset": BOOMERANG, "options": options})
    refused(cast.alice, "POST", "/api/games", "invalid-options", wish)


# Actions that cannot be


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    "action",
    [
        {"type": "fly"},
        {"type": ""},
        {"type": NUL},
        {"type": "open"},
        {"type": "open", "cards": None},
        {"type": "open", "cards": []},
        {"type": "open", "cards": {}},
        {"type": "open", "cards": "As2s3s"},
        {"type": "open", "cards": [[], {}, None]},
        {"type": "open", "cards": nested(500)},
        {"type": "open", "cards": ["As"] * 5000},
        {"type": "open", "cards": [2**63, -(2**63), 1e308]},
        {"type": "open", "cards": ["As", "2s", "3s"], "more": nested(500)},
        {"type": "__init__"},
        {"type": "reveal"},
        {"type": "é" * 1000},
    ],
    ids=lambda action: str(action)[:40],
)
def test_an_illegal_action(cast, game_id, action):
    game = cast.alice.game(game_id)
    data = json.dumps({"asked": game["asked"], "action": action})
    path = f"/api/games/{game_id}/actions"
    problem = refused(cast.alice, "POST", path, "illegal-action", data)
    assert problem["why"]["wrong"] in {"type", "cards"}
    assert problem["legal"] == game["legal"]


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize(
    "action", [{}, {"cards": []}, {"type": None}, {"type": 1}, {"type": ["open"]}]
)
def test_an_action_has_a_type(cast, game_id, action):
    asked = cast.alice.game(game_id)["asked"]
    body = {"asked": asked, "action": action}
    errors = cast.alice.refused("POST", f"/api/games/{game_id}/actions", "invalid-body", body)
    assert list(errors["errors"]) == ["action"]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("asked", [-1, MOST + 1, 2**63, 2**64, 1.5, "3", True, None, 1e19])
def test_a_question_is_a_number(cast, game_id, asked):
    data = json.dumps({"asked": asked, "action": {"type": "open"}})
    errors = refused(cast.alice, "POST", f"/api/games/{game_id}/actions", "invalid-body", data)
    assert list(errors["errors"]) == ["asked"]


@pytest.mark.usefixtures("unchanged")
def test_who_has_no_seat_learns_nothing(cast, game_id):
    body = {"asked": cast.alice.game(game_id)["asked"], "action": {"type": "open"}}
    problem = cast.carol.refused("POST", f"/api/games/{game_id}/actions", "not-seated", body)
    assert problem.keys() == {"type", "title", "status", "detail"}


# Paths and queries


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    "path",
    [
        "/api/games/g_short",
        "/api/games/g_0123456789abcdefABCDEF",
        "/api/games/g_0123456789abcdefABCDE\x00",
        "/api/games/%00",
        "/api/games/g_0123456789abcdefABCDEF%00/events",
        "/api/games/g_0123456789abcdefABCDEF/events",
        "/api/games/g_0123456789abcdefABCDEF/record",
        "/api/games/../me",
        "/api//games",
        "/api/games/",
        "/api/rulesets/%00",
        "/api/rulesets/..%2fkernel",
        "/api/rulesets/kernel",
        "/api/words/..%2f..",
        "/api/words/%ff",
        "/api/unknown",
        "/rules/%ed%a0%80",
        "/rules/kernel",
        "/problems/%00",
        "/problems/unknown",
        "/problems/stale.title",
        "/..%2fpyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/service/models.py",
    ],
)
def test_what_is_not_there_is_not_found(cast, path):
    cast.alice.refused("GET", path, "not-found")


@pytest.mark.usefixtures("unchanged")
@sqlite_only
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/api/games"),
        ("PUT", "/api/me"),
        ("POST", "/api/rulesets"),
        ("OPTIONS", "/api/games"),
        ("TRACE", "/api/me"),
        ("BREW", "/api/me"),
        ("GET", "/api/players"),
    ],
)
def test_an_unknown_method_is_told_the_known_ones(cast, method, path):
    cast.alice.refused(method, path, "method-not-allowed")
    assert cast.alice.send(method, path).headers["Allow"]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=51",
        "limit=x",
        "limit=",
        "limit=1.0",
        "limit=1e1",
        "limit=+5",
        "limit=%205",
        "limit=1_0",
        "limit=٥",
        "limit=99999999999999999999",
        "cursor=0",
        "cursor=-1",
        "cursor=x",
        "cursor=",
        "cursor=1%00",
        "cursor=1%0A",
        "cursor=1234567890123456789",
        "cursor=٥",
        "status=Open",
        "status=",
        "status=%00",
        "mine=1",
        "mine=TRUE",
        "mine=",
        "ruleset=%00",
        "ruleset=",
        "ruleset=Caravan",
        "unknown=1",
        "=1",
        "limit=5&more=1",
        "%00=1",
    ],
)
@sqlite_only
def test_a_query_of_the_lobby_that_cannot_be(cast, query):
    errors = cast.nobody.refused("GET", f"/api/games?{query}", "invalid-query")["errors"]
    assert len(errors) == 1


@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        f"after={MOST + 1}",
        "after=x",
        "limit=0",
        "limit=201",
        "after=%00",
        "from=1",
        "after=+1",
    ],
)
@sqlite_only
def test_a_query_of_the_history_that_cannot_be(cast, open_id, query):
    errors = cast.nobody.refused("GET", f"/api/games/{open_id}/events?{query}", "invalid-query")
    assert len(errors["errors"]) == 1


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("value", ["\x7f", "é", "\xff\xfe", "x" * 5000, "Bearer", "tgm_\x01", '"'])
def test_strange_headers_do_no_harm(cast, open_id, value):
    path = f"/api/games/{open_id}"
    for name in ("Invitation", "If-None-Match", "Accept-Language", "Accept", "Cookie", "Origin"):
        assert cast.nobody.send("GET", path, headers={name: value}).status_code == 200, name
    for scheme in ("Bearer ", "bearer "):
        headers = {"Authorization": scheme + value}
        cast.nobody.refused("GET", path, "not-signed-in", headers=headers)
