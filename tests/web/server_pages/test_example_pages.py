"""The rules pages at their addresses: pages of the website, whose example is played on the table; on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE
from tests.web.support.accessibility import assert_accessible

pytestmark = pytest.mark.browser
each_slug = pytest.mark.parametrize(
    "slug",
    ["caravan", *(pytest.param(s, marks=pytest.mark.thorough) for s in ("2459n", "auction-draw"))],
)


@each_slug
def test_the_rules_are_a_page_of_the_site_whose_example_is_played_on_the_table(
    visit: Any, slug: str
) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open(f"/rules/{slug}")
    page.locator("header .brand").wait_for()
    play = page.locator(".rules-top [data-play]")
    box = play.bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"] / 2, "on top"
    worked = page.locator(".worked")
    worked.locator(".worked-table .middle").wait_for()
    assert worked.locator(".card, .tile").count() > 4
    assert worked.locator("button:not([data-step])").count() == 0, "only to be looked at"
    assert page.get_by_role("link", name="See this example on the table").count() == 0
    told = [worked.locator(".worked-told").inner_text()]
    forward = worked.locator("[data-step=next]")
    while forward.get_attribute("aria-disabled") == "false":
        forward.click()
        told.append(worked.locator(".worked-told").inner_text())
        assert visitor.wider_than_screen() == 0
    assert len(set(told)) == len(told) > 2
    assert_accessible(visitor)
    worked.locator("[data-step=back]").click()
    assert worked.locator(".worked-told").inner_text() == told[-2]
    page.locator("header button[lang=ja]").click()
    page.locator("html[lang=ja]").wait_for(state="attached")
    page.locator("article.rules[lang], article.rules", has_text="キャラバン").first.wait_for()
    play.click()
    visitor.give_name()
    page.wait_for_selector(".play")


def test_an_address_that_names_a_language_is_shown_in_that_and_leads_to_the_example(
    visit: Any,
) -> None:
    page = visit(PHONE).open("/rules/joretsu/example?lang=ja")
    page.locator("html[lang=ja]").wait_for(state="attached")
    page.locator(".worked-table .middle").wait_for()
    assert page.locator(".worked").bounding_box()["y"] < PHONE["height"]
    assert "lang=" not in page.url


def test_without_scripts_the_rules_and_the_example_can_be_read_and_have_a_way_home(
    visit: Any,
) -> None:
    page = visit(PHONE, own=True, java_script_enabled=False).page
    page.goto(visit(PHONE).url + "/rules/caravan")
    page.locator("header .brand").wait_for()
    page.get_by_role("link", name="Play now").wait_for()
    page.locator("header a[lang=ja]").click()
    page.locator("article.rules h1", has_text="キャラバン").wait_for()
    page.locator("header a[lang=en]").click()
    page.get_by_role("link", name="See this example on the table").click()
    page.get_by_role("heading", name="the example on the table", level=1).wait_for()
    page.get_by_role("link", name="Next step").click()
    page.get_by_role("heading", name="Step 2 of").wait_for()
    page.get_by_role("link", name="Back to the rules").click()
    page.locator("article.rules h1").wait_for()
