"""Whether a table is rated: chosen when it is opened, and said wherever somebody decides to sit down."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.cast import CARAVAN
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import register_at_the_page

pytestmark = pytest.mark.browser

MEANING = "the result counts for the ratings of everybody who has an account"


def form(visitor: Any) -> Any:
    """The form for a new table, with everything unfolded."""
    page = visitor.open(f"/new/{CARAVAN}")
    page.locator("details.more summary").click()
    page.get_by_text("How fast").first.wait_for()
    return page


def opened(page: Any) -> Any:
    """The body of the request that opens the table."""
    with page.expect_request(lambda sent: sent.url.endswith("/api/games")) as sent:
        page.locator("form button.main").click()
    return sent.value.post_data_json


def test_a_table_is_rated_unless_it_is_by_link_or_its_host_chooses_otherwise(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    register_at_the_page(mina)
    page = form(mina)
    rated, unrated = page.get_by_label("Rated", exact=True), page.get_by_label("Not rated")
    assert rated.is_checked()
    page.get_by_label("Only by link").check()
    assert unrated.is_checked()
    page.get_by_label("Anybody").check()
    assert rated.is_checked()
    assert mina.wider_than_screen() == 0
    assert violations(mina) == []
    assert opened(page)["rated"] is True
    page.locator(".waiting-room").wait_for()
    assert MEANING in page.locator(".waiting-room").inner_text()
    page = form(mina)
    page.get_by_label("Not rated").check()
    page.get_by_label("Only by link").check()
    page.get_by_label("Anybody").check()
    assert page.get_by_label("Not rated").is_checked(), "what was chosen stays"
    sent = opened(page)
    assert (sent["rated"], sent["private"]) == (False, False)
    page.locator(".waiting-room").wait_for()
    assert page.get_by_text(MEANING).count() == 0


def test_guests_are_not_asked(visit: Any) -> None:
    mina = visit(PHONE)
    mina.sign_up()
    page = form(mina)
    assert page.get_by_label("Not rated").count() == 0
    assert "rated" not in opened(page)


def test_others_see_it_in_the_lobby_and_before_they_sit_down(visit: Any) -> None:
    mina, ken = visit(PHONE), visit(PHONE, bypass_csp=True)
    register_at_the_page(mina)
    ids = []
    for rated in (True, False):
        wish = {"ruleset": CARAVAN, "start": "full", "nonce": None, "rated": rated}
        answer = mina.context.request.post(f"{mina.url}/api/games", data=wish)
        ids.append(answer.json()["id"])
    ken.sign_up()
    page = ken.open("/")
    row = page.locator(f".tables a[href='/games/{ids[0]}']")
    row.wait_for()
    assert "Rated" in row.inner_text()
    assert "Rated" not in page.locator(f".tables a[href='/games/{ids[1]}']").inner_text()
    row.click()
    page.locator(".invited .facts li", has_text="Rated").wait_for()
    assert MEANING in page.locator(".waiting-room").inner_text()
    assert violations(ken) == []
    with ken.context.expect_page() as beside:
        page.get_by_text("What ratings are").click()
    beside.value.locator("h2", has_text="Which games count").wait_for()
