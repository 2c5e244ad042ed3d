"""Events are shown once: all of them, to everybody who looks, and never again."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.staged import ID, POLL, Stage
from tests.web.test_what_happened import GO_ON, HELD_TIMERS, TOLD

pytestmark = pytest.mark.browser

SHOWN = "#confirm, .confirm-bar.idle, #go-on"
"""The content under the hand once the table is drawn."""
SKIP = "#skip-all"
CUT = "#cut"
UNSEEN = f"""() => {{
  const told = document.querySelector("{TOLD}");
  const end = told.getBoundingClientRect().bottom + 1;
  return [...told.children].filter(each => each.getBoundingClientRect().bottom > end).length;
}}"""
"""The number of sentences of a moment that are not in view."""
LEAST_TARGET = 44
ANNOUNCED = "#announced"
HELD_TRAVELS = HELD_TIMERS.replace("1500", "420")
"""The travels of one player's cards last until the next player's begin."""
WATCHED = """
  window.glided = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const lying = document.querySelectorAll(".middle [data-code]").length;
    if (frames.length) glided.push([this.dataset.code, startOf(this, frames[0].transform), lying]);
    return animate.call(this, frames, timing);
  };
  function startOf(card, transform) {
    const [x, y] = transform.match(/-?[\\d.]+/g).map(Number);
    const { left, top } = card.getBoundingClientRect();
    const isThere = ({ left: atLeft, top: atTop }) => Math.hypot(left + x - atLeft, top + y - atTop) < 2;
    return [...document.querySelectorAll(".seat")].find(seat => isThere(seat.getBoundingClientRect()))?.dataset.key;
  }
