"""The history reads like a game: by parts, with marks and cards, newest first or last as the reader likes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.staged import Stage, event
from tests.web.support.tables import show

pytestmark = pytest.mark.browser

ENTRIES = ".history ol > li"


def named(text: str, **what: Any) -> Any:
    """A piece that names somebody or a card."""
    return {"text": text, **what}


def told(name: str, seat: int | None, *pieces: Any, **more: Any) -> Any:
    """A line of these pieces."""
    found = [{"text": each} if isinstance(each, str) else each for each in pieces]
    about = {} if seat is None else {"seat": seat}
    words = "".join(each["text"] for each in found)
    return {"line": name, **about, "words": words, "pieces": found, **more}


def heading(words: str, at: int, depth: int = 0) -> Any:
    """The heading of a part."""
    pieces = [{"text": words}]
    return {
        "above": at,
        "depth": depth,
        "name": "part",
        "number": 1,
        "words": words,
        "pieces": pieces,
    }


AKI, BO = named("Aki", seat=0), named("Bo", seat=1)


def sealed_round(stage: Stage) -> None:
    """A round of two choices that are opened, and the first choice of the next one."""
    choose = [told("chosen", seat, who, " has chosen.") for seat, who in ((0, AKI), (1, BO))]
    open_ = [
        told("bid", 0, AKI, " plays ", named("7♥", card="7h"), "."),
        told("bid", 1, BO, " plays ", named("10♠", card="Ts"), " against ", AKI, "."),
        told("next", None, "Trick 2 begins.", repeats=True),
    ]
    stage.events = [
        event(1, "The game begins.")
        | {"headings": [heading("Deal 1", 1), heading("Trick 1", 1, 1)]},
        event(2, "") | {"seat": 0, "lines": choose[:1]},
        event(3, "") | {"lines": [choose[1], *open_], "headings": [heading("Trick 2", 3, 1)]},
        event(4, "") | {"seat": 1, "lines": [choose[1]]},
    ]
    stage.game["number"] = 4
    stage.game["view"]["committed"] = [1]


def texts(found: Locator) -> list[str]:
    """The texts of these pieces."""
    return [" ".join(each.split()) for each in found.all_inner_texts()]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_history_reads_like_a_game(visit: Any, size: Any) -> None:
    stage = Stage(visit(size, bypass_csp=True))
    sealed_round(stage)
    page = stage.open()
    if size == PHONE:
        show(stage.visitor, "history")
    expect(page.locator(ENTRIES)).to_have_count(3)
    heads = page.locator(".history > h3")
    assert texts(heads) == ["Trick 2", "Deal 1", "Trick 1"], "newest first"
    assert [each.get_attribute("class") for each in heads.all()] == ["inner", "", "inner"]
    (opened,) = page.locator(f"{ENTRIES}[data-key='3']").all()
    assert [each.split() for each in texts(opened.locator(".told"))] == [
        ["Aki", "plays", "7", "."],
        ["Bo", "plays", "10", "against", "Aki."],
    ], "in the order in which they happened, without what was chosen or is said above"
    drawn = opened.locator("[role=img].small")
    names = [each.get_attribute("aria-label") for each in drawn.all()]
    assert names == ["7 of hearts", "10 of spades"]
    assert all(each.bounding_box()["width"] >= 18 for each in drawn.all())
    marks = opened.locator(".told .seat-mark")
    seats = marks.evaluate_all("all => all.map(each => each.classList[1])")
    assert seats == ["of-seat-0", "of-seat-1", "of-seat-0"], (
        "whoever acts, and whoever else is named"
    )
    assert texts(page.locator(f"{ENTRIES}[data-key='4'] .told")) == ["Bo has chosen."]
    assert texts(page.locator(".who > span"))[0].startswith("Aki")
    assert violations(stage.visitor) == []
    _oldest_first(stage)


def _oldest_first(stage: Stage) -> None:
    """The order is kept, even after a reload."""
    page = stage.page
    page.get_by_role("button", name="Oldest first").click()
    expect(page.get_by_role("button", name="Newest first")).to_be_visible()
    for loaded in range(2):
        if loaded:
            page.reload()
            page.wait_for_selector(".play")
            if page.locator(".history").count() == 0:
                show(stage.visitor, "history")
        heads = page.locator(".history > h3")
        expect(heads.first).to_have_text("Deal 1")
        assert texts(heads) == ["Deal 1", "Trick 1", "Trick 2"]
        numbers = page.locator(ENTRIES).evaluate_all("all => all.map(each => each.dataset.key)")
        assert numbers == ["1", "3", "4"]


def test_a_choice_is_no_longer_told_once_it_is_open(visit: Any) -> None:
    stage = Stage(visit(DESK))
    sealed_round(stage)
    stage.open()
    expect(stage.page.locator(ENTRIES)).to_have_count(3)
    stage.game["view"]["committed"] = []
    stage.show()
    expect(stage.page.locator(f"{ENTRIES}[data-key='4']")).to_have_count(0)
    expect(stage.page.locator(f"{ENTRIES}[data-key='5']")).to_have_count(1)


def test_programs_are_marked_once(visit: Any) -> None:
    visitor = visit(DESK)
    visitor.sit_down("boomerang-auction")
    page = visitor.page
    page.locator(".history .told").first.wait_for()
    marked = page.locator(".who [role=img]")
    assert [each.get_attribute("aria-label") for each in marked.all()] == [
        "house player, normal"
    ] * 2
    assert "(house player)" not in page.locator(".history").inner_text()


def test_whoever_reads_downwards_sees_what_is_new(visit: Any) -> None:
    stage = Stage(visit(DESK), number=59)
    stage.events = [event(n, f"Event {n}.") for n in range(1, 60)]
    page = stage.open()
    page.get_by_role("button", name="Oldest first").click()
    expect(page.locator(ENTRIES).last).to_be_in_viewport()
    stage.show()
    expect(page.locator(ENTRIES).last).to_contain_text("Event 60.")
    expect(page.locator(ENTRIES).last).to_be_in_viewport()
