"""The requests of a visit to a table: the document with the first responses, and files that the next visit already has.

Asking for news, which is done with the tag of an answer, is no part of it.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Route

from tests.support.cast import CARAVAN
from tests.web.conftest import DESK, PHONE
from tests.web.support.workers import await_worker, with_worker

pytestmark = pytest.mark.browser

FIRST, SECOND = 7, 2
"""The most requests of a visit."""
LARGEST = 110 * 1024
"""The bytes over the wire of a first visit, with the headers of responses and the service worker's requests."""


class Requests:
    """The paths that a browser requests, and their bytes; polls, with a tag, are left out."""

    def __init__(self, visitor: Any) -> None:
        self._url, self._answers = visitor.url, list[Any]()
        visitor.context.on("response", self._answered)

    def _answered(self, answer: Any) -> None:
        self._answers.append(answer)

    def _of_server(self) -> list[Any]:
        """Responses of the server itself, and not of the worker or the browser."""
        return [
            each
            for each in self._answers
            if not each.from_service_worker and "if-none-match" not in each.request.headers
        ]

    @property
    def sent(self) -> list[str]:
        """The paths that reached the server."""
        return [answer.url.removeprefix(self._url) for answer in self._of_server()]

    def sizes(self) -> dict[str, int]:
        """The bytes over the wire by path: what the worker requests again is already in the browser."""
        found = dict[str, int]()
        for path, answer in zip(self.sent, self._of_server(), strict=True):
            sizes = answer.request.sizes()
            size = sizes["responseHeadersSize"] + sizes["responseBodySize"]
            found[path] = max(found.get(path, 0), size)
        return found


@pytest.fixture
def mina(visit: Any) -> Any:
    """A player at a table of two, in a browser in which the website has never been opened."""
    mina, ken = with_worker(visit), visit()
    for visitor in (mina, ken):
        name = f"Person {random.randrange(10**9)}"
        visitor.context.request.post(f"{mina.url}/api/players", data={"name": name})
    wish = {"ruleset": CARAVAN, "start": "full", "nonce": None}
    game = mina.context.request.post(f"{mina.url}/api/games", data=wish).json()
    ken.context.request.post(f"{mina.url}/api/games/{game['id']}/seats", data={})
    mina.table = f"/games/{game['id']}"
    return mina


def assert_small(visitor: Any, requests: Requests) -> None:
    """Check that the visit was small, with everything to which it led."""
    visitor.page.wait_for_load_state("networkidle")
    await_worker(visitor)
    sizes = requests.sizes()
    assert len(sizes) <= FIRST, sizes
    assert sum(sizes.values()) <= LARGEST, sizes
    assert [path for path in sizes if path.startswith("/api/")] == []


def test_the_first_visit_asks_the_api_for_nothing(mina: Any) -> None:
    requests = Requests(mina)
    mina.open(mina.table).locator(".bottom-panel .hand").wait_for()
    mina.page.locator("#confirm").wait_for()
    assert_small(mina, requests)
    assert mina.page.evaluate("localStorage['tegami.player']").startswith("Person")


@pytest.mark.parametrize(("path", "seen", "size"), [
    ("/", ".hero .miniature .still", PHONE),
    ("/", ".shelf .miniature .still", DESK),
    ("/rules/caravan", ".worked-table .still", DESK),
    ("table", ".seat", PHONE),
])  # fmt: skip
def test_so_it_is_for_somebody_whom_nobody_knows(
    mina: Any, visit: Any, path: str, seen: str, size: Any
) -> None:
    visitor = with_worker(visit, size=size)
    requests = Requests(visitor)
    visitor.open(mina.table if path == "table" else path).locator(seen).first.wait_for()
    assert_small(visitor, requests)


def test_the_page_takes_as_many_events_as_the_document_brings(mina: Any) -> None:
    """Only the server knows the number."""

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
    assert [path for path in requests.sent if "/events" in path] == []


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
    page.locator(".status-line b", has_text="あなたの手番です").wait_for()
    page.locator("h1", has_text="キャラバン").wait_for()
