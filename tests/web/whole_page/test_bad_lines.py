"""A real server behind a slow line, and one that dies and is started again while somebody chooses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from benchmarks.slow_line import SlowLine, Speed
from tests.support.servers.databases import Databases
from tests.support.servers.server import Server, wait_until
from tests.web.support.tables import SLUG
from tests.web.support.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

SLOW = Speed(latency=0.4, down=40_000)
"""A phone between two cells."""
ON_ITS_WAY = ".confirm-bar.idle"


@pytest.fixture
def own_server(databases: Databases, tmp_path: Path) -> Iterator[Server]:
    """A server that a test may end."""
    database = databases.fresh("sqlite", tmp_path)
    with Server(tmp_path, database, WEB_CONCURRENCY="1") as server:
        yield server


def own_moves(visitor: Visitor) -> list[str]:
    """The events of the visitor's own actions."""
    game = visitor.game()
    events = visitor.context.request.get(
        f"{visitor.url}/api/games/{visitor.game_id}/events?limit=100"
    ).json()["events"]
    return [
        each["lines"][0]["words"]
        for each in events
        if each["kind"] == "action" and each["seat"] == game["seat"]
    ]


def test_a_choice_outlives_a_restart_of_the_server(own_server: Server, visit: Any) -> None:
    visitor = visit(own=True)
    visitor.url = own_server.url
    visitor.sit_down(SLUG)
    assert visitor.my_turn()
    visitor.choose(random.Random(2))
    sentence = visitor.page.locator("#sentence").inner_text()
    own_server.kill("web")
    visitor.page.locator("#confirm").click()
    visitor.page.locator(".unsent", has_text="Not sent yet").wait_for()
    visitor.page.locator(".offline", has_text="No connection").wait_for()
    assert visitor.page.locator("#sentence").inner_text() == sentence
    own_server.launch("web")
    own_server.await_health()
    visitor.page.evaluate("dispatchEvent(new Event('online'))")
    visitor.page.locator(".unsent").wait_for(state="detached")
    assert len(wait_until(lambda: own_moves(visitor), "the move")) == 1
    visitor.page.locator(".offline").wait_for(state="detached")
    visitor.errors.clear()  # the browser reports every request that fails


def test_over_a_slow_line_there_is_something_to_read_and_a_move_is_sent_once(
    server: Server, visit: Any
) -> None:
    with SlowLine(("127.0.0.1", server.port), SLOW).open() as line:
        visitor = visit(own=True)
        visitor.url = line.url
        page = visitor.page
        page.goto(line.url, wait_until="commit")
        page.locator("#arriving", has_text="Card and domino games").wait_for()
        page.locator(f"[data-play='{SLUG}']").click()
        visitor.give_name()
        assert visitor.my_turn()
        visitor.choose(random.Random(2))
        held = list[Route]()

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/actions", hold)
        page.locator("#confirm").dblclick()
        page.locator(ON_ITS_WAY, has_text="Sending").wait_for()
        assert page.locator(".bottom-panel :is(.option, #confirm)").count() == 0, "until answered"
        (sent,) = wait_until(lambda: page.evaluate("true") and held, "the move on its way")
        sent.continue_()
        page.locator(ON_ITS_WAY, has_text="Sending").wait_for(state="detached")
        assert len(wait_until(lambda: own_moves(visitor), "the move")) == 1
        visitor.context.close()  # while there is a line
