"""The end of a game: the ranking, the origin of the scores, the hidden cards, and sending it to a friend."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import assert_accessible, violations
from tests.web.support.staged import ID, Stage, example

pytestmark = pytest.mark.browser

OVER = {**example("getGame-200-over"), "id": ID}
DEALS = example("listDeals-200")
ROWS = ".score-table tbody"


@pytest.fixture
def stage(visit: Any) -> Stage:
    """A game of three that is over, with its deals as the service tells them."""
    staged = Stage(visit(PHONE, bypass_csp=True), **OVER)
    staged.deals = DEALS
    return staged


def numbers(row: Any) -> list[int]:
    """The contents of a row's cells."""
    texts = row.locator("tr").first.locator("td").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts]


def test_each_deal_has_a_row_and_the_last_row_has_the_scores(stage: Stage) -> None:
    page = stage.open()
    page.locator(".score-table").wait_for()
    assert [numbers(row) for row in page.locator(ROWS).all()] == [
        deal["scores"] for deal in DEALS["deals"]
    ]
    totals = page.locator(".score-table tfoot td").all_inner_texts()
    assert list(map(int, totals)) == OVER["result"]["scores"]


def test_a_row_opens_to_say_what_each_number_was_for(stage: Stage) -> None:
    page = stage.open()
    row, deal = page.locator(ROWS).first, DEALS["deals"][0]
    expect(row.locator(".entries")).to_have_count(0)
    row.locator("button").click()
    for entry in deal["entries"]:
        expect(row.locator(".entries li", has_text=entry["words"])).to_have_count(1)
    stage.show()
    expect(row.locator(".entries")).to_have_count(1)
    row.locator("button").click()
    expect(row.locator(".entries")).to_have_count(0)


def test_what_a_number_was_for_leads_to_the_table_of_then(stage: Stage) -> None:
    page = stage.open()
    page.locator(ROWS).first.locator("button").click()
    entry = DEALS["deals"][0]["entries"][0]
    link = page.locator(".entries a", has_text=entry["words"])
    assert link.get_attribute("href") == f"/games/{ID}?at={entry['event']}"
    stage.page.route("**/views?*", lambda route: route.fulfill(json={"views": [], "next": None}))
    link.click()
    page.locator(".past .replay").wait_for()
    assert page.url.endswith(f"?at={entry['event']}")


@pytest.mark.parametrize("players", [3, 10])
def test_all_columns_are_in_view_on_a_phone(stage: Stage, players: int) -> None:
    seats = stage.game["seats"]
    stage.game["seats"] = [
        {**seats[seat % len(seats)], "seat": seat, "you": False, "name": f"Wilhelmina-{seat}"}
        for seat in range(players)
    ]
    stage.game["result"] |= {"scores": [-99] * players, "score_words": ["-99"] * players}
    stage.deals = {
        **DEALS,
        "deals": [
            {**deal, "scores": [-99] * players, "totals": [-99] * players}
            for deal in DEALS["deals"]
        ],
    }
    page = stage.open()
    cells = page.locator(".score-table tfoot td")
    expect(cells).to_have_count(players)
    for box in (cell.bounding_box() for cell in cells.all()):
        assert 0 <= box["x"] < box["x"] + box["width"] <= PHONE["width"]
    assert page.eval_on_selector(".wide", "each => each.scrollWidth <= each.clientWidth")
    assert len({cell.bounding_box()["y"] for cell in cells.all()}) == 1


def test_the_only_deal_is_open(stage: Stage) -> None:
    stage.deals = {**DEALS, "deals": DEALS["deals"][:1]}
    page = stage.open()
    page.locator(f"{ROWS} .entries").wait_for()
    expect(page.locator(".score-table tfoot")).to_have_count(0)


def test_hands_are_turned_up_and_the_rest_of_a_stock_is_told_in_its_order(stage: Stage) -> None:
    hand = {"name": "hand", "seat": 1, "of": 1, "kind": "hand", "words": "Hand", "count": 2}
    stock = {"name": "stock", "kind": "pile", "words": "Stock", "count": 2}
    others = [each for each in stage.game["view"]["zones"] if each["name"] not in ("hand", "stock")]
    stage.game["view"]["zones"] = [hand, stock, *others]
    lay = [{**hand, "cards": ["As", "Kd"]}, {**stock, "cards": ["7c", "2h"]}]
    stage.deals = {**DEALS, "hidden": lay}
    page = stage.open()
    name = stage.game["seats"][1]["name"]
    turned = page.locator(".seat", has_text=name).locator("[role=img]")
    expect(turned.and_(page.get_by_label("ace of spades"))).to_have_count(1)
    expect(page.locator(".kind-pile [aria-label='7 of clubs']")).to_have_count(0)
    page.locator(".hidden-cards summary").click()
    rest = page.locator(".hidden-cards section", has_text="Stock").locator("[role=img]")
    labels = [each.get_attribute("aria-label") for each in rest.all()]
    assert labels == ["7 of clubs", "2 of hearts"]


def test_who_won_stands_first(stage: Stage) -> None:
    page = stage.open()
    names = page.locator(".scores li").all_inner_texts()
    scores = OVER["result"]["scores"]
    order = sorted(OVER["seats"], key=lambda each: -scores[each["seat"]])
    assert [name in text for name, text in zip((s["name"] for s in order), names, strict=True)]
    assert page.locator(".scores li.won").count() == len(OVER["result"]["winners"])


def test_nothing_is_asked_while_the_game_runs(visit: Any) -> None:
    stage = Stage(visit(PHONE, own=True))
    asked: list[str] = []
    stage.page.on("request", lambda request: asked.append(request.url))
    stage.open()
    assert not any(url.endswith("/deals") for url in asked)


def test_a_finished_game_is_sent_to_a_friend(stage: Stage) -> None:
    """A private one is sent by the link that its people are shown, or not at all."""
    stage.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = stage.open()
    page.evaluate("delete Navigator.prototype.share")
    page.locator("#send").click()
    page.locator(".toast").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{stage.visitor.url}/games/{ID}"
    link = f"{stage.visitor.url}/games/{ID}#invitation=key"
    stage.show(private=True, invitation={"url": link, "key": "key"})
    page.locator("#send").click()
    wait_until(lambda: page.evaluate("navigator.clipboard.readText()") == link, "the link")
    stage.show(invitation=None)
    expect(page.locator("#send")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_in_both_themes(visit: Any, scheme: str) -> None:
    stage = Stage(visit(PHONE, bypass_csp=True, color_scheme=scheme), **OVER)
    stage.deals = DEALS
    page = stage.open()
    for button in page.locator(f"{ROWS} button").all():
        button.click()
    page.locator(".hidden-cards summary").click()
    assert_accessible(stage.visitor)
    page.set_viewport_size(DESK)
    assert violations(stage.visitor) == []
