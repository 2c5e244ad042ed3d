"""Pages of other sites: with a bearer token they may use the API, and nothing without one (CORS)."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.every_operation import API, path_of

pytestmark = sqlite_only

ELSEWHERE = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
ASKING = {
    **ELSEWHERE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
}
ALLOWED = "Access-Control-Allow-Origin"


def test_a_browser_is_told_that_a_token_may_be_sent(app):
    client = app.test_client()
    for path in ("/api/games", "/api/me/tokens/k_0123456789abcdefABCDEF"):
        answer = client.options(path, headers=ASKING)
        assert (answer.status_code, answer.get_data()) == (204, b"")
        assert answer.headers[ALLOWED] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        sent = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
        assert {"authorization", "content-type", "idempotency-key", "if-none-match"} <= set(sent)
        methods = answer.headers["Access-Control-Allow-Methods"].split(", ")
        assert {"GET", "POST", "PUT", "PATCH", "DELETE"} == set(methods)
        assert "Content-Type" not in answer.headers


@pytest.mark.parametrize("missing", ["Origin", "Access-Control-Request-Method"])
def test_other_questions_are_refused(cast, missing):
    headers = {name: value for name, value in ASKING.items() if name != missing}
    cast.nobody.refused("OPTIONS", "/api/games", "method-not-allowed", headers=headers)


def test_without_a_token_nothing_is_allowed(cast):
    headers = {**ASKING, "Access-Control-Request-Headers": "content-type"}
    cast.nobody.refused("OPTIONS", "/api/games", "method-not-allowed", headers=headers)
    for person in (cast.alice, cast.nobody):  # a cookie, or nothing
        assert ALLOWED not in person.send("GET", "/api/games", headers=ELSEWHERE).headers
    body = {"ruleset": BOOMERANG}
    cast.alice.refused("POST", "/api/games", "cross-site", body, headers=ELSEWHERE)


def test_a_page_with_a_token_plays_and_reads_what_it_needs(cast):
    made = cast.bob.send("POST", "/api/games", json={"ruleset": BOOMERANG}, headers=ELSEWHERE)
    assert made.status_code == 201
    path = made.headers["Location"]
    tag = cast.bob.send("GET", path, headers=ELSEWHERE).headers["ETag"]
    answers = [
        made,
        cast.bob.send("GET", path, headers={**ELSEWHERE, "If-None-Match": tag}),
        cast.bob.send("GET", "/api/games/g_0123456789abcdefABCDEF", headers=ELSEWHERE),
    ]
    assert [each.status_code for each in answers] == [201, 304, 404]
    for answer in answers:
        assert answer.headers.getlist(ALLOWED) == ["*"]
        assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
        assert answer.headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"]
        assert "Access-Control-Allow-Credentials" not in answer.headers


OPEN = [each for each in API if each.spec.get("x-open-to-pages")]
WISH = {"name": "Elsewhere", "token": "a page"}


def test_what_depends_on_nobody_is_read_without_a_token(app, cast):
    for operation in (each for each in OPEN if each.method == "get"):
        path = path_of(operation, "g_0")
        for client in (app.test_client(), cast.alice.http):
            answer = client.get(path, headers=ELSEWHERE)
            assert (answer.status_code, answer.headers[ALLOWED]) == (200, "*"), path
            assert "Access-Control-Allow-Credentials" not in answer.headers
        asking = {
            **ASKING,
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "if-none-match",
        }
        assert app.test_client().options(path, headers=asking).status_code == 204
    nobody_needed = {each.name for each in API if each.spec["security"] == []}
    assert {each.name for each in OPEN} == nobody_needed - {
        *(
            "signIn",
            "mailLink",
            "rejectAddress",
            "resetPassword",
        ),  # they sign in, or have something mailed
    }


def test_a_page_becomes_a_player_with_a_token_and_plays(app):
    client = app.test_client()
    asking = {**ASKING, "Access-Control-Request-Headers": "content-type"}
    told = client.options("/api/players", headers=asking)
    assert (told.status_code, told.headers[ALLOWED]) == (204, "*")
    assert "content-type" in told.headers["Access-Control-Allow-Headers"].lower()
    made = client.post("/api/players", json=WISH, headers=ELSEWHERE)
    assert (made.status_code, made.headers[ALLOWED]) == (201, "*")
    assert (
        "Set-Cookie" not in made.headers and "Access-Control-Allow-Credentials" not in made.headers
    )
    token = {"Authorization": f"Bearer {made.json['token']['secret']}", **ELSEWHERE}
    opened = client.post("/api/games", json={"ruleset": BOOMERANG}, headers=token)
    assert (opened.status_code, opened.headers[ALLOWED]) == (201, "*")


def test_no_other_site_signs_a_browser_in(app, cast):
    """Without a token it would be by cookie; it does not matter who is signed in there."""
    for client in (app.test_client(), cast.alice.http):
        for body in ({"name": "Eve"}, {"name": "Eve", "token": None}, {}, []):
            answer = client.post("/api/players", json=body, headers=ELSEWHERE)
            assert answer.status_code in {400, 403} and "Set-Cookie" not in answer.headers
        answer = client.post("/api/players", json={"name": "Eve"}, headers=ELSEWHERE)
        assert answer.json["type"] == "/problems/cross-site"
        text = {"data": '{"name": "Eve", "token": "x"}', "content_type": "text/plain"}
        assert client.post("/api/players", headers=ELSEWHERE, **text).status_code == 415
    for path in ("/api/sign-ins", "/api/links", "/api/password-resets", "/api/address-rejections"):
        answer = app.test_client().post(path, json={"key": "x" * 43}, headers=ELSEWHERE)
        assert answer.json["type"] == "/problems/cross-site" and ALLOWED not in answer.headers
        asking = {**ASKING, "Access-Control-Request-Headers": "content-type"}
        assert ALLOWED not in app.test_client().options(path, headers=asking).headers


def test_pages_outside_the_api_are_for_our_site_alone(app):
    client = app.test_client()
    headers = {**ELSEWHERE, "Authorization": "Bearer x"}
    for path in ("/", "/openapi.yaml", "/rules/caravan"):
        assert ALLOWED not in client.get(path, headers=headers).headers


def test_whatever_is_described_can_be_sent_and_read(app):
    """This concerns every header that the document names, except cookies and those that browsers handle themselves."""
    answer = app.test_client().options("/api/games", headers=ASKING)
    sent = {each.lower() for each in answer.headers["Access-Control-Allow-Headers"].split(", ")}
    headers = {"Authorization": "Bearer x", **ELSEWHERE}
    shown = app.test_client().get("/api/games", headers=headers).headers
    read = set(shown["Access-Control-Expose-Headers"].split(", "))
    for operation in API:
        asked = {each["name"].lower() for each in operation.parameters if each["in"] == "header"}
        assert asked <= sent, operation.name
        told = {name for each in operation.responses.values() for name in each.get("headers", ())}
        assert told - {"Set-Cookie", "Vary", "Cache-Control"} <= read, operation.name
    assert {"Deprecation", "Sunset", "Link"} <= read, "should an operation ever have to end"
