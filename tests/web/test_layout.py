"""How the table fits on screens: nothing covers anything else, and no word is broken."""

from __future__ import annotations

from typing import Any

import pytest

from rules.common.cards import deck
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE
from tests.web.support.staged import Stage

pytestmark = pytest.mark.browser

COVERED = """
() => {
  const panel = document.querySelector(".bottom-panel").getBoundingClientRect();
  const others = document.querySelectorAll(".status-line, .lately, .seat, .middle");
  return [...others].filter(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < panel.right && right > panel.left && top < panel.bottom && bottom > panel.top;
  }).map(each => each.className);
}
"""
OUTSIDE = """
() => [...document.querySelectorAll(".bottom-panel button")].filter(each => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
}).length
"""
CUT_OFF = "each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight"
PLACES = """() => [".status-line", ".others", ".middle", ".seat.mine", ".hand", "#confirm"].map(each => {
  const { left, top } = document.querySelector(each).getBoundingClientRect();
  return [each, Math.round(left), Math.round(top)];
})"""
SIZES = """
window.sizes = [];
new MutationObserver(records => {
  for (const { target } of records) {
    if (target.classList.contains("play")) window.sizes.push(target.style.getPropertyValue("--fit"));
  }
}).observe(document, { attributes: true, attributeFilter: ["style"], subtree: true });
"""
"""The size of the cards, each time that it was set."""
FITTED = """() => {
  const { className, style } = document.querySelector(".play");
  return [className, style.getPropertyValue("--fit")];
}"""
STORED = "() => Object.keys(localStorage).filter(each => each.startsWith('tegami.fit.'))"
BROKEN = """
() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(each => each.top)).size > 1) broken.push(word[0]);
    }
  }
  return broken;
}
"""


@pytest.mark.parametrize(("width", "height"), [(568, 320), (740, 360), (932, 430)])
@pytest.mark.parametrize("cards", [pytest.param(5, marks=pytest.mark.thorough), 13])
def test_on_a_phone_on_its_side_nothing_is_covered(
    visit: Any, width: int, height: int, cards: int
) -> None:
    stage = Stage(visit({"width": width, "height": height}))
    hand = stage.zone("hand", 0)
    hand.update(cards=list(deck()[:cards]), count=cards)
    page = stage.open()
    assert page.evaluate(COVERED) == []
    assert page.evaluate(OUTSIDE) == 0
    page.locator(".hand-card").first.click(position={"x": 6, "y": 12})
    assert page.evaluate(COVERED) == []
    assert stage.visitor.wider_than_screen() == 0


def test_four_options_of_a_line_each_are_whole_where_the_table_is_smallest(visit: Any) -> None:
    """Cards have shrunk as far as possible, and the panel is crowded."""
    stage = Stage(visit(PHONE, locale="ja-JP"))
    words = (
        "Qのワンペアをビッドする",
        "Qのスリーカードをビッドする",
        "さらに強いビッドが出るまでパスする",
        "このオークションから抜ける",
    )
    actions = (
        {"type": "bid", "card": card} for card in stage.zone("hand", stage.game["seat"])["cards"]
    )
    stage.game["legal"] = [
        {"action": action, "words": each} for action, each in zip(actions, words, strict=False)
    ]
    page = stage.open()
    page.locator(".option", has_text=words[-1]).wait_for()
    page.locator(".play").evaluate("each => each.classList.add('fit-smallest')")
    assert page.locator(".bottom-panel.crowded").count() == 1
    assert not page.locator(".options:not(.room)").evaluate(CUT_OFF)


def test_an_option_of_two_lines_is_whole_chosen_or_not(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    long = "Marker: turn 4♥ over, so that it counts 0"
    stage.game["legal"] = [
        {"action": {"type": "bid", "card": None}, "words": "Choose the hand"},
        {"action": {"type": "pass"}, "words": long},
    ]
    page = stage.open()
    option = page.locator(".option", has_text="Marker")
    page.locator(".play").evaluate("each => each.classList.add('fit-strips')")
    height = option.bounding_box()
    option.click()
    assert option.get_attribute("aria-pressed") == "true"
    assert option.bounding_box() == height
    assert not page.locator(".options:not(.room)").evaluate(CUT_OFF)


def test_no_more_room_is_kept_for_options_than_they_take(visit: Any) -> None:
    """The unseen placeholders are set like options: two that fit on a line take one."""
    stage = Stage(visit(PHONE))
    stage.game["legal"] = [
        {"action": {"type": "pass"}, "words": "Ask for the bid"},
        {"action": {"type": "bid", "card": None}, "words": "Ask for no bid"},
    ]
    page = stage.open()
    page.locator(".options:not(.room) .option").nth(1).wait_for()
    weight = "each => getComputedStyle(each).fontWeight"
    option, room = page.locator(".option").first, page.locator(".room > .button").first
    assert option.evaluate(weight) == room.evaluate(weight)
    heights = page.locator(".step > .options").evaluate_all(
        "all => all.map(each => each.offsetHeight)"
    )
    assert max(heights) == heights[0]


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE, DESK], ids=["phone", "side", "desk"])
def test_nothing_moves_when_something_happens_while_somebody_chooses(visit: Any, size: Any) -> None:
    stage = Stage(visit(size))
    page = stage.open()
    page.locator("[data-coach=close]").evaluate("each => each.click()")
    page.locator(".hand-card").first.click(position={"x": 6, "y": 12})
    before = page.evaluate(PLACES)
    stage.game["view"]["committed"] = [1, 2]
    stage.zone("hand", 1)["count"] = 4
    stage.game["waiting"].append({**stage.game["waiting"][0], "seat": 2})
    stage.show()
    page.locator(".committed").first.wait_for(state="attached")
    assert page.evaluate(PLACES) == before
    page.keyboard.press("Escape")
    page.locator(".missed", has_text="Event 3.").wait_for()


