"""Invalid requests about talk: each gets a problem with its own type, and nothing is changed."""

from __future__ import annotations

import json

import pytest

from service.web.api.games.talk_schemas import LONGEST_MESSAGE, LONGEST_NOTE, LONGEST_WHY
from tests.support.cast import refused, sqlite_only
from tests.support.dump import dump
from tests.support.talking import SEATS, at, say

NO_TEXTS = (
    "",
    " ",
    "\n",
    " x",
    "x ",
    "x\n",
    "\u3000x",
    "a\tb",
    "a\x00b",
    "a\x1b[31mb",
    "a\rb",
    "a\x85b",
    "a\u2028b",
    "a\u202eb",
    "a\u2066b",
    "x" * (LONGEST_MESSAGE + 1),
)
NO_NOTES = ("a\x00b", "a\x1bb", "a\rb", "a\u202eb", "a\u2029b", "x" * (LONGEST_NOTE + 1))
WRONG = (None, True, 1.5, -1, [], {}, "", "a\x00b", "x" * 20_000, 2**70)
STRANGE_QUERIES = (
    "",
    "channel=",
    "channel=Seats",
    "channel=seats%00",
    "channel=seats&limit=0",
    "channel=seats&limit=101",
    "channel=seats&cursor=0",
    "channel=seats&cursor=x",
    "channel=seats&cursor=1%0A",
    "channel=seats&more=1",
)

pytestmark = sqlite_only


@pytest.fixture
def sendings(cast, game_id):
    """Every operation of talk with a body: method, path and a valid body for alice."""
    said = say(cast.alice, game_id, "x")["id"]
    tenure = cast.alice.game(game_id)["seats"][1]["tenure"]
    message = {"channel": SEATS, "text": "x", "once": "ab" * 8}
    return {
        "messages": ("POST", at(game_id, "messages"), message),
        "marks": ("PUT", at(game_id, "marks"), {"channel": SEATS, "number": 1}),
        "notes": ("PUT", at(game_id, "notes"), {"text": "x"}),
        "reports": ("POST", at(game_id, f"messages/{said}/reports"), {"why": "x"}),
        "mutes": ("POST", at(game_id, "mutes"), {"tenure": tenure}),
        "blocks": ("POST", "/api/me/blocks", {"game": game_id, "tenure": tenure}),
    }


OPERATIONS = ("messages", "marks", "notes", "reports", "mutes", "blocks")
each_operation = pytest.mark.parametrize("operation", OPERATIONS)


@each_operation
def test_a_body_that_is_no_json_object_is_refused(app, cast, sendings, operation):
    method, path, body = sendings[operation]
    stored = dump(app)
    for data in (b"{", b'{"text": "\\ud800"}', b'{"text": "x", "text": "y"}', b"\xff"):
        refused(cast.alice, method, path, "malformed-json", data)
    for data in ("[]", "null", '"x"'):
        refused(cast.alice, method, path, "invalid-body", data)
    refused(cast.alice, method, path, "unsupported-media-type", json.dumps(body), "text/plain")
    refused(cast.alice, method, path, "body-too-large", b" " * 65_537)
    assert dump(app) == stored


@each_operation
def test_the_wrong_member_is_named(app, cast, sendings, operation):
    method, path, body = sendings[operation]
    stored = dump(app)
    for member in body:
        for wrong in WRONG:
            if operation == "notes" and wrong == "":
                continue
            data = json.dumps({**body, member: wrong})
            problem = refused(cast.alice, method, path, "invalid-body", data)
            assert list(problem["errors"]) == [member], (member, wrong)
    for name in ("more", "", "html"):
        data = json.dumps({**body, name: 1})
        assert list(refused(cast.alice, method, path, "invalid-body", data)["errors"]) == [name]
    assert dump(app) == stored


@each_operation
def test_without_a_sign_in_or_from_another_site_nothing_is_changed(app, cast, sendings, operation):
    method, path, body = sendings[operation]
    stored = dump(app)
    cast.nobody.refused(method, path, "not-signed-in", body)
    headers = {"Sec-Fetch-Site": "cross-site"}
    cast.alice.refused(method, path, "cross-site", body, headers=headers)
    assert dump(app) == stored


def test_another_site_deletes_nothing(app, cast, game_id):
    said = say(cast.alice, game_id, "x")["id"]
    bob = cast.bob.game(game_id)["tenure"]
    mute = cast.alice.post(at(game_id, "mutes"), {"tenure": bob})["id"]
    block = cast.alice.post("/api/me/blocks", {"game": game_id, "tenure": bob})["id"]
    stored = dump(app)
    for path in (
        at(game_id, f"messages/{said}"),
        at(game_id, f"mutes/{mute}"),
        f"/api/me/blocks/{block}",
    ):
        headers = {"Sec-Fetch-Site": "cross-site"}
        cast.alice.refused("DELETE", path, "cross-site", headers=headers)
        cast.nobody.refused("DELETE", path, "not-signed-in")
    assert dump(app) == stored


def test_text_that_cannot_be_shown_is_refused(app, cast, game_id):
    said = say(cast.alice, game_id, "x")["id"]
    stored = dump(app)
    for text in NO_TEXTS:
        body = {"channel": SEATS, "text": text}
        cast.alice.refused("POST", at(game_id, "messages"), "invalid-body", body)
        path = at(game_id, f"messages/{said}/reports")
        cast.alice.refused("POST", path, "invalid-body", {"why": text})
    cast.alice.refused("POST", path, "invalid-body", {"why": "x" * (LONGEST_WHY + 1)})
    for text in NO_NOTES:
        cast.alice.refused("PUT", at(game_id, "notes"), "invalid-body", {"text": text})
    assert dump(app) == stored


def test_a_person_is_named_either_by_tenure_or_by_message(cast, game_id):
    tenure, message = cast.bob.game(game_id)["tenure"], "m_" + "0" * 22
    for body in ({}, {"tenure": tenure, "message": message}):
        problem = cast.alice.refused("POST", at(game_id, "mutes"), "invalid-body", body)
        assert list(problem["errors"]) == ["body"]
        block = {"game": game_id, **body}
        cast.alice.refused("POST", "/api/me/blocks", "invalid-body", block)
    for body in ({"tenure": "t_" + "0" * 22}, {"message": message}):
        cast.alice.refused("POST", at(game_id, "mutes"), "not-found", body)


def test_invalid_queries_are_refused(cast, game_id):
    for query in STRANGE_QUERIES:
        cast.alice.refused("GET", at(game_id, f"messages?{query}"), "invalid-query")
    for query in ("limit=0", "cursor=0", "more=1"):
        cast.alice.refused("GET", f"/api/me/blocks?{query}", "invalid-query")


def test_unknown_ids_are_not_found(cast, game_id):
    for path in (
        at(game_id, "messages/m_short"),
        at(game_id, "messages/m_" + "0" * 22),
        at(game_id, "mutes/s_" + "0" * 22),
        "/api/me/blocks/b_" + "0" * 22,
        at("g_" + "0" * 22, "messages/m_" + "0" * 22),
    ):
        cast.alice.refused("DELETE", path, "not-found")
    for what in ("talk", "messages?channel=seats", "notes", "mutes"):
        cast.alice.refused("GET", at("g_" + "0" * 22, what), "not-found")
