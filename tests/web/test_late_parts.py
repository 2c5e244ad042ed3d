"""Parts of the page that are loaded when they are shown: once, where they were asked for, also after a failure."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.support.cast import CARAVAN
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK
from tests.web.support.staged import Stage, arrived, hold_on
from tests.web.support.tables import SLUG, show
from tests.web.support.workers import await_worker, with_worker

pytestmark = pytest.mark.browser

ROOM = "**/waiting_room.*.js*"
TIME = "**/time_panel.*.js*"
WAYS = "**/mute_block_report.*.js*"
VERSION = "**/service-worker.js"
BACK = "dispatchEvent(new Event('online'))"
IS_KEPT = """
async name => {
  const files = await Promise.all((await caches.keys()).map(async each => (await caches.open(each)).keys()));
  return files.flat().some(({ url }) => url.includes(name));
}
"""
FAILED = "could not be loaded"


def missing(route: Route) -> None:
    """What a server answers that has another version of the page."""
    route.fulfill(status=404, content_type="text/html", body="<p>There is nothing here.")


def host(visitor: Any) -> str:
    """Open a table without going there; returns its path."""
    visitor.sign_up()
    wish = {"players": 2, "house": 0, "start": "full", "nonce": None}
    return f"/games/{visitor.post('/games', ruleset=CARAVAN, **wish)['id']}"


def test_a_waiting_room_that_does_not_come_says_so_and_comes_later(visit: Any) -> None:
    mina = visit()
    table = host(mina)
    mina.page.route(ROOM, lambda route: route.abort(), times=1)
    page = mina.open(table)
    failed = page.locator("main", has_text=FAILED)
    failed.wait_for()
    assert page.locator(".toast").count() == 0
    page.evaluate(BACK)
    page.locator(".waiting-room .seat-list").wait_for()
    expect(failed).to_have_count(0)
    mina.errors.clear()  # the browser reports what has failed


def test_a_failed_part_can_be_asked_for_by_hand(visit: Any) -> None:
    stage = Stage(visit(DESK))
    stage.visitor.sign_up()
    stage.page.clock.install()  # it does not try again by itself
    page = stage.open()
    page.route(TIME, missing, times=1)
    page.route(VERSION, lambda route: route.abort(), times=1)
    show(stage.visitor, "time")
    again = page.locator(".side-panel #late-again")
    again.wait_for()
    with page.expect_request(TIME):
        again.click()
    page.locator(".side-panel h2").first.wait_for()
    expect(again).to_have_count(0)
    stage.visitor.errors.clear()


def test_a_part_of_an_earlier_version_is_loaded_with_the_page_anew(visit: Any) -> None:
    mina = visit()
    table = host(mina)
    mina.page.route(ROOM, missing, times=1)
    mina.page.route(VERSION, lambda route: route.fulfill(body="self.VERSION = {};"), times=1)
    documents: list[Any] = []
    mina.page.on("domcontentloaded", lambda page: documents.append(page.url))
    page = mina.open(table)
    page.locator(".waiting-room .seat-list").wait_for()
    assert len(documents) == 2
    mina.errors.clear()


def test_what_is_being_written_is_not_lost_to_another_version(visit: Any) -> None:
    mina = visit(DESK)
    mina.sit_down(SLUG)
    page = mina.page
    show(mina, "talk")
    page.locator("#say").fill("Well played")
    page.route(WAYS, missing)
    page.route(VERSION, lambda route: route.fulfill(body="self.VERSION = {};"))
    page.locator("button.name").first.click()
    page.locator(".toast", has_text="newer version").wait_for()
    assert page.locator("#say").input_value() == "Well played"
    mina.errors.clear()


def test_a_dialog_that_is_asked_for_twice_opens_once(visit: Any) -> None:
    stage = Stage(visit(DESK))
    stage.visitor.sign_up()
    page = stage.open()
    held = hold_on(page, WAYS)
    names = page.locator("button.name")
    names.first.click()
    arrived(stage, held)
    names.last.click()
    wanted = names.last.inner_text()
    held[0].continue_()
    page.locator("dialog[open]", has_text=wanted).wait_for()
    assert page.locator("dialog").count() == 1


def test_a_dialog_does_not_open_on_another_screen(visit: Any) -> None:
    stage = Stage(visit(DESK))
    stage.visitor.sign_up()
    page = stage.open()
    held = hold_on(page, WAYS)
    page.locator("button.name").first.click()
    arrived(stage, held)
    stage.visitor.go("/")
    page.locator(".shelf").wait_for()
    with page.expect_response(WAYS) as come:
        held[0].continue_()
    come.value.finished()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.locator("dialog").count() == 0


def test_waiting_room_and_time_are_there_without_a_connection(visit: Any) -> None:
    """Although neither was looked at in this browser: they come with the first action."""
    mina = with_worker(visit)
    mina.sit_down(SLUG)
    await_worker(mina)
    mina.choose(random.Random(0))
    assert mina.confirm()
    for name in ("/waiting_room.", "/time_panel."):
        wait_until(lambda name=name: mina.page.evaluate(IS_KEPT, name), name)
    mina.context.set_offline(True)
    show(mina, "time")
    mina.page.locator(".side-panel h2").first.wait_for()
    mina.context.close()
    mina.errors.clear()  # the browser reports every request that fails


def test_the_code_of_a_table_moves_nothing_when_it_comes(visit: Any) -> None:
    mina = visit()
    table = host(mina)
    held = hold_on(mina.page, "**/invitation.svg")
    page = mina.open(table)
    seats = page.locator(".waiting-room .seat-list")
    seats.wait_for()
    before = seats.bounding_box()
    wait_until(lambda: page.evaluate("true") and held, "the request")
    held[0].continue_()
    page.locator(".code img").wait_for()
    assert seats.bounding_box() == before


def test_whoever_is_invited_sees_the_game_together_with_the_button(visit: Any) -> None:
    mina, ken = visit(), visit()
    table = host(mina)
    ken.sign_up("Ken")
    held = hold_on(ken.page, "**/api/rulesets/caravan?*")
    ken.page.goto(f"{ken.url}/me")
    ken.go(table)
    wait_until(lambda: ken.page.evaluate("true") and held, "the request")
    assert ken.page.locator(".waiting-room button").count() == 0
    held[0].continue_()
    ken.page.locator(".invited .main").wait_for()
    assert ken.page.locator(".invited > p").count() == 1
