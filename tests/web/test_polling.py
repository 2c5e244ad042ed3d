"""The page's polls: by a clock that the test moves, so that nothing depends on the machine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE, empty_table

pytestmark = pytest.mark.browser

START = """
async pause => {
  const { Polling } = await import("/base/polling.js");
  window.runs = 0;
  window.pause = pause ?? Infinity;
  window.polling = new Polling(async () => {
    window.runs += 1;
    if (window.pause === "fail") throw new Error("no line");
    return window.pause;
  }, () => {});
}
"""
HIDE = """
hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""
PAUSE = """
async ({game, seconds}) => {
  const { pauseAt } = await import("/table/state/pauses.js");
  const pause = pauseAt(game, Date.parse("2026-11-24T10:00:00Z") + seconds * 1000);
  return pause === Infinity ? "never" : pause;
}
"""
BEGAN = "2026-11-24T10:00:00.000Z"


def runs_within(page: Any, seconds: int) -> int:
    """The number of times that the step runs while the clock moves on by this time."""
    before = page.evaluate("runs")
    for _ in range(seconds):
        page.clock.fast_forward(1000)
    return int(page.evaluate("runs") - before)


@pytest.fixture
def clocked(visit: Any) -> Any:
    """A page whose clock only the test moves."""
    phone = empty_table(visit(PHONE, own=True))
    phone.clock.install(time="2026-11-24T10:00:00Z")
    phone.clock.pause_at("2026-11-24T12:00:00Z")  # it goes on until then
    return phone


def test_polls_often_while_somebody_looks_and_seldom_when_nobody_does(clocked: Any) -> None:
    clocked.evaluate(START, 2)
    assert runs_within(clocked, 60) == 30
    assert 3 <= runs_within(clocked, 180) - 30 <= 6, "two minutes on nobody counts as looking"
    clocked.clock.fast_forward(3_600_000)
    assert runs_within(clocked, 280) == 0, "after an hour it is minutes"
    before = clocked.evaluate("runs")
    clocked.mouse.move(100, 100)
    assert clocked.evaluate("runs") == before + 1, "at once on return"
    clocked.mouse.move(120, 100)
    assert clocked.evaluate("runs") == before + 1, "once, not at each movement"


def test_polls_seldom_when_hidden_and_at_once_on_every_kind_of_return(clocked: Any) -> None:
    clocked.evaluate(START, 2)
    clocked.evaluate(HIDE, True)
    clocked.clock.fast_forward(2000)
    assert runs_within(clocked, 110) == 1, "once a minute"
    for returned in ("online", "focus"):
        before = clocked.evaluate("runs")
        clocked.evaluate("name => void dispatchEvent(new Event(name))", returned)
        assert clocked.evaluate("runs") == before + 1, returned
    before = clocked.evaluate("runs")
    clocked.evaluate(HIDE, False)
    assert clocked.evaluate("runs") == before + 1
    assert runs_within(clocked, 20) == 10


def test_never_polls_where_nothing_can_change_until_somebody_returns(clocked: Any) -> None:
    clocked.evaluate(START, None)
    assert clocked.evaluate("runs") == 1
    clocked.clock.fast_forward(86_400_000)
    assert clocked.evaluate("runs") == 1
    clocked.evaluate("void dispatchEvent(new Event('focus'))")
    assert clocked.evaluate("runs") == 2


def test_what_failed_is_tried_again_even_if_nobody_looks(clocked: Any) -> None:
    clocked.evaluate(START, "fail")
    clocked.clock.fast_forward(3_600_000)
    assert runs_within(clocked, 60) >= 1


PAUSES: list[tuple[Any, int, Any]] = [
    ({}, 30, 2),
    ({}, 3600, 60),
    ({}, 24 * 3600, 180),
    ({"waiting": [{"since": BEGAN, "due": "2026-11-24T10:20:00.000Z"}]}, 600, 10),
    ({"waiting": [{"since": BEGAN, "due": "2026-11-24T11:00:00.000Z"}]}, 3590, 2),
    ({"waiting": [{"since": "2026-11-24T10:59:30.000Z", "due": None}]}, 3600, 2),
    ({"paused": {"since": BEGAN, "until": None}}, 30, 5),
    ({"proposals": [{"kind": "draw"}]}, 24 * 3600, 5),
    ({"status": "over"}, 30, "never"),
]
"""The differences from a table where somebody was asked at ten, the seconds since then, and the pause."""


def test_a_table_is_asked_for_the_less_often_the_longer_nothing_happens(phone: Any) -> None:
    usual = {"status": "running", "started_at": BEGAN, "created_at": BEGAN, "poll_after": 2}
    usual |= {"paused": None, "proposals": [], "waiting": [{"since": BEGAN, "due": None}]}
    for changes, seconds, pause in PAUSES:
        game = {**usual, **changes}
        found = phone.evaluate(PAUSE, {"game": game, "seconds": seconds})
        assert found == pause, (changes, seconds)
