"""Forms."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import PASSWORD, register

pytestmark = pytest.mark.browser


def test_an_error_is_shown_beside_its_field(visit: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(PHONE, bypass_csp=True, locale="ja-JP")
    taken = register(mina)
    ken.open("/me").locator("main .main").click()
    page = ken.page
    page.locator("#name").press("Enter")
    page.locator("#name-wrong", has_text="入力してください").wait_for()
    ken.give_name("健")
    page.locator("#register-handle").fill("1")
    page.locator("#register-password").fill("short")
    page.keyboard.press("Enter")
    for field, words in (("handle", "上の説明"), ("address", "入力"), ("password", "8文字")):
        page.locator(f"#register-{field}-wrong", has_text=words).wait_for()
    assert page.locator("#register-handle").evaluate("field => field === document.activeElement")
    assert violations(ken) == []
    assert ken.wider_than_screen() == 0
    page.locator("#register-handle").fill(taken)
    assert page.locator("#register-handle-wrong").inner_text() == ""
    page.locator("#register-address").fill(f"{taken}@example.net")
    page.locator("#register-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("#register-handle[aria-invalid=true]:focus").wait_for()
    page.locator("#register a[href='/privacy?lang=ja']").wait_for()
    assert ken.refusals == [409]


def test_a_password_can_be_shown_and_a_new_one_is_rated(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    page = mina.open("/me")
    page.locator("main .main").click()
    mina.give_name()
    field = page.locator("#register-password")
    assert page.locator("#register [role=status]").inner_text() == ""
    for typed, words in (
        ("aaaaaaaaaaaaaaaa", "Easy to guess"),
        ("12345678", "Easy to guess"),
        ("ma3Ek0tiv", "Good"),
        (PASSWORD, "Very good"),
    ):
        field.fill(typed)
        page.locator("#register [role=status]", has_text=words).wait_for()
    show = page.get_by_role("button", name="Show the password")
    assert field.get_attribute("type") == "password"
    show.click()
    assert field.get_attribute("type") == "text"
    assert show.get_attribute("aria-pressed") == "true"
    assert violations(mina) == []
    assert mina.wider_than_screen() == 0
    show.click()
    assert field.get_attribute("type") == "password"
    assert field.input_value() == PASSWORD
