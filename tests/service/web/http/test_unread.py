"""Parts of a request that nobody reads change nothing: ranges, conditions, additions of proxies and counters."""

from __future__ import annotations

import re

import pytest

from service.web.http.headers.unread import COUNTED_AS, COUNTERS, remove_unread
from tests.contract import document, operations
from tests.support.cast import sqlite_only
from tests.support.every_operation import path_of

pytestmark = [sqlite_only, pytest.mark.of_service]

NAMES = (
    *("Range", "If-Range", "If-Match", "If-Unmodified-Since", "If-Modified-Since"),
    *("If-None-Match", "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language"),
    *("Content-Type", "Content-Encoding", "Expect", "Prefer", "Last-Event-ID", "Max-Forwards"),
    *("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port"),
    *("Host", "Origin", "Referer", "User-Agent", "Cookie", "Date", "Via", "TE", "Upgrade"),
    *("Sec-Fetch-Site", "Idempotency-Key", "Invitation", "traceparent", "X-Request-Id"),
)
RANGES = ("x", "bytes=0-9", "bytes=9-0", "bytes=-1", "items=0-5", "bytes=99999999-")
VALUES = ("", '"x"', "*", "%", "\xff")
FILES = ("/openapi.yaml", "/api/records/schema", "/docs/examples/bot.py", "/app.js", "/icon.svg")
"""Files that are sent unchanged."""
TRACKED = "utm_source=a&utm_medium=b&fbclid=c&gclid=d"


def pages(game_id: str) -> list[str]:
    """The paths of everything that can be read."""
    found = [each for each in operations() if each.method == "get" and "{token}" not in each.path]
    return [*FILES, *(path_of(each, game_id) for each in found)]


@pytest.mark.parametrize("name", NAMES)
def test_no_header_however_odd_is_a_crash(app, game_id, name):
    """Every answer is one of the contract, as the client checks."""
    client = app.test_client(use_cookies=False)
    for path in ("/api/records/schema", "/api/games", "/"):
        for value in (*VALUES, *(RANGES if "Range" in name else RANGES[:2])):
            raw = {f"HTTP_{name.upper().replace('-', '_')}": value}
            if name == "Content-Type":
                raw = {"CONTENT_TYPE": value}
            assert client.get(path, environ_overrides=raw).status_code < 500, (path, value)


def test_whatever_range_is_asked_for_the_answer_is_whole(cast, game_id):
    for path in pages(game_id):
        whole = cast.alice.send("GET", path)
        for value in RANGES:
            part = cast.alice.send("GET", path, headers={"Range": value, "If-Range": '"x"'})
            assert (part.status_code, len(part.data)) == (whole.status_code, len(whole.data)), path
            assert "Content-Range" not in part.headers and "Accept-Ranges" not in part.headers


def test_conditions_that_nobody_checks_do_not_change_an_answer(cast, game_id):
    headers = {"If-Match": '"x"', "If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}
    for path in ("/api/rulesets", f"/api/games/{game_id}", *FILES):
        assert cast.alice.send("GET", path, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "changed",
    [
        *('"{}"', 'W/"{}"', '"{}-gzip"', 'W/"{}-gzip"', '"{}--gzip"', '"{};gzip"', '"{}-br"'),
        *('"{}-zstd"', '"other", "{}-gzip"', '"other-br" , W/"{}"'),
    ],
)
def test_a_tag_that_a_proxy_has_marked_is_the_same(cast, game_id, changed):
    """Apache adds -gzip to the tag of a compressed response, and nginx makes it weak: browsers send the changed tag
    back.
    """
    for path in (f"/api/games/{game_id}", "/api/rulesets", "/api/me/turns", *FILES):
        tag = cast.alice.send("GET", path).headers["ETag"].strip('"')
        answer = cast.alice.send("GET", path, headers={"If-None-Match": changed.format(tag)})
        assert (answer.status_code, answer.data) == (304, b""), path
        assert answer.headers["ETag"] == f'"{tag}"'


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_tag_of_a_form_of_our_own_is_known_again(client, encoding):
    for path in FILES:
        headers = {"Accept-Encoding": encoding}
        tag = client.get(path, headers=headers).headers["ETag"]
        for brought in (tag, f"W/{tag}", tag[:-1] + '-gzip"'):
            answer = client.get(path, headers={**headers, "If-None-Match": brought})
            assert (answer.status_code, answer.headers["ETag"]) == (304, tag), path


def test_another_tag_is_another_one(cast, game_id):
    for path in (f"/api/games/{game_id}", "/api/rulesets", *FILES):
        tag = cast.alice.send("GET", path).headers["ETag"].strip('"')
        for other in (f'"{tag}x"', f'"x{tag}-gzip"', f'"{tag}-x"', "gzip", '"-gzip"', tag[:-1]):
            answer = cast.alice.send("GET", path, headers={"If-None-Match": other})
            assert answer.status_code == 200, (path, other)


def test_what_counts_clicks_is_left_out_of_every_link(cast, game_id):
    """This holds on pages and in the API, before, between and behind the parameters that are read."""
    for path in pages(game_id):
        whole = cast.alice.send("GET", path)
        tracked = cast.alice.send("GET", f"{path}?{TRACKED}")
        assert tracked.status_code == whole.status_code, path
        assert without_chance(tracked.data) == without_chance(whole.data), path
    for query in (f"limit=1&{TRACKED}", f"{TRACKED}&limit=1", "utm_id=1&limit=1&UTM_X=%20"):
        assert len(cast.alice.get(f"/api/rulesets/caravan?version=1&{TRACKED}")) > 3
        assert len(cast.alice.get(f"/api/games?{query}")["games"]) == 1
    cast.alice.refused("GET", f"/api/games?{TRACKED}&limit=x", "invalid-query")
    cast.alice.refused("GET", "/api/games?utm=1&utmost=2", "invalid-query")


def test_every_ignored_parameter_is_ignored(cast):
    listed = document()["x-ignored-parameters"]
    for name in (each.replace("*", "x") for each in listed):
        for written in (name, name.upper(), f"%{ord(name[0]):02x}{name[1:]}"):
            cast.alice.get(f"/api/games?{written}=1")
    assert sorted(listed) == sorted([f"{COUNTED_AS}*", *COUNTERS])


def without_chance(body: bytes) -> bytes:
    """A page without the tokens of its forms, which differ."""
    return re.sub(rb'name="(?:form|once)" value="[^"]*"', b"", body)


def test_a_poll_of_a_tracked_link_is_idle_too(cast, game_id):
    path = f"/api/games/{game_id}"
    brought = {"If-None-Match": cast.alice.send("GET", path).headers["ETag"]}
    assert cast.alice.send("GET", f"{path}?{TRACKED}", headers=brought).status_code == 304


@pytest.mark.timeout(20)
def test_no_tag_takes_long_to_be_read(app):
    """They have some hundred times what a request may hold."""
    for tag in ('"' + "-br" * 2_600, '"' * 8_000, 'W/"' + "a" * 8_000, ('"' + "-br" * 20) * 130):
        for _ in range(50):
            remove_unread({"HTTP_IF_NONE_MATCH": tag})