"""
"""Note for each travelling card where it comes from, and how many cards are in the middle by then."""


def happen(stage: Stage, *, moment: str | None = None, **more: Any) -> None:
    """Let another event happen, with the table unchanged."""
    before = copy.deepcopy(stage.game["view"])
    stage.change()
    stage.events[-1] |= {"moment": moment, **more}
    table = {"view": copy.deepcopy(stage.game["view"]), "moment": before if moment else None}
    stage.views.append({"number": stage.game["number"], **table})


def lay(stage: Stage, seat: int, card: str) -> None:
    """Let a seat bid a card, with more to tell than there is room for: cards travel in any case."""
    zone = stage.zone("bid", seat)
    zone["cards"] = [*zone.get("cards", []), card]
    zone["count"] = len(zone["cards"])
    lines = [{"line": "told", "words": f"Line {n}."} for n in range(40)]
    happen(stage, seat=seat, action={"type": "bid", "cards": [card]}, lines=lines)


def come(stage: Stage) -> None:
    """Make the page ask for events."""
    with stage.page.expect_response(f"**/api/games/{ID}/events?*"):
        stage.page.evaluate(POLL)


def is_stopped(stage: Stage) -> bool:
    """Whether the drawn table stands at a moment."""
    stage.page.locator(SHOWN).first.wait_for()
    return bool(stage.page.locator(GO_ON).count())


@pytest.fixture
def stage(visit: Any) -> Stage:
    """A table on a phone at which moments pass when the test says so."""
    visitor = visit(PHONE, by="touch", own=True, reduced_motion="reduce")
    visitor.page.add_init_script(HELD_TIMERS)
    stage = Stage(visitor)
    stage.open()
    return stage


def test_what_was_seen_is_not_shown_again_and_what_was_not_is_not_lost(stage: Stage) -> None:
    page = stage.page
    for _ in range(2):
        happen(stage, moment="opened")
    come(stage)
    page.locator(GO_ON).tap()
    page.locator(SKIP).wait_for(state="detached")
    page.reload()
    assert is_stopped(stage), "the second one was not seen to its end"
    assert page.locator(SKIP).count() == 0
    page.locator(GO_ON).tap()
    page.locator(GO_ON).wait_for(state="detached")
    page.reload()
    assert not is_stopped(stage)
    page.locator(".table-menu > button").tap()
    page.locator("#table-menu [data-key=theme]").tap()
    page.locator("html[data-theme]").wait_for()
    assert not is_stopped(stage)
    stage.visitor.go("/")
    page.locator(".shelf").wait_for()
    stage.visitor.go(f"/games/{ID}")
    assert not is_stopped(stage)
    happen(stage, moment="opened")
    page.reload()
    assert is_stopped(stage), "it happened while the page was closed, before any own action"


def test_all_that_was_missed_is_skipped_by_a_button(stage: Stage) -> None:
    page = stage.page
    for _ in range(3):
        happen(stage, moment="opened")
    come(stage)
    page.locator(SKIP).wait_for()
    boxes = [page.locator(each).bounding_box() for each in (SKIP, GO_ON)]
    assert all(min(box["width"], box["height"]) >= LEAST_TARGET for box in boxes)
    page.locator(SKIP).tap()
    page.locator(GO_ON).wait_for(state="detached")
    page.reload()
    assert not is_stopped(stage)
    happen(stage, moment="opened")
    come(stage)
    page.locator(GO_ON).wait_for()
    assert page.locator(SKIP).count() == 0, "there is nothing else to skip"


def test_a_moment_waits_while_something_lies_over_the_table(stage: Stage) -> None:
    page = stage.page
    happen(stage, moment="opened")
    come(stage)
    page.locator(GO_ON).wait_for()

    def pass_time() -> None:
        page.evaluate("held.splice(0).forEach(run => run())")

    def uncover(way: str, gone: str) -> None:
        pass_time()
        assert is_stopped(stage)
        page.keyboard.press("Escape") if way == "Escape" else page.locator(way).tap()
        page.locator(gone).wait_for(state="detached")
        assert is_stopped(stage)
        wait_until(lambda: page.evaluate("held.length"), "the time for which it stays")

    page.locator("[data-drawer=history]").tap()
    uncover(".side-panel .close", ".side-panel.open")
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    uncover("Escape", "dialog")
    page.locator(".table-menu > button").tap()
    uncover("Escape", "#table-menu:popover-open")
    pass_time()
    page.locator(GO_ON).wait_for(state="detached")


def test_the_outcome_stands_first_and_a_list_that_is_cut_goes_by_and_says_how_much_more_there_is(
    stage: Stage,
) -> None:
    page = stage.page
    page.evaluate("window.region = document.querySelector('#announced')")
    said = [
        {"line": "told", "words": f"Somebody does something, the {n}th time."} for n in range(30)
    ]
    said[24] |= {"words": "Ken wins the trick.", "outcome": True}
    happen(stage, moment="trick", lines=said)
    come(stage)
    page.locator(GO_ON).wait_for()
    first = page.locator(f"{TOLD} p").first
    assert first.inner_text() == "Ken wins the trick."
    assert first.evaluate("each => getComputedStyle(each).fontWeight") == "600"
    told, button = (page.locator(each).bounding_box() for each in (TOLD, GO_ON))
    assert button["y"] >= told["y"] + told["height"]
    unseen = page.evaluate(UNSEEN)
    assert unseen > 0 and page.locator(CUT).inner_text() == f"{unseen} more in the history"
    assert page.evaluate("held.length") == 1, "it goes on by itself all the same"
    read = page.locator(ANNOUNCED)
    assert read.evaluate("each => each === region && each.role === 'status'")
    assert read.inner_text().startswith(
        "Ken wins the trick. Somebody does something, the 0th time."
    )
    assert page.locator("[role=status]", has_text="Ken wins the trick.").count() == 1
    page.locator(CUT).tap()
    for line in said:
        page.locator(".side-panel .history li", has_text=line["words"]).first.wait_for()
    page.evaluate("held.splice(0).forEach(run => run())")
    assert is_stopped(stage), "the history lies over it"
    page.locator(".side-panel .close").tap()
    wait_until(lambda: page.evaluate("held.length"), "the time for which it stays")
    page.evaluate("held.pop()()")
    page.locator(GO_ON).wait_for(state="detached")
    assert read.inner_text() == ""


def test_a_moment_that_says_all_speaks_of_nothing_more(stage: Stage) -> None:
    happen(stage, moment="opened")
    come(stage)
    stage.page.locator(GO_ON).wait_for()
    assert not stage.page.locator(CUT).is_visible()


def test_whoever_scrolls_what_is_told_has_its_time_again(stage: Stage) -> None:
    page = stage.page
    said = [
        {"line": "told", "words": f"Somebody does something, the {n}th time."} for n in range(9)
    ]
    happen(stage, moment="trick", lines=[*said, *said, *said])
    come(stage)
    page.locator(CUT).wait_for()
    before = page.evaluate("held.length")
    page.locator(TOLD).evaluate("told => told.scrollTo(0, 40)")
    wait_until(lambda: page.evaluate("held.length") > before, "the time for which it stays")


def test_what_came_while_the_user_looked_back_is_shown_when_they_return(stage: Stage) -> None:
    page, view = stage.page, stage.game["view"]
    numbers = range(1, stage.game["number"] + 1)
    stage.views = [{"number": each, "view": view, "moment": None} for each in numbers]
    page.locator("[data-drawer=history]").tap()
    page.locator(".history li a").last.tap()
    page.locator(".replay").wait_for()
    happen(stage, moment="opened")
    come(stage)
    page.locator(".replay .close").tap()
    page.locator(GO_ON).wait_for()


def test_two_cards_that_were_missed_travel_one_after_another_each_from_its_seat(
    visit: Any,
) -> None:
    visitor = visit(PHONE, by="touch", own=True)
    visitor.page.add_init_script(HELD_TRAVELS + WATCHED)
    stage = Stage(visitor)
    page = stage.open()

    def travel() -> list[Any]:
        """Let the next cards travel; returns those that have travelled so far."""
        page.locator(".happening").wait_for()
        wait_until(lambda: page.evaluate("held.length"), "the cards that travel")
        page.evaluate("held.pop()()")
        found: list[Any] = page.evaluate("glided")
        return found

    lay(stage, 1, "7h")
    lay(stage, 2, "8h")
    come(stage)
    page.locator(".happening").wait_for()
    lying = page.locator(".middle [data-code]").count()
    assert page.evaluate("glided") == [["7h", "seat 1", lying]]
    assert travel() == [["7h", "seat 1", lying], ["8h", "seat 2", lying + 1]]
    page.locator(".happening").wait_for(state="detached")
    for seat, card in ((1, "9h"), (2, "Th"), (1, "Jh")):
        lay(stage, seat, card)
    come(stage)
    page.locator(SKIP).tap()
    page.locator(".happening").wait_for(state="detached")
    assert [card for card, *_ in page.evaluate("glided")].count("9h") == 1
    assert page.locator(".middle [data-code]").count() == lying + 4
    for seat, card in ((2, "Qh"), (1, "Kh")):
        lay(stage, seat, card)
    stage.views.append({"number": stage.game["number"] - 2, "view": stage.views[-3]["view"]})
    page.reload()
    travel()
    assert travel() == [["Qh", "seat 2", lying + 5], ["Kh", "seat 1", lying + 6]]
