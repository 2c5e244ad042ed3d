"""The analysis of one's decisions on the page: asked for, awaited, and looked at by touch, by keys and in a table."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.accessibility import assert_accessible
from tests.web.support.staged import ID, Stage, answer, example

pytestmark = pytest.mark.browser

OVER = {**example("getGame-200-over"), "id": ID}
PATH = f"**/api/games/{ID}/analysis"


def choice(words: str, value: float, *, played: bool = False) -> Any:
    """A choice as the API describes it."""
    action = {"type": "bid", "cards": ["2s"]}
    return {
        "action": action,
        "words": words,
        "value": value,
        "error": 0.02,
        "visits": 200,
        "played": played,
    }


def decision(number: int, worth: float, cost: float) -> Any:
    """A decision that cost so much; without a cost, the house player's own choice."""
    best = choice(f"Bid {number}♥", worth, played=not cost)
    others = [choice(f"Pass at {number}", worth - cost, played=True)] if cost else []
    return {
        "number": number,
        "worth": worth,
        "cost": cost,
        "error": 0.03 if cost else 0,
        "choices": [best, *others],
    }


DECISIONS = [decision(3, 0.5, 0), decision(6, 0.6, 0.02), decision(9, 0.7, 0.4)]
NO_DEEP = {"state": "none", "asked_at": None, "ahead": 0, "done": 0, "of": 0}
DONE = {
    **example("getAnalysis-200"),
    "depth": "usual",
    "deep": NO_DEEP,
    "done": 3,
    "of": 3,
    "decisions": DECISIONS,
    "turning_points": [9],
}
NONE = {**DONE, "state": "none", "asked_at": None, "done": 0, "of": 0, "decisions": []}
NONE["turning_points"] = []
WAITING = {**NONE, "state": "waiting", "ahead": 0, "done": 1, "of": 3}
DEEPENING = {**DONE, "deep": {**NO_DEEP, "state": "waiting", "done": 1, "of": 3}}
DEEP = {
    **DONE,
    "depth": "deep",
    "deep": {**NO_DEEP, "state": "done", "done": 3, "of": 3},
    "turning_points": [6, 9],
}


class Analysed(Stage):
    """A finished game whose analysis is `found`; `asked` counts how often it was asked for."""

    def __init__(self, visitor: Any, found: Any) -> None:
        super().__init__(visitor, **OVER)
        self.found, self.asked = copy.deepcopy(found), 0
        self.refuses: int | None = None
        """The status with which the service refuses to say how far it has come."""
        self.page.route(PATH, self._analysis)

    def _analysis(self, route: Route) -> None:
        if self.refuses:
            answer(route, {"type": "about:blank", "title": "Not now"}, self.refuses)
            return
        if route.request.method == "PUT":
            self.asked += 1
            deep = route.request.post_data_json["depth"] == "deep"
            self.found = copy.deepcopy(DEEPENING if deep else WAITING)
        answer(route, self.found)

    def look(self) -> Any:
        """The analysis on the page, which was opened there."""
        page = self.open()
        page.locator("#analysis-start").click()
        page.locator(".analysis").wait_for()
        return page.locator(".analysis")

    def passes_until(self, shown: Locator, milliseconds: int) -> None:
        """Let so much time pass again and again until the page shows this: a poll that is under way when the time
        jumps sets its next one afterwards.
        """

        def has_come() -> bool:
            self.page.clock.run_for(milliseconds)
            return shown.is_visible()

        wait_until(has_come, "the page shows it")


@pytest.fixture
def analysed(visit: Any) -> Any:
    """Opens a finished game on a phone."""
    return lambda found: Analysed(visit(PHONE, bypass_csp=True), found)


def test_it_is_asked_for_and_awaited(analysed: Any) -> None:
    stage = analysed(NONE)
    stage.page.clock.install()
    shown = stage.look()
    assert stage.asked == 0
    shown.locator("#ask-analysis").click()
    expect(shown.locator("[role=status]")).to_have_text("Decisions analyzed: 1 of 3")
    assert stage.asked == 1
    stage.found = copy.deepcopy(DONE)
    stage.passes_until(shown.locator(".curve"), 5000)


def test_a_deep_one_is_asked_for_and_takes_its_place(analysed: Any) -> None:
    """The usual one stays until then, and whoever looks at a decision is not taken away from it."""
    stage = analysed(DONE)
    stage.page.clock.install()
    shown = stage.look()
    shown.locator("#ask-deep-analysis").click()
    status = shown.locator("[role=status]")
    expect(status).to_have_text("The deep analysis is under way. Decisions analyzed: 1 of 3")
    expect(shown.locator("#ask-deep-analysis")).to_have_count(0)
    expect(shown.locator("progress")).to_be_visible()
    shown.locator("input[type=range]").press("Home")
    stage.page.clock.run_for(16_000)
    expect(shown.locator("#analysis-decision")).to_have_text("Decision 1 of 3")
    stage.found = copy.deepcopy(DEEP)
    stage.passes_until(status.filter(has_text="This is the deep analysis."), 16_000)
    expect(shown.locator(".decisions").first.locator("tbody tr")).to_have_count(2)
    expect(shown.locator("#analysis-decision")).to_have_text("Decision 1 of 3")
    expect(shown.locator("progress")).to_have_count(0)
    assert stage.asked == 1


