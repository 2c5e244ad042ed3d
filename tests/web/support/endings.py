"""The texts of a table whose game is over, and whether all of them are translated."""

from __future__ import annotations

import re
from typing import Any

LANGUAGES = ("ja-JP", "en-GB")
LAST_ROW = ".score-table tfoot td, .score-table tbody:last-child > tr:first-child td"
"""The totals, or the only row."""


def unread(visitor: Any) -> list[str]:
    """Text in Latin letters on a Japanese screen, except the name: untranslated codes and keys."""
    if visitor.page.locator("html").get_attribute("lang") != "ja":
        return []
    shown = visitor.page.locator("main").inner_text()
    return re.findall(r"[A-Za-z]{3,}", shown.replace("Mina", ""))


def assert_told(visitor: Any, told: Any) -> None:
    """The result, the scores and the facts of a game that is over."""
    page = visitor.page
    page.locator(".result").wait_for()
    result = page.locator(".result").inner_text()
    assert told["status"] == "over"
    assert told["result"]["words"] in result
    assert all(words in result for words in told["result"]["score_words"] if words)
    assert told["ended_at"][:4] in (page.locator(".result .postmark").text_content() or "")
    facts = [fact for fact in told["view"]["facts"] if fact.get("of") is not None]
    for fact in facts:
        assert "index" in fact or _is_told(page.locator(f".seat.of-seat-{fact['of']}"), fact), fact
    page.locator(".score-table").wait_for()
    scores = page.locator(LAST_ROW).all_inner_texts()
    assert [number(text) for text in scores] == [*told["result"]["scores"]]
    assert unread(visitor) == []


def _is_told(seat: Any, fact: Any) -> bool:
    """Whether a fact is shown at its seat in a few words, or is the name of a picture there."""
    named = seat.locator("[role=img]").evaluate_all("all => all.map(each => each.ariaLabel)")
    return fact.get("short", fact["words"]) in seat.inner_text() or any(
        fact["words"] in name for name in named
    )


def number(text: str) -> int:
    """A number as the page writes it."""
    return int(text.replace("−", "-"))
