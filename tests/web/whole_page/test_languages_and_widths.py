"""Every screen in both languages, on the narrowest phone."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rules
from tests.web.conftest import PHONE
from tests.web.support.staged import Stage
from tests.web.support.tables import SLUG, show, table_for_two_people

pytestmark = pytest.mark.browser


def test_everything_is_translated(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    assert visitor.my_turn()
    visitor.open("/").locator(".head button[lang=ja]").click()
    visitor.page.wait_for_selector("html[lang=ja]")
    visitor.page.locator(".tables a").first.click()
    visitor.my_turn()
    shown = visitor.page.locator("main").inner_text()
    assert "あなたの手番です" in shown
    # Only a name and the ranks of cards are in Latin letters.
    assert not re.findall(r"[A-Za-z]{3,}", shown.replace("Mina", ""))
    assert (
        visitor.page.locator(".hand-card")
        .first.get_attribute("aria-label")
        .endswith(("A", "K", *"23456789"))
    )


def test_the_page_follows_the_language_of_the_browser(visit: Any) -> None:
    page = visit(locale="ja-JP").open()
    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.locator("h1").inner_text() == "手紙をやりとりするように遊ぶカードゲーム"


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_no_screen_is_wider_than_a_small_phone(visit: Any, locale: str) -> None:
    visitor = visit(PHONE, locale=locale)
    table_for_two_people(visitor, SLUG, name="Wolfeschlegelsteinhausenbergerdorff")
    assert visitor.wider_than_screen() == 0
    for address in (
        "/",
        "/me",
        *(f"/{page}/{slug}" for slug in rules.slugs() for page in ("new", "rules")),
    ):
        visitor.open(address)
        assert visitor.wider_than_screen() == 0, address
    visitor.open().locator(f"[data-play='{SLUG}']").click()
    visitor.my_turn()
    for drawer in ("history", "rules"):
        visitor.page.locator(f"[data-drawer={drawer}]").click()
        visitor.page.locator(".side-panel.open").wait_for()
        assert visitor.wider_than_screen() == 0, drawer
        visitor.page.keyboard.press("Escape")


def test_a_long_name_makes_no_table_wider_than_a_small_phone(visit: Any) -> None:
    """A name of one word lies in the middle, at every seat and in the history."""
    stage = Stage(visit(PHONE, own=True))
    name = "W" * 40
    for seat in stage.game["seats"]:
        seat["name"] = name
    pieces = [{"text": name, "seat": 1}, {"text": " plays against "}, {"text": name, "seat": 2}]
    line = {"line": "bid", "seat": 1, "words": f"{name} plays against {name}"}
    for told in stage.events:
        told["lines"] = [{**line, "pieces": pieces}]
    page = stage.open()
    assert page.get_by_text(name).count()
    assert stage.visitor.wider_than_screen() == 0
    bids = [zone for zone in stage.game["view"]["zones"] if zone["name"] == "bid"]
    for number in (1, 2, 3):
        for zone in bids:
            zone["cards"] = ["As", "2h", "3d"][:number]
        stage.show()
        assert stage.visitor.wider_than_screen() == 0, number
    show(stage.visitor, "history")
    page.locator(".history li").first.wait_for()
    body = "(each => each.scrollWidth - each.clientWidth)"
    assert page.evaluate(f"{body}(document.querySelector('.side-panel-body'))") <= 0