def test_a_deep_one_can_be_the_first_that_is_asked_for(analysed: Any) -> None:
    shown = analysed(NONE).look()
    expect(shown.locator("#ask-analysis")).to_be_visible()
    shown.locator("#ask-deep-analysis").click()
    expect(shown.locator("[role=status]")).to_contain_text("The deep analysis is under way")


def test_a_deep_one_that_failed_is_offered_again(analysed: Any) -> None:
    shown = analysed({**DONE, "deep": {**NO_DEEP, "state": "failed"}}).look()
    expect(shown.locator(".deeper")).to_contain_text("The deep analysis failed.")
    expect(shown.locator("#ask-deep-analysis")).to_be_visible()


def test_it_is_awaited_although_the_server_does_not_answer_for_a_while(analysed: Any) -> None:
    stage = analysed(WAITING)
    stage.page.clock.install()
    shown = stage.look()
    expect(shown.locator("progress")).to_be_visible()
    stage.refuses = 503
    status = shown.locator("[role=status]")
    stage.passes_until(status.filter(has_text="is not responding"), 4000)
    stage.refuses, stage.found = None, copy.deepcopy(DONE)
    stage.passes_until(shown.locator(".curve"), 4000)
    expect(status).to_have_text("")


def test_it_can_be_asked_for_again_after_it_was_refused(analysed: Any) -> None:
    stage = analysed(DONE)
    stage.refuses = 409
    page = stage.open()
    page.locator("#analysis-start").click()
    page.locator(".toast").wait_for()
    stage.refuses = None
    page.locator("#analysis-start").press("Enter")  # a click would be a double click
    expect(page.locator(".analysis .curve")).to_be_visible()


def test_none_is_offered_of_a_deal_that_others_still_play(analysed: Any) -> None:
    stage = analysed(NONE)
    stage.game["deal"] = "2026-11-29"
    stage.page.clock.install(time="2026-11-29T23:59:00Z")
    page = stage.open()
    page.locator(".sums").wait_for()
    expect(page.locator("#analysis-start")).to_have_count(0)
    stage.page.clock.set_system_time("2026-11-30T00:00:00Z")
    page.reload()
    expect(page.locator("#analysis-start")).to_be_visible()


def test_the_costliest_decision_comes_first(analysed: Any) -> None:
    shown = analysed(DONE).look()
    expect(shown.locator("#analysis-decision")).to_have_text("Decision 3 of 3")
    expect(shown.locator(".decision > p")).to_contain_text("cost about 40 percentage points")
    expect(shown.locator(".choices .played")).to_contain_text("Pass at 9")
    turning = shown.locator(".decisions").first.locator("tbody tr")
    expect(turning).to_have_count(1)
    expect(turning.first).to_contain_text("40 (±6)")


def test_the_curve_can_be_touched(analysed: Any) -> None:
    shown = analysed(DONE).look()
    curve = shown.locator(".curve svg")
    box = curve.bounding_box()
    for part, number in ((0.03, 1), (0.5, 2), (0.97, 3)):
        curve.click(position={"x": box["width"] * part, "y": box["height"] / 2})
        expect(shown.locator("#analysis-decision")).to_have_text(f"Decision {number} of 3")


def test_keys_move_from_decision_to_decision(analysed: Any) -> None:
    stage = analysed(DONE)
    shown = stage.look()
    slider = shown.locator("input[type=range]")
    slider.focus()
    stage.page.keyboard.press("ArrowLeft")
    expect(shown.locator("#analysis-decision")).to_have_text("Decision 2 of 3")
    expect(shown.locator(".decision > p")).to_contain_text("within the uncertainty")
    stage.page.keyboard.press("Home")
    expect(shown.locator(".decision > p")).to_have_text(
        "You played what the house player would have played."
    )
    expect(slider).to_be_focused()
    assert slider.get_attribute("aria-valuetext") == "Decision 1 of 3"


def test_all_decisions_are_in_a_table(analysed: Any) -> None:
    shown = analysed(DONE).look()
    shown.locator("summary").click()
    rows = shown.locator("details tbody tr")
    expect(rows).to_have_count(3)
    rows.nth(1).locator("button").click()
    expect(shown.locator("#analysis-decision")).to_have_text("Decision 2 of 3")


def test_a_decision_leads_to_the_table_before_it(analysed: Any) -> None:
    """With all cards face up; the analysis stays below it."""
    stage = analysed(DONE)
    stage.page.route("**/views?*", lambda route: answer(route, {"views": [], "next": None}))
    shown = stage.look()
    shown.locator("#analysis-table").click()
    stage.page.locator(".past .replay").wait_for()
    assert stage.page.url.endswith("?at=8")
    expect(stage.page.locator(".replay-head input")).to_be_checked()
    expect(stage.page.locator(".past .analysis #analysis-decision")).to_have_text("Decision 3 of 3")


def test_whoever_did_not_play_is_offered_none(analysed: Any) -> None:
    stage = analysed(DONE)
    stage.game["seat"] = None
    page = stage.open()
    page.locator(".sums").wait_for()
    expect(page.locator("#analysis-start")).to_have_count(0)


@pytest.mark.parametrize(
    "found",
    [NONE, WAITING, DONE, DEEPENING, DEEP],
    ids=["none", "waiting", "done", "deepening", "deep"],
)
def test_it_is_accessible_and_fits_a_phone(analysed: Any, found: Any) -> None:
    stage = analysed(found)
    shown = stage.look()
    if found is DONE:
        shown.locator("summary").click()
    assert_accessible(stage.visitor)