def test_a_table_that_is_opened_again_is_as_large_as_it_was_without_being_measured_anew(
    visit: Any,
) -> None:
    stage = Stage(visit(PHONE, own=True))
    hand = stage.zone("hand", 1)
    stage.game["view"]["zones"] += [
        {**hand, "name": f"more-{n}", "cards": list(deck()[n : n + 9]), "count": 9, "seat": 1}
        for n in range(0, 36, 9)
    ]
    stage.page.add_init_script(SIZES)
    page = stage.open()
    page.wait_for_function("sizes.length > 4")
    first = page.evaluate(FITTED)
    page.reload()
    page.locator(".bottom-panel").wait_for()
    assert page.evaluate(FITTED) == first
    assert len(page.evaluate("sizes")) == 1
    page.set_viewport_size(DESK)
    page.locator(".play:not(.fit-small)").wait_for()
    page.set_viewport_size(PHONE)
    page.locator(".play.fit-small").wait_for()
    assert page.evaluate(STORED) == [f"tegami.fit.{stage.game['id']}"]
    result = {"winners": [0], "scores": [1, 0, 0], "words": "Over.", "score_words": ["1", "0", "0"]}
    stage.show(status="over", result=result, legal=[], asked=None, waiting=[])
    page.locator(".play.over").wait_for()
    assert page.evaluate(STORED) == []


def test_a_toast_does_not_cover_the_panel_at_the_side(visit: Any) -> None:
    stage = Stage(visit({"width": 740, "height": 360}))
    page = stage.open()
    page.route("**/actions", lambda route: route.fulfill(status=422, json={"title": "No"}))
    page.locator(".option", has_text="Pass").click()
    page.locator("#confirm").click()
    toast = page.locator(".toast").bounding_box()
    panel = page.locator(".bottom-panel").bounding_box()
    assert toast["x"] + toast["width"] <= panel["x"]
    assert 0 < toast["y"] < 360 - toast["height"]


def test_no_word_is_broken_inside(visit: Any) -> None:
    visitor = visit(PHONE)
    visitor.sit_down("market-price")
    visitor.page.locator(".column-name", has_text="Diamonds").wait_for()
    assert visitor.page.evaluate(BROKEN) == []


def test_a_long_name_does_not_break_the_words_beside_it(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["seats"][1]["name"] = "Wolfeschlegelsteinhausenbergerdorff" * 2
    page = stage.open()
    assert page.evaluate(BROKEN) in ([], [stage.game["seats"][1]["name"]])
    assert stage.visitor.wider_than_screen() == 0


def test_japanese_is_broken_between_phrases(visit: Any) -> None:
    page = Stage(visit(PHONE, locale="ja-JP")).open()
    for part in (".status-line", ".confirm-bar", ".seat h2", "button"):
        style = page.eval_on_selector(part, "each => getComputedStyle(each).wordBreak")
        assert style == "auto-phrase", part


@pytest.mark.parametrize("words", ["The Trunk and the Peddler", "Yours truly, Bozu-mekuri"])
def test_long_titles_are_whole(visit: Any, words: str) -> None:
    stage = Stage(visit(PHONE))
    stage.game["ruleset"]["name"] = words
    box = stage.open().locator(".top h1").bounding_box()
    bar = stage.page.locator(".top").bounding_box()
    assert box["y"] >= bar["y"]
    assert box["y"] + box["height"] <= bar["y"] + bar["height"]
    assert not stage.page.eval_on_selector(".top h1", CUT_OFF)


def test_what_happened_last_is_not_cut_off(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.events[-1]["lines"][0]["words"] = (
        "Mizuhiki (house player) puts K♦ into lane 2 with no card on it."
    )
    page = stage.open()
    page.locator("[data-coach=close]").click()
    page.locator(".lately").wait_for()
    assert not page.eval_on_selector(".lately li:last-child", CUT_OFF)
