"""Orders with strange terms: they are refused or harmless, and their players can always look at them."""

from __future__ import annotations

import pytest

from tests.support.cast import sqlite_only
from tests.support.clock import HOUR, MINUTE, hours

__all__ = ["hours"]

PACE = {"kind": "decision", "seconds": 86400}
ANSWERED = [{"answer": {"type": "pass"}, "of": 2}]
DEEP = {"type": "bid", "cards": [[[[["4s"]]]]]}
STRANGE = [
    {"action": {"type": ["pass"]}},
    {"action": {"type": {"a": 1}}},
    {"action": {"type": "pass", "x": 1}},
    {"action": {"type": "bid"}, "when": ANSWERED},
    {"action": {"type": "bid", "cards": 17}, "when": ANSWERED},
    {"action": {"type": "bid", "cards": None}, "when": ANSWERED},
    {"action": {"type": "bid", "cards": []}, "when": ANSWERED},
    {"action": {"type": "bid", "cards": ["nonsense"]}, "when": ANSWERED},
    {"action": {"type": "bid", "cards": [{"a": 1}]}, "when": ANSWERED},
    {"action": DEEP, "when": ANSWERED},
    {"action": {"type": "bid", "cards": ["4s"], "x": "y" * 5000}, "when": ANSWERED},
    {"name": "pass", "when": [{"answer": {"type": ["pass"]}, "of": 2}]},
    {"name": "pass", "when": [{"answer": DEEP, "of": 2}]},
    {"name": "pass", "when": [{"answer": {"type": "bid", "cards": 17}, "of": 2}]},
    {"name": "pass", "when": [{"answer": {"type": "bid", "cards": ["nonsense"]}, "of": 2}]},
    {"name": "pass", "when": [{"answer": {"type": "bid", "cards": None}, "of": 2}]},
    {"name": "pass", "when": [{"answer": {"type": "pass"}, "of": 0}]},
    {"name": "pass", "when": [{"answer": {"type": "pass"}, "of": 15}]},
    {"name": "pass", "when": ANSWERED * 4},
    {"name": "pass", "when": ANSWERED * 5},
    {"name": "pass", "when": [*ANSWERED, {"answer": {"type": "bid"}, "of": 2}]},
    {"name": "pass", "when": [{"prompt": "high", "least": 5, "most": 2}]},
    {"name": "pass", "when": [{"prompt": "high", "least": 10**12}]},
    {"name": "pass", "when": [{"fact": "score", "of": 0, "most": -100000}]},
    {"name": "pass", "when": [{"fact": "dealer", "least": 1}]},
    {"name": "pass", "until": {"times": 10**9}},
    {"name": "pass", "until": {"times": 1}},
    {"name": "pass", "until": {"date": "0001-01-01"}},
    {"name": "pass", "until": {"date": "9999-12-31"}},
    {"name": "pass", "until": {"date": "2026-02-30"}},
    {"name": "pass", "until": {"date": "2020-01-01"}},
    {"name": "pass", "until": {"part": "lot", "times": 3}},
    {"name": "least", "most": 0},
    {"name": "least", "most": 100000},
    {"name": "no-choice"},
    {"name": "no-choice", "most": 3},
]
REFUSED = [each for each in STRANGE if each.get("action", {}).get("type") != "pass"][:8]
"""Actions that no seat can ever choose."""


@sqlite_only
@pytest.mark.parametrize("language", ["en", "ja"])
def test_strange_terms_are_refused_or_shown_and_break_nothing(cast, hours, language):
    game_id = cast.start(pace=PACE)
    path, asked = f"/api/games/{game_id}/orders", cast.alice.game(game_id)["asked"]
    headers, kept = {"Accept-Language": language}, dict[int, int]()
    for n, order in enumerate(STRANGE):
        body = {"asked": asked, "order": order}
        answer = cast.alice.send("POST", path, json=body, headers=headers)
        kept[n] = answer.status_code
        assert answer.status_code in (201, 400, 409), (order, answer.text)
        shown = cast.alice.send("GET", path, headers=headers)
        assert shown.status_code == 200, (order, shown.text)
        assert cast.alice.send("GET", "/api/me/orders", headers=headers).status_code == 200, order
        plain = cast.alice.send("GET", f"/plain/games/{game_id}/orders", headers=headers)
        assert plain.status_code == 200, order
        for each in shown.get_json()["orders"]:
            assert each["words"], order
            cast.alice.send("DELETE", f"{path}/{each['id']}")
    wrong = [order for n, order in enumerate(STRANGE) if kept[n] == 201 and order in REFUSED]
    assert wrong == []
    hours.later(HOUR)
    assert cast.alice.game(game_id)["asked"] == asked
    for n, order in enumerate(STRANGE):
        if kept[n] == 201 and "when" in order:
            cast.alice.send("POST", path, json={"asked": asked, "order": order})
    hours.later(20 * MINUTE)
    assert cast.alice.send("GET", path).status_code == 200
