"""Looking back: the table as it was after each event, by buttons, keys, the history, a link, or played."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.staged import ID, POLL, Stage, arrived, hold
from tests.web.support.tables import SLUG, show

pytestmark = pytest.mark.browser

BAR = ".replay"
AT = ".replay-head p"


def played(visitor: Any, moves: int, slug: str = SLUG) -> Any:
    """A page with a game in which some moves were made."""
    visitor.sit_down(slug)
    rng = random.Random(4)
    for _ in range(moves):
        if not visitor.answer(rng):
            break
    settled(visitor)
    return visitor.page


def settled(visitor: Any) -> None:
    """Wait until the page shows that it is the visitor's turn again, or the end."""
    number = wait_until(visitor.asked, "a question, or the end")["number"]
    visitor.page.locator(f".play[data-number='{number}']").wait_for()


def look_back(visitor: Any) -> Any:
    """Look back from the start."""
    show(visitor, "history")
    visitor.page.locator(".history button", has_text="from the start").click()
    visitor.page.locator(".past .seat").first.wait_for()
    return visitor.page


def cards(page: Any) -> list[str]:
    """The names of the cards that are seen on the table."""
    labels = "all => all.map(each => each.getAttribute('aria-label'))"
    found: list[str] = page.eval_on_selector_all(".past .seat.mine [role=img]", labels)
    return found


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_game_is_looked_back_at_while_it_runs(visit: Any, picture: Any, size: Any) -> None:
    visitor = visit(size, bypass_csp=True)
    played(visitor, 2)
    last = visitor.game()["number"]
    page = look_back(visitor)
    assert page.locator(AT).inner_text() == f"Event 1 of {last}"
    assert page.locator(f"{BAR} input[type=checkbox]").count() == 0
    page.locator(".key-next").click()
    page.locator(AT, has_text="Event 2 of").wait_for()
    page.locator(".past .seat.mine [role=img]").first.wait_for()
    assert page.url.endswith("?at=2")
    views = visitor.context.request.get(f"{visitor.url}/api/games/{visitor.game_id}/views/2").json()
    hand = next(z for z in views["view"]["zones"] if z["name"] == "hand" and z["seat"] == 0)
    assert len(cards(page)) >= hand["count"]
    picture(visitor, f"replay-{size['width']}")
    assert page.locator("#confirm").count() == 0
    assert violations(visitor) == []
    page.locator(".replay .close").click()
    page.locator(".bottom-panel").wait_for()
    assert "at=" not in page.url
    assert visitor.wider_than_screen() == 0


def test_keys_move_through_the_game(visit: Any) -> None:
    visitor = visit(DESK)
    played(visitor, 2)
    last = visitor.game()["number"]
    page = look_back(visitor)
    for key, at in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1)):
        page.keyboard.press(key)
        page.locator(AT, has_text=re.compile(f"^Event {at} of {last}$")).wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    page.locator(BAR).wait_for(state="detached")


def test_a_line_of_the_history_leads_to_its_position_and_a_link_opens_it(visit: Any) -> None:
    visitor = visit(DESK)
    page = played(visitor, 2)
    page.locator(".history a").last.wait_for()
    page.locator(".history li").nth(-3).locator("a").click()
    page.locator(AT, has_text="Event 3 of").wait_for()
    assert page.locator(".history li[aria-current=step]").count() == 1
    friend = visit(PHONE)
    friend.open(page.url)
    friend.page.locator(AT, has_text="Event 3 of").wait_for()
    friend.page.locator(".past .seat").first.wait_for()
    assert friend.page.locator(".past .seat.mine").count() == 0


def test_a_finished_game_is_seen_with_all_cards_or_as_it_was_seen(visit: Any, picture: Any) -> None:
    visitor = visit(DESK)
    page = played(visitor, 99)
    page.locator("#replay").click()
    page.locator(".past .seat").first.wait_for()
    page.locator(".key-next").click()
    page.locator(AT, has_text="Event 2 of").wait_for()
    open_cards = ".past .seat:not(.mine) .kind-hand .cards [role=img]"
    page.locator(open_cards).first.wait_for()
    picture(visitor, "replay-over")
    page.locator(f"{BAR} input[type=checkbox]").uncheck()
    page.locator(".past .hand-count").first.wait_for()
    page.keyboard.press("End")
    page.locator(".past .result").wait_for()


@pytest.fixture
def stage(visit: Any) -> Stage:
    """A game in which others moved since the user's last turn."""
    stage = Stage(visit(own=True))
    stage.page.route(f"**/api/games/{ID}/views?*", lambda route: _views(stage, route))
    stage.page.clock.install()
    stage.open()
    stage.page.locator(".hand-card[data-card='As']").click()
    stage.page.locator("#confirm").click()
    stage.page.locator(".confirm-bar.idle").first.wait_for()
    stage.page.clock.pause_at("2099-01-01")
    return stage


def _views(stage: Stage, route: Any) -> None:
    after, limit = map(int, re.findall(r"(?:after|limit)=(\d+)", route.request.url))
    numbers = [each["number"] for each in stage.events][after : after + limit]
    seat, view = stage.game["seat"], stage.game["view"]
    at = "2026-11-21T10:00:00.000Z"
    views = [{"number": n, "at": at, "seat": seat, "view": view} for n in numbers]
    route.fulfill(json={"views": views, "next": None})


