"""Operations that will end, according to the contract, announce it (RFC 9745, RFC 8594)."""

from __future__ import annotations

import functools
from datetime import timedelta

import pytest

from service.core.settings.config import ROOT
from service.web.http.headers import deprecations
from service.web.http.headers.deprecations import endings
from tests.contract import document, operations
from tests.support.cast import sqlite_only

CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
DAYS = "      deprecated: true\n      x-deprecated: 2027-01-15\n      x-sunset: 2027-08-01\n"


def ending(*names: str) -> str:
    """The contract, in which these operations end."""
    text = CONTRACT
    for name in names:
        line = f"      operationId: {name}\n"
        assert line in text
        text = text.replace(line, line + DAYS)
    return text


@pytest.fixture
def client(app):
    hooks = app.after_request_funcs[None]  # of an application that has answered before
    hooks.append(
        functools.partial(deprecations.announce, ending=endings(ending("getRuleset", "openGame")))
    )
    yield app.test_client()
    hooks.pop()


@sqlite_only
def test_what_ends_is_announced_in_its_answers(client):
    for method, path, status in (
        ("GET", "/api/rulesets/caravan", 200),
        ("HEAD", "/api/rulesets/caravan", 200),
        ("GET", "/api/rulesets/whist", 404),
        ("POST", "/api/games", 401),
    ):
        answer = client.open(path, method=method, json={} if method == "POST" else None)
        assert answer.status_code == status
        assert answer.headers["Deprecation"] == "@1799971200"
        assert answer.headers["Sunset"] == "Sun, 01 Aug 2027 00:00:00 GMT"
        assert answer.headers["Link"] == '</docs/changes>; rel="deprecation"; type="text/html"'


@sqlite_only
def test_what_does_not_end_announces_nothing(client):
    for path in ("/api/games", "/api/rulesets", "/nowhere", "/openapi.yaml"):
        answer = client.get(path)
        assert "Deprecation" not in answer.headers and "Sunset" not in answer.headers


def test_nothing_is_deprecated():
    """Somebody who marks an operation has to change the sentence that says so."""
    assert not [each.name for each in operations() if each.spec.get("deprecated")]
    said = " ".join(document()["info"]["description"].split())
    assert said.endswith("Nothing is deprecated yet.")


def test_an_end_is_announced_half_a_year_before():
    for where, each in endings(CONTRACT).items():
        assert each.until - each.since >= timedelta(days=182), where
        assert where in {(one.method.upper(), one.path) for one in operations()}
    marked = [each.name for each in operations() if each.spec.get("deprecated")]
    assert len(marked) == len(endings(CONTRACT))


@pytest.mark.parametrize("line", DAYS.splitlines(keepends=True))
def test_an_end_without_one_of_its_days_is_refused(line):
    with pytest.raises(ValueError, match="GET /api/games: says only"):
        endings(ending("listGames").replace(line, ""))


def test_a_day_is_a_day():
    with pytest.raises(ValueError, match="out of range"):
        endings(ending("listGames").replace("2027-08-01", "2027-02-30"))
