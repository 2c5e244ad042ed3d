"""What a visit to a table asks for: the document with the first answers, and files that the next visit has already.

Asking for news, which is done with the tag of an answer, is no part of it.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Route

from tests.support.cast import CARAVAN
from tests.web.support.workers import await_worker, with_worker

pytestmark = pytest.mark.browser

FIRST, SECOND = 12, 2
"""How many requests a visit may take."""


class Requests:
    """The paths that a browser asks for, but for news, and those of them that reach the server."""

    def __init__(self, visitor: Any) -> None:
        self._url, self.all, self.sent = visitor.url, list[str](), list[str]()
        visitor.context.on("request", self._asked)
        visitor.context.on("response", self._answered)

    def _asked(self, request: Any) -> None:
        if "if-none-match" not in request.headers:
            self.all.append(self._path(request))

    def _answered(self, response: Any) -> None:
        news = "if-none-match" in response.request.headers
        if not response.from_service_worker and not news:
            self.sent.append(self._path(response.request))

    def _path(self, request: Any) -> str:
        return str(request.url).removeprefix(self._url)


@pytest.fixture
def mina(visit: Any) -> Any:
    """At a table of two, in a browser in which the page has never been opened."""
    mina, ken = with_worker(visit), visit()
    for visitor in (mina, ken):
        name = f"Person {random.randrange(10**9)}"
        visitor.context.request.post(f"{mina.url}/api/players", data={"name": name})
    wish = {"ruleset": CARAVAN, "start": "full", "nonce": None}
    game = mina.context.request.post(f"{mina.url}/api/games", data=wish).json()
    ken.context.request.post(f"{mina.url}/api/games/{game['id']}/seats", data={})
    mina.table = f"/games/{game['id']}"
    return mina


def test_the_first_visit_asks_the_api_for_nothing(mina: Any) -> None:
    requests = Requests(mina)
    mina.open(mina.table).locator(".bottom-panel .hand").wait_for()
    mina.page.locator("#confirm").wait_for()
    await_worker(mina)
    assert len(requests.all) <= FIRST
    assert [path for path in requests.all if path.startswith("/api/")] == []
    assert mina.page.evaluate("localStorage['tegami.player']").startswith("Person")


def test_the_page_takes_as_many_events_as_the_document_brings(mina: Any) -> None:
    """The number is the server's alone."""

    def fewer(route: Route) -> None:
        answer = route.fetch()
        document = re.sub(r"(/events[?]after=\d+&amp;limit=)\d+", r"\g<1>7", answer.text())
        assert "limit=7" in document
        route.fulfill(response=answer, body=document)

    mina.page.route(mina.url + mina.table, fewer)
    requests = Requests(mina)
    page = mina.open(mina.table)
    page.locator("#confirm").wait_for()
    page.locator(".tools [data-drawer=history]").click()
    page.locator(".history li").first.wait_for()
    assert [path for path in requests.all if "/events" in path] == []


def test_the_next_visit_asks_for_the_document_alone(mina: Any) -> None:
    mina.open(mina.table).locator(".bottom-panel .hand").wait_for()
    await_worker(mina)
    requests = Requests(mina)
    mina.open(mina.table).locator(".bottom-panel .hand").wait_for()
    checks = ["/service-worker.js"]  # which the browser makes by itself, sooner or later
    assert [path for path in requests.sent if path not in checks] == [mina.table]
    assert len({*requests.sent, *checks}) <= SECOND


def test_news_are_asked_for_with_the_tag_of_the_first_answer(mina: Any) -> None:
    with mina.page.expect_response(f"**/api{mina.table}") as told:
        mina.open(mina.table).locator(".bottom-panel .hand").wait_for()
    assert told.value.status == 304


def test_another_screen_and_the_way_back_ask_anew(mina: Any) -> None:
    page = mina.open(mina.table)
    page.locator(".bottom-panel .hand").wait_for()
    page.locator(".home:visible, .brand:visible").first.click()
    page.locator(".my-turns a").first.wait_for()
    anew = f"{mina.url}/api{mina.table}"
    with page.expect_response(lambda answer: answer.url == anew and answer.status == 200):
        page.locator(".my-turns a").first.click()


def test_whoever_chose_another_language_here_is_answered_in_that(mina: Any) -> None:
    mina.page.goto(mina.url + "/privacy")
    mina.page.evaluate("localStorage['tegami.language'] = 'ja'")
    page = mina.open(mina.table)
    page.locator(".status-line b", has_text="あなたの番です").wait_for()
    page.locator("h1", has_text="キャラバン").wait_for()