BAR_IN_JAPANESE = """async () => {
  const { loadLanguage } = await import("/base/words.js");
  const { drawReplayBar } = await import("/table/replay/replay_bar.js");
  await loadLanguage("ja");
  document.documentElement.lang = "ja";
  const game = { number: 1200, status: "over" };
  document.querySelector("main").append(drawReplayBar({ at: 1100, everything: true, playing: false }, game, null));
  return [...document.querySelectorAll(".replay-head > *")].map(each => {
    const range = new Range();
    range.selectNodeContents(each);
    const lines = [...range.getClientRects()].filter(({ height }) => height);
    return new Set(lines.map(({ bottom }) => Math.round(bottom / 16))).size;
  });
}"""


def test_nothing_above_an_earlier_table_is_broken_into_lines(phone: Any) -> None:
    assert phone.evaluate(BAR_IN_JAPANESE) == [1, 1, 1]


def test_what_was_missed_is_a_strip_that_plays_and_can_be_skipped(stage: Stage) -> None:
    page = stage.page
    assert page.locator(".missed").count() == 0, "one's own move was not missed"
    for _ in range(3):
        stage.change()
        chosen = {"line": "chosen", "seat": 1, "words": "Ken has chosen."}
        stage.events[-1]["lines"].insert(0, chosen)  # it has been opened since, and is told by that
        with page.expect_response(f"**/api/games/{ID}/events?*"):
            page.evaluate(POLL)
    last = stage.game["number"]
    strip = page.locator(".missed li")
    strip.nth(2).wait_for()
    assert strip.all_inner_texts() == [f"Event {n}." for n in range(last - 2, last + 1)]
    page.locator(".missed > button").click()
    for n in range(last - 2, last + 1):
        page.locator(AT, has_text=f"Event {n} of {last}").wait_for()
        page.clock.fast_forward(1700)
    page.locator(".missed").wait_for()
    strip.nth(1).locator("button").click()
    page.locator(AT, has_text=f"Event {last - 1} of {last}").wait_for()
    page.locator(".replay .close").click()
    page.locator(BAR).wait_for(state="detached")


@pytest.mark.parametrize("height", [660, 500])
def test_where_there_is_little_room_the_strip_is_a_line_or_a_number(
    visit: Any, height: int
) -> None:
    """It becomes part of the button that opens the history, which then plays the missed events."""
    stage = Stage(visit({"width": 360, "height": height}))
    page = stage.open()
    page.route(f"**/api/games/{ID}/views?*", lambda route: _views(stage, route))
    page.locator("[data-coach=close]").evaluate("each => each.click()")
    stage.show()
    stage.show()
    badge = page.locator(".tools [data-drawer=history] .badge")
    badge.wait_for(state="attached")
    strip = page.locator(".missed")
    if height == 660:
        assert strip.bounding_box()["height"] < 45
        assert not badge.is_visible()
        strip.get_by_role("button").first.click()
    else:
        assert not strip.is_visible()
        assert badge.inner_text() == "2"
        page.get_by_role("button", name="History, 2 new").click()
        page.locator(".side-panel .play-missed").click()
        page.locator(".side-panel.open").wait_for(state="detached")
    page.locator(AT, has_text=f"Event {stage.game['number'] - 1} of").wait_for()


def test_a_slider_that_is_dragged_loads_only_the_page_where_it_stays(visit: Any) -> None:
    stage = Stage(visit(DESK), number=100)
    asked, held = list[int](), list[Any]()

    def load(route: Any) -> None:
        asked.append(int(re.findall(r"after=(\d+)", route.request.url)[0]))
        held.append(route)

    page = stage.open()
    page.route(f"**/api/games/{ID}/views?*", load)
    show(stage.visitor, "history")
    page.locator(".history a").first.click()
    slider = page.locator(f"{BAR} input[type=range]")
    for value in (30, 90, 70, 50):
        slider.evaluate(
            "(it, value) => { it.value = value; it.dispatchEvent(new Event('input')); }", value
        )
    first = asked[0]
    wait_until(lambda: page.evaluate("true") and held, "the first page")
    _views(stage, held.pop())
    wait_until(lambda: page.evaluate("true") and held, "the page where it stays")
    assert asked == [first, 40]
    _views(stage, held.pop())
    page.locator(AT, has_text="Event 50 of 100").wait_for()
    page.locator(".past .seat").first.wait_for()
    assert asked == [first, 40]


def test_what_comes_for_a_table_that_was_left_changes_nothing(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.sign_up()
    stage = Stage(visitor)
    page = stage.open()
    held = hold(stage, f"**/api/games/{ID}/views?*")
    page.locator(".history li a, .history li button").first.click()
    late = arrived(stage, held)
    visitor.go("/")
    page.locator(".shelf").wait_for()
    late.abort()
    page.evaluate("fetch('/healthz').then(answer => answer.text())")  # comes after the late one
    assert page.url == f"{visitor.url}/"
    assert page.locator(".toast").count() == 0
    visitor.errors.clear()  # the browser reports the request
