"""An address with nothing there: a page for people, a problem document for programs."""

from __future__ import annotations

import pytest

from tests.support.cast import sqlite_only

pytestmark = sqlite_only

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/nosuch", "/rules/nosuch", "/problems/nosuch", "/a/b/c.html"])
@pytest.mark.parametrize(
    ("language", "title"), [("en", "There is nothing here"), ("ja", "ここには何もありません")]
)
def test_browsers_get_a_page_in_their_language(client, path, language, title):
    answer = client.get(path, headers={"Accept": BROWSER, "Accept-Language": language})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert answer.headers["Content-Language"] == language
    assert f"<h1>{title}</h1>" in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/problem+json"])
def test_programs_get_a_problem_document(client, accept):
    answer = client.get("/nosuch", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert answer.json["type"] == "/problems/unknown-path"


@pytest.mark.parametrize("path", ["/api/nosuch", "/api/games/g_0123456789012345678901"])
def test_the_api_always_answers_with_a_problem_document(client, path):
    answer = client.get(path, headers={"Accept": BROWSER})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
