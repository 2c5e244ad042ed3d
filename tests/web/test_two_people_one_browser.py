"""Two people use one browser: every end or change of the sign-in there leaves nothing of the first one."""

from __future__ import annotations

from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Error

from tests.support.servers.server import wait_until
from tests.web.support.tables import SLUG
from tests.web.support.workers import at_kept_table, await_worker, kept_tables, with_worker

pytestmark = pytest.mark.browser

STORED = """
async () => {
  const tables = await (await caches.open("tables")).keys();
  return [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...tables.map(({ url }) => url)];
}
"""
SETTINGS = {"tegami.theme", "tegami.declared"}
"""Data that may stay: a setting of the browser, and the public declarations of a ruleset."""
SECRET = "sessionStorage.setItem('tegami.draft.g_1', 'a choice'); localStorage.setItem('tegami.theme', 'dark')"
QUIET = "/healthz"


@pytest.fixture
def mina(visit: Any) -> Any:
    """A player at a table that has begun, with a worker and an unfinished choice."""
    mina = at_kept_table(visit, SLUG)
    mina.page.evaluate(SECRET)
    yield mina
    mina.context.close()
    mina.errors.clear()  # the browser reports every request that fails


def personal(visitor: Any) -> set[str]:
    """The browser's data about a person, as seen by a document without scripts."""
    return set(visitor.page.evaluate(STORED)) - SETTINGS


def end_elsewhere(visitor: Any) -> None:
    """End the sign-in without telling this browser."""
    (cookie,) = (each for each in visitor.context.cookies() if each["name"] == "tegami")
    headers = {"Cookie": f"tegami={cookie['value']}"}
    with urlopen(Request(f"{visitor.url}/api/me/sign-ins", headers=headers, method="DELETE")):
        pass


def assert_nothing_is_shown_offline(visitor: Any, game_id: str, *, opens: bool = False) -> None:
    """Check that the page `opens` if a worker is there again; otherwise the browser says that there is no
    connection.
    """
    visitor.context.set_offline(True)
    try:
        visitor.page.goto(f"{visitor.url}/games/{game_id}")
    except Error:
        assert not opens
    else:
        visitor.page.locator(".toast", has_text="No connection").wait_for()
    assert visitor.page.locator(".play, .hand-card").count() == 0
    visitor.context.set_offline(False)


def leave_without_scripts(visitor: Any) -> None:
    visitor.page.goto(f"{visitor.url}/plain/me")
    visitor.page.locator("form[action='/plain/leave'] button").click()
    visitor.page.locator("a[href^='/plain/enter']").first.wait_for()


def test_signing_out_without_scripts(mina: Any) -> None:
    game_id = mina.game_id
    leave_without_scripts(mina)
    mina.page.goto(mina.url + QUIET)
    assert personal(mina) == set()
    assert_nothing_is_shown_offline(mina, game_id)


def test_whoever_signs_in_without_scripts_next_is_known_to_the_page(mina: Any) -> None:
    game_id = mina.game_id
    leave_without_scripts(mina)
    mina.page.goto(f"{mina.url}/plain/enter")
    mina.page.locator("input[name=name]").fill("Ken")
    mina.page.keyboard.press("Enter")
    mina.page.locator("main").wait_for()
    mina.open("/").locator(".me-link", has_text="Ken").wait_for()
    assert_nothing_is_shown_offline(mina, game_id)


def test_signing_out_at_the_page(mina: Any) -> None:
    """The settings of the browser stay, and the page opens offline again."""
    game_id, page = mina.game_id, mina.open("/me")
    page.locator("#sign-out").click()
    page.locator(".me-link", has_text="Guest").wait_for()
    wait_until(lambda: personal(mina) == set(), "everything to be forgotten")
    await_worker(mina)
    assert page.evaluate("localStorage.getItem('tegami.theme')") == "dark"
    assert_nothing_is_shown_offline(mina, game_id, opens=True)


def test_another_tab_shows_nothing_after_signing_out(mina: Any) -> None:
    there = mina.page
    assert there.locator(".hand-card").count()
    here = mina.tab()
    here.goto(f"{mina.url}/me")
    here.locator("#sign-out").click()
    there.locator(".me-link", has_text="Guest").wait_for(state="attached")
    there.locator(".hand-card").first.wait_for(state="detached")
    wait_until(lambda: there.evaluate("Object.keys(sessionStorage)") == [], "the tab to forget")
    wait_until(lambda: kept_tables(mina) == [], "the tables to be forgotten")


def test_an_end_elsewhere_is_noticed_at_the_table(mina: Any) -> None:
    """A public table responds to visitors too: nothing is refused there."""
    game_id = mina.game_id
    end_elsewhere(mina)
    mina.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    mina.page.locator(".hand-card").first.wait_for(state="detached")
    anew = {f"tegami.{key}.{game_id}" for key in ("shown", "fit")}  # as of any visitor
    wait_until(lambda: personal(mina) <= anew, "everything to be forgotten")
    assert_nothing_is_shown_offline(mina, game_id)


@pytest.mark.parametrize("path", ["/", "/me", "/plain"])
def test_an_end_elsewhere_is_noticed_when_the_browser_comes_back(mina: Any, path: str) -> None:
    game_id = mina.game_id
    mina.page.goto(mina.url + QUIET)
    end_elsewhere(mina)
    mina.page.goto(mina.url + path)
    wait_until(lambda: personal(mina) == set(), "everything to be forgotten")
    assert_nothing_is_shown_offline(mina, game_id)


def test_somebody_else_finds_nothing(mina: Any) -> None:
    """Their sign-in came in between, so the page cannot clear anything in time."""
    game_id = mina.game_id
    mina.page.goto(mina.url + QUIET)
    mina.context.request.post(f"{mina.url}/api/players", data={"name": "Ken"})
    mina.open("/").locator(".me-link", has_text="Ken").wait_for()
    wait_until(
        lambda: personal(mina) <= {"tegami.player", "tegami.me"}, "everything to be forgotten"
    )
    assert_nothing_is_shown_offline(mina, game_id)


def test_an_invitation_outlives_the_end_of_an_older_sign_in(visit: Any) -> None:
    """The next sign-in needs it."""
    host = visit()
    host.sign_up("Aki")
    wish = {"ruleset": SLUG, "players": 3, "private": True, "options": {}}
    game = host.post("/games", **wish)
    invited = with_worker(visit)
    invited.sign_up("Mina")
    invited.open("/me")
    end_elsewhere(invited)
    invited.open(f"/games/{game['id']}#invitation={game['invitation']['key']}")
    invited.page.locator(".me-link", has_text="Guest").wait_for(state="attached")
    invited.page.locator(".seat, .waiting-room").first.wait_for()
    invited.page.reload()
    invited.page.locator(".seat, .waiting-room").first.wait_for()
