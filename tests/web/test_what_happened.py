"""The last to choose sees what that opens, decides or scores, before the next question."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import rules
from rules.kernel import Json, Ruleset
from tests.rules.playouts import Step, codes, playout
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.last_choice import LastChoice
from tests.web.support.staged import Stage

pytestmark = pytest.mark.browser

TONES = """
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    self.tones = (self.tones ?? 0) + 1;
    return make.call(this);
  };
"""
"""Count the sounds: nobody listens here."""
GO_ON = "#go-on"
HELD_TIMERS = """
  window.held = [];
  const { setTimeout } = window;
  window.setTimeout = (run, after, ...more) => after === 1500 ? held.push(run) : setTimeout(run, after, ...more);
"""
"""A moment stays for a second and a half, which pass when a test says so."""
TOLD = ".happened .told"
ROOM_LEFT = """() => {
  const told = document.querySelector(".happened .told");
  const panel = document.querySelector(".bottom-panel");
  if (told.scrollHeight <= told.clientHeight) return 0;
  const gap = parseFloat(getComputedStyle(panel.parentElement).rowGap);
  return panel.getBoundingClientRect().top - panel.previousElementSibling.getBoundingClientRect().bottom - gap;
}"""
"""The pixels above the panel that the text could still use, if not all of it is in view."""
SCROLLS = """() => document.querySelector(".happening.fits") !== null
  && document.documentElement.scrollHeight > innerHeight"""
"""Whether the page scrolls at a moment at which the table is made to fit."""
IS_CUT = f"(told => told.scrollHeight > told.clientHeight)(document.querySelector('{TOLD}'))"
"""Whether there is more to read than is in view."""
STICKING_OUT = """() => [...document.querySelectorAll(".happening .seat [data-code]")].filter(card =>
  card.getBoundingClientRect().right > card.closest(".seat").getBoundingClientRect().right).length"""
"""The number of cards beyond the edge of their seat."""
INDENTED = """() => {
  const lists = [...document.querySelectorAll(".happened .told, .facts.told")];
  return [...new Set(lists.map(each => getComputedStyle(each).paddingInlineStart))];
}"""


def last_choices(ruleset: Ruleset) -> list[Step]:
    """A choice for each kind of moment in a game."""
    found: dict[str, Step] = {}
    players, looks = ruleset.players[0], ruleset.looks
    options: Json = dict(ruleset.looks.lengths(players)[0].options)
    for step in itertools.islice(
        playout(ruleset, players, options, random.Random(3).randrange), 400
    ):
        kind = ruleset.moment(*step)
        usual = kind and step.event["action"]["type"] not in (*looks.destroys, *looks.aside)
        if usual and not ruleset.result(step.after):
            found.setdefault(kind, step)
    assert found
    return [*found.values()]


def on_table(page: Any) -> list[str]:
    """The codes of the face-up cards, apart from the hand."""
    cards: list[str] = page.eval_on_selector_all(
        ".happening [data-code]",
        "all => all.filter(each => each.checkVisibility() && !each.closest('.hand')).map(each => each.dataset.code)",
    )
    return cards


def shown_at(ruleset: Ruleset, step: Step, seat: int) -> set[str]:
    """The face-up cards at the moment of a step: those of a trick, and of choices that it opened."""
    zones = ruleset.moment_view(*step, seat)["zones"]
    faces = [face for zone in zones if zone["kind"] == "trick" for face in zone.get("cards", ())]
    lying = [face["card"] if isinstance(face, dict) else face for face in faces]
    opened = [[*action.values()] for _, action in ruleset.taken(*step, seat).opened]
    return {*codes([lying, opened])}


def drawn(ruleset: Ruleset, told: Any) -> set[str]:
    """The cards that the user has drawn, at places of the table."""
    if not any(area.kind == "drawn" for area in ruleset.looks.layout):
        return set()
    return {line["card"] for line in told["lines"] if "at" in line and "card" in line}


@pytest.mark.parametrize("slug", rules.slugs())
def test_whoever_chooses_last_sees_what_comes_of_it(slug: str, visit: Any) -> None:
    ruleset = rules.load(slug)
    visitor = visit(PHONE, by="touch", own=True, bypass_csp=True, reduced_motion="reduce")
    visitor.sign_up()
    page = visitor.page
    page.add_init_script(HELD_TIMERS)
    for nth, step in enumerate(last_choices(ruleset)):
        table = LastChoice(visitor, ruleset, step)
        table.begin()
        page.locator("#confirm").tap()
        page.locator(GO_ON).wait_for()
        said = page.locator(TOLD).inner_text()
        lines = [line["words"] for line in table.told["lines"] if line["line"] != "chosen"]
        assert [words for words in lines if words not in said] == []
        assert page.evaluate(ROOM_LEFT) < 4, "sentences are cut only where there is no room"
        assert not page.evaluate(SCROLLS)
        assert page.evaluate(INDENTED) == ["0px"]
        assert page.locator("#confirm, .confirm-bar.idle").count() == 0
        assert shown_at(ruleset, step, table.seat) - {*on_table(page)} == set()
        assert drawn(ruleset, table.told) - {*on_table(page)} == set()
        assert page.locator(".happening .committed").count() == 0, "all is open"
        assert page.locator("#cut").is_visible() == page.evaluate(IS_CUT)
        assert page.evaluate("held.length") == 1
        if nth == 0:
            assert violations(visitor) == []
        if nth == 0:
            page.evaluate("held.pop()()")
        else:
            page.locator(GO_ON).tap()
        page.locator(GO_ON).wait_for(state="detached")
        page.locator("#confirm, .confirm-bar.idle").first.wait_for()


STAYS = """async () => {
  const { Happened } = await import("/table/replay/happened.js");
  const [shown, saw] = [[], []];
  const redraw = () => shown.push(happened.step?.event.number ?? null);
  const screen = { redraw, isSeen: () => true, saw: number => saw.push(number) };
  const happened = new Happened("/", screen, { stay: 20, travel: 1 });
  const step = (number, stays) => ({ event: { number, lines: [] }, view: {}, stays, result: null });
  happened.begin([step(1, true), step(2, false), step(3, true), step(4, true)], 5);
  happened.begin([step(4, true)], 5); // by another answer
  const first = happened.drawn(0), again = happened.drawn(0);
  while (shown.length < 1) await new Promise(done => setTimeout(done, 5));
  happened.drawn(0);
  while (shown.length < 2) await new Promise(done => setTimeout(done, 5));
  happened.drawn(0);
  happened.touch(performance.now());
  const held = happened.step.event.number;
  happened.goOn();
  happened.skip();
  return { first, again, shown, saw, held, left: happened.goOn() };
}"""


def test_a_moment_goes_by_itself_by_a_touch_or_all_at_once(phone: Any) -> None:
    found = phone.evaluate(STAYS)
    assert found.pop("held") == 3, "whoever touches twice meant what was there before"
    assert found.pop("saw") == [1, 2, 3, 5]
    assert found == {"first": True, "again": False, "shown": [2, 3, 4, None], "left": False}


def test_the_end_shows_the_table_and_who_has_won_then_how_it_came_about(visit: Any) -> None:
    visitor = visit(PHONE, own=True)
    visitor.context.add_init_script(TONES)
    visitor.page.add_init_script(HELD_TIMERS)
    visitor.sign_up()
    visitor.page.evaluate("localStorage.setItem('tegami.sound', 'on')")
    stage = Stage(visitor)
    page = stage.open()
    words = "The last good is sold. Mina won. The difference is 3."
    cards = [f"{rank}h" for rank in "A23456789T"]
    stage.zone("hand", 1).update(cards=cards, count=len(cards))
    result = {"winners": [0], "scores": [5, 2, 1], "words": words, "score_words": ["5", "2", "1"]}
    stage.show(status="over", result=result, legal=[], asked=None, waiting=[])
    page.locator(GO_ON).wait_for()
    assert words in page.locator(TOLD).inner_text()
    assert page.locator(".happening .seat").count() == 3
    assert page.evaluate(STICKING_OUT) == 0
    assert page.evaluate("self.tones") == 4, "a win is heard"
    page.locator(GO_ON).focus()
    page.keyboard.press("Enter")
    page.locator(".result").wait_for()
    order = page.evaluate(
        "[...document.querySelectorAll('.result, .play .seat, .sums')].map(each => each.className.split(' ')[0])"
    )
    assert order[0] == "result" and order[-1] == "sums"
    assert page.locator("#rematch").inner_text() == "Play again with Bo, Cleo"


def test_what_opens_while_nobody_looks_on_is_heard_and_stays_in_what_was_missed(visit: Any) -> None:
    """The strip also tells what the own choice has opened; a sound for it is played only if it was wished for."""
    visitor = visit(PHONE, own=True)
    visitor.context.add_init_script(TONES)
    visitor.page.add_init_script(HELD_TIMERS)
    stage = Stage(visitor)
    page = stage.open()
    page.locator(".hand-card[data-card='As']").click(position={"x": 6, "y": 12})
    stage.moment = "opened"
    page.locator("#confirm").click()
    page.locator(GO_ON).wait_for()
    assert page.evaluate("self.tones ?? 0") == 0
    page.keyboard.press("Escape")
    page.locator(".missed li", has_text="Event 3.").wait_for()
