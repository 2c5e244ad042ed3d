"""Without a connection the website opens, shows the tables that were looked at here, and says so; later it
continues.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Error

from tests.support.servers.server import wait_until
from tests.web.support.staged import PLAYED, Stage, answer
from tests.web.support.tables import SLUG
from tests.web.support.workers import at_kept_table, await_worker, kept_tables, with_worker

pytestmark = pytest.mark.browser

OFFLINE = {"en-GB": "No connection. This is how things stood at", "ja-JP": "時点の様子です"}

KEEP = """
async id => {
  const { keepTable, keptTable, keptTables } = await import("/people/sign_in/kept_tables.js");
  const { game } = await keptTable(id);
  for (let n = 1; n <= 21; n++) keepTable({ ...game, id: `g_${n}`, invitation: { key: "secret" } }, [], {});
  keepTable({ ...game, id: "g_large", talk: "x".repeat(100_000) }, [], {});
  return Object.fromEntries((await keptTables()).map(kept => [kept.game.id, JSON.stringify(kept)]));
}
"""
"""Store more tables than there is room for; returns what is stored then, by id."""


@pytest.fixture
def mina(visit: Any) -> Any:
    """A player at a table that has begun, with a worker; the connection fails in these tests."""
    mina = at_kept_table(visit, SLUG)
    yield mina
    mina.context.close()
    mina.errors.clear()  # the browser reports every request that fails


@pytest.mark.daily
def test_the_last_table_is_shown_and_said_to_be_the_last(mina: Any) -> None:
    cards = mina.page.locator(".hand-card").count()
    mina.context.set_offline(True)
    mina.page.reload()
    mina.page.locator(".offline", has_text=OFFLINE["en-GB"]).wait_for()
    assert mina.page.locator(".hand-card").count() == cards > 0
    assert mina.page.locator(".toast").count() == 0, "it is said once"
    mina.context.set_offline(False)
    mina.page.locator(".offline").wait_for(state="detached")
    mina.page.locator("#confirm").wait_for()


def test_home_lists_the_tables_that_can_be_looked_at(mina: Any) -> None:
    game_id = mina.game_id
    mina.context.set_offline(True)
    mina.page.goto(mina.url + "/")
    mina.page.locator("h1", has_text="No connection").wait_for()
    mina.page.locator(f".tables a[href='/games/{game_id}']").click()
    mina.page.locator(".offline").wait_for()
    mina.page.go_back()
    mina.page.locator("h1", has_text="No connection").wait_for()
    mina.context.set_offline(False)
    mina.page.locator(".shelf").wait_for()


def test_a_language_is_there_once_it_was_used_here(mina: Any) -> None:
    page, table = mina.page, f"{mina.url}/games/{mina.game_id}"
    mina.context.set_offline(True)
    page.goto(mina.url + "/")
    page.locator("button[lang=ja]").click()
    page.locator(".toast", has_text="No connection").wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    page.evaluate("localStorage['tegami.language'] = 'ja'")  # chosen, but never used here
    page.goto(table)
    page.locator(".offline", has_text=OFFLINE["en-GB"]).wait_for()
    mina.context.set_offline(False)
    page.goto(table)
    page.locator("html[lang=ja] .hand-card").first.wait_for()
    mina.context.set_offline(True)
    page.goto(table)
    page.locator(".offline", has_text=OFFLINE["ja-JP"]).wait_for()


def opened_offline(visit: Any) -> tuple[Any, Stage, Any]:
    """Somebody at a table that was opened without a connection, as this browser stored it."""
    visitor = visit()
    visitor.sign_up()
    stage = Stage(visitor)
    page = stage.open()
    wait_until(lambda: stage.game["id"] in kept_tables(visitor), "the table to be kept")
    stage.connected = False
    page.reload()
    page.locator(".offline").wait_for()
    return visitor, stage, page


def test_a_choice_made_without_a_connection_is_sent_when_there_is_one(visit: Any) -> None:
    """This includes a table that was opened without a connection."""
    visitor, stage, page = opened_offline(visit)
    for card in ("As", "2s"):
        page.locator(f".hand-card[data-card='{card}']").click()
    page.locator("#confirm").click()
    page.locator(".unsent", has_text="Not sent yet").wait_for()
    stage.connected = True
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(PLAYED).wait_for()
    assert stage.sent == [{"type": "bid", "cards": ["As", "2s"]}] * 2
    assert page.locator(".offline").count() == 0
    visitor.errors.clear()


def test_a_choice_made_before_is_not_played_when_the_question_has_changed(visit: Any) -> None:
    visitor, stage, page = opened_offline(visit)
    page.locator(".hand-card[data-card='As']").click()
    page.locator("#confirm").click()
    page.locator(".unsent").wait_for()
    stage.change(asked=3)
    moved = {"type": "/problems/stale", "title": "The table has moved on", "game": stage.game}
    page.route("**/actions", lambda route: answer(route, moved, 409))
    stage.connected = True
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".toast", has_text="The table has moved on").wait_for()
    assert page.locator(".hand-card.up, .unsent").count() == 0
    visitor.errors.clear()


def test_signing_out_forgets_the_tables(mina: Any) -> None:
    page = mina.open("/me")
    page.locator("#sign-out").click()
    page.locator(".me-link", has_text="Guest").wait_for()
    wait_until(lambda: kept_tables(mina) == [], "the tables to be forgotten")
    await_worker(mina)  # the old one is forgotten too
    mina.context.set_offline(True)
    mina.page.goto(mina.url + "/")
    page.locator("p", has_text="Tables that you have looked at").wait_for()
    assert page.locator(".tables").count() == 0


def test_nobody_sees_the_tables_of_somebody_else_at_the_same_browser(mina: Any) -> None:
    """The sign-in is replaced elsewhere, so this page cannot clear anything in time."""
    game_id = mina.game_id
    mina.context.request.post(f"{mina.url}/api/players", data={"name": "Ken"})
    mina.open("/").locator(".me-link", has_text="Ken").wait_for()
    wait_until(lambda: kept_tables(mina) == [], "the tables to be forgotten")
    mina.context.set_offline(True)
    mina.page.goto(f"{mina.url}/games/{game_id}")
    mina.page.locator(".toast", has_text="No connection").wait_for()
    assert mina.page.locator(".play").count() == 0


def test_visitors_leave_nothing(visit: Any, mina: Any) -> None:
    visitor = with_worker(visit)
    visitor.open(f"/games/{mina.game_id}").locator(".seat").first.wait_for()
    await_worker(visitor)
    assert kept_tables(visitor) == []


def test_only_so_many_tables_are_kept_and_none_that_is_too_large(mina: Any) -> None:
    first = mina.game_id
    mina.open("/me")  # the table would go on, and be kept again
    told = mina.page.evaluate(KEEP, first)
    assert len(told) == 20 and "g_21" in told and first not in told
    assert "g_large" not in told and not any("secret" in each for each in told.values())


FAIL = """
async ([name, own]) => {
  const { keepTable, keptTables } = await import("/people/sign_in/kept_tables.js");
  const open = caches.open.bind(caches);
  caches.open = () => Promise.reject(own ? new TypeError(name) : new DOMException("", name));
  keepTable({ id: "g_1" }, [], {});
  const told = await keptTables().then(String, String);
  caches.open = open;
  return [told, (await keptTables()).length];
}
"""


@pytest.mark.parametrize("name", ["QuotaExceededError", "SecurityError"])
def test_storage_that_is_full_or_forbidden_keeps_nothing_and_disturbs_nobody(
    mina: Any, name: str
) -> None:
    mina.open("/me")
    assert mina.page.evaluate(FAIL, [name, False]) == ["", 1]
    assert mina.errors == []


def test_a_mistake_of_our_own_is_not_taken_for_full_storage(mina: Any) -> None:
    mina.open("/me")
    assert mina.page.evaluate(FAIL, ["a mistake", True]) == ["TypeError: a mistake", 1]
    wait_until(
        lambda: mina.page.evaluate("true") and mina.errors, "the error of what nobody awaits"
    )
    assert "a mistake" in mina.errors[0]


def test_other_documents_and_the_api_are_never_answered_by_the_worker(mina: Any) -> None:
    mina.context.set_offline(True)
    failed = "path => fetch(path).then(() => false, () => true)"
    for path in ("/api/me", "/api/rulesets", "/icon.svg?new"):
        assert mina.page.evaluate(failed, path), path
    for path in ("/rules/caravan", "/privacy", "/plain"):
        other = mina.context.new_page()
        with pytest.raises(Error, match="ERR_"):
            other.goto(mina.url + path)
        other.close()
