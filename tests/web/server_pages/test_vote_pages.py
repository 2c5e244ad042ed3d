"""The pages behind the links to vote in a mail; and leaving a seat for good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.notifications.mail_texts.mail_links import ANSWERS, vote_link
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import NARROW, assert_accessible, violations
from tests.web.support.tables import show, table_of

pytestmark = pytest.mark.browser


def links(server: Any, game: Any, proposal: Any) -> dict[str, str]:
    """The links in the mail to the player who sees `game`."""
    person: Any = SimpleNamespace(tenure=game["tenure"])
    asked: Any = SimpleNamespace(id=proposal["id"])
    return {each: vote_link(server.config, person, asked, each) for each in ANSWERS}


def test_the_pages_behind_the_links(visit: Any, server: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK, bypass_csp=True)
    table_of(mina, [ken], "daily")
    show(mina, "time")
    mina.page.locator("button", has_text="Offer a draw").click()
    ken.page.locator(".proposal", has_text="draw").wait_for()
    game = ken.game()
    paths = links(server, game, game["proposals"][0])
    for scheme in ("light", "dark"):
        ken.page.emulate_media(color_scheme=scheme)
        ken.page.goto(paths["agree"])
        assert "Mina offers a draw." in ken.page.inner_text("main")
        assert_accessible(ken)
        picture(ken, f"vote-{scheme}")
    ken.page.set_viewport_size(NARROW)
    ken.page.locator("form button").click()
    ken.page.get_by_role("heading", name="The table has agreed").wait_for()
    assert_accessible(ken)
    picture(ken, "voted")
    ken.page.goto(paths["refuse"])
    assert ken.page.inner_text("h1") == "The table has agreed"
    assert violations(ken) == []
    mina.see_the_end()


def test_leaving_for_good(visit: Any, picture: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(DESK)
    table_of(mina, [ken], "daily", "joretsu")
    show(mina, "time")
    mina.page.locator("#leave-for-good").click()
    picture(mina, "leave-for-good")
    assert violations(mina) == []
    mina.page.locator("dialog button.main").click()
    mina.page.locator(".seat .tag", has_text="house player, normal").nth(1).wait_for()
    assert mina.page.locator("#take-back").count() == 0
    assert mina.game()["held"] == {"seat": mina.game()["held"]["seat"], "back": False}
