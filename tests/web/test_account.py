"""Accounts at the page: registering, coming back by password and by mail, settings, leaving."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from service.post import Mailbox
from tests.service.server import Server, wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.test_axe import violations

pytestmark = pytest.mark.browser

PASSWORD = "four quiet paper cranes"
handles = (f"mina{n}" for n in itertools.count(1))


def link(server: Server, address: str, purpose: str, old: str = "") -> str:
    """The newest link for this purpose that was mailed there, other than `old`."""
    mailbox = Mailbox(server.folder / "mailbox")

    def found() -> str:
        for mail in mailbox.mails().values():
            text = mail.get_body(("plain",)).get_content() if mail["To"].endswith(address) else ""
            for each in re.findall(rf"http\S+/#{purpose}=\S+", text):
                if each != old:
                    return str(each)
        return ""

    return str(wait_until(found, f"a mail with a link: {purpose}"))


def register(visitor: Any, password: str = PASSWORD) -> str:
    """A guest becomes a registered player; the handle."""
    handle = next(handles)
    page = visitor.open("/#/me")
    page.locator("main .main").click()
    visitor.give_name()
    page.locator("#register-handle").fill(handle)
    page.locator("#register-address").fill(f"{handle}@example.org")
    page.locator("#register-password").fill(password)
    page.keyboard.press("Enter")
    page.locator(".pairs dd", has_text=handle).first.wait_for()
    return handle


def use(visitor: Any, link: str) -> None:
    """Open a link out of a mail and press its button: the key does not stay in the address."""
    page = visitor.page
    page.goto(link)
    page.locator("#arrival button, #reset button").wait_for()
    assert page.url.endswith("/#/arrived")
    assert violations(visitor) == []
    if page.locator("#arrival").count():
        page.locator("#arrival button").click()


def test_register_verify_and_come_back_by_password_and_by_mail(
    visit: Any, server: Server, picture: Any
) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register(mina)
    address = f"{handle}@example.org"
    page = mina.page
    page.locator("p", has_text="counts as soon as").wait_for()
    picture(mina, "me-unverified")
    use(mina, link(server, address, "verify"))
    page.locator(".pairs dd", has_text=address).wait_for()
    picture(mina, "me")
    assert violations(mina) == []

    there = visit(DESK, bypass_csp=True)
    there.open("/#/enter").locator("#enter").wait_for()
    assert violations(there) == []
    picture(there, "enter")
    there.page.locator("#enter-who").fill(handle)
    there.page.locator("#enter-password").fill("wrong")
    there.page.keyboard.press("Enter")
    there.page.locator("#enter .wrong:not(:empty)").wait_for()
    there.page.locator("#enter-password").fill(PASSWORD)
    there.page.keyboard.press("Enter")
    there.page.locator(".me-link", has_text="Mina").wait_for()
    assert there.refusals == [401]

    elsewhere = visit(PHONE, bypass_csp=True, locale="ja-JP")
    elsewhere.open("/#/enter").locator("#mail-who").fill(address)
    elsewhere.page.locator("#mail button").first.click()
    elsewhere.page.locator(".notice").wait_for()
    use(elsewhere, link(server, address, "sign-in"))
    elsewhere.page.locator(".me-link", has_text="Mina").wait_for()


def test_a_forgotten_password_is_chosen_anew(visit: Any, server: Server) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register(mina)
    use(mina, link(server, f"{handle}@example.org", "verify"))
    mina.page.locator(".pairs").wait_for()

    other = visit(PHONE, bypass_csp=True)
    other.open("/#/enter").locator("#mail-who").fill(handle)
    other.page.locator("#mail button[value=reset]").click()
    other.page.locator(".notice", has_text="on its way").wait_for()
    use(other, link(server, f"{handle}@example.org", "reset"))
    other.page.locator("#reset-password").fill(PASSWORD + " again")
    other.page.keyboard.press("Enter")
    other.page.locator(".me-link", has_text="Mina").wait_for()
    mina.page.goto(mina.url + "/#/")
    mina.page.locator(".me-link", has_text="Guest").wait_for()
    mina.page.locator(".games").wait_for()
    mina.refusals.clear()


def test_what_is_wrong_with_a_field_stands_beside_it_in_words(visit: Any) -> None:
    mina, ken = visit(PHONE, bypass_csp=True), visit(PHONE, bypass_csp=True, locale="ja-JP")
    taken = register(mina)
    ken.open("/#/me").locator("main .main").click()
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


def test_a_guest_is_told_once_what_an_address_is_good_for(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    mina.play_now("boomerang-auction")
    hint = mina.page.locator(".hint")
    hint.wait_for()
    assert violations(mina) == []
    mina.page.reload()
    hint.wait_for()
    hint.locator("button").click()
    hint.wait_for(state="detached")
    mina.open().locator("[data-play=joretsu]").click()
    mina.page.wait_for_selector(".play")
    assert hint.count() == 0


def test_settings_are_kept(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True, timezone_id="Asia/Tokyo")
    register(mina)
    page = mina.page
    assert page.locator("#time-zone").input_value() == "Asia/Tokyo"
    for control in ("[name=kind][value=told]", "[name=lead][value='60']"):
        with page.expect_response(lambda answer: answer.url.endswith("/api/me/settings")):
            page.locator(control).click()
    page.locator("#plan-first").fill("2020-01-01")
    page.locator("#plan-last").fill("2020-01-02")
    page.locator("#plan button").click()
    page.locator("#plan .wrong:not(:empty)").wait_for()
    mina.refusals.clear()
    page.reload()
    page.locator("#mails").wait_for()
    assert page.locator("#time-zone").input_value() == "Asia/Tokyo"
    assert not page.locator("[name=kind][value=told]").is_checked()
    assert page.locator("[name=lead][value='60']").is_checked()
    assert mina.wider_than_screen() == 0


def test_a_vacation_is_planned_and_called_off(visit: Any) -> None:
    mina = visit()
    mina.play_now("boomerang-auction")
    page = mina.open("/#/me")
    first, last = page.evaluate(
        "[5, 8].map(n => new Date(Date.now() + n * 864e5).toISOString().slice(0, 10))"
    )
    page.locator("#plan-first").fill(first)
    page.locator("#plan-last").fill(last)
    page.locator("#plan button").click()
    page.locator("#vacation li button").click()
    page.locator("#vacation:not(:has(li))").wait_for()


def test_signed_out_everywhere(visit: Any) -> None:
    mina, there = visit(), visit(DESK)
    handle = register(mina)
    there.open("/#/enter").locator("#enter-who").fill(handle)
    there.page.locator("#enter-password").fill(PASSWORD)
    there.page.keyboard.press("Enter")
    there.page.locator(".me-link", has_text="Mina").wait_for()
    page = mina.open("/#/me")
    page.reload()
    page.locator("#sign-ins li").nth(1).wait_for()
    page.locator("#everywhere").click()
    page.locator("#enter").wait_for()
    there.page.reload()
    there.page.locator(".me-link", has_text="Guest").wait_for()
    there.refusals.clear()


def test_export_and_erasure(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register(mina)
    page = mina.page
    with page.expect_download() as download:
        page.locator("#data a[download]").click()
    assert handle in download.value.path().read_text("utf-8")
    page.locator("#data summary").click()
    assert violations(mina) == []
    page.locator("#erase-current_password").fill(PASSWORD)
    page.locator("#erase [name=sure]").check()
    page.keyboard.press("Enter")
    page.locator(".me-link", has_text="Guest").wait_for()
    page.goto("about:blank")
    mina.open("/#/enter").locator("#enter-who").fill(handle)
    page.locator("#enter-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("#enter .wrong:not(:empty)").wait_for()
    assert mina.refusals == [401]


@pytest.mark.parametrize("purpose", ["verify", "sign-in"])
def test_a_link_that_was_cut_off_says_so(visit: Any, purpose: str) -> None:
    mina = visit()
    mina.open(f"/#{purpose}=abc").locator("#arrival button").click()
    mina.page.locator("#arrival .wrong", has_text="This link is not whole").wait_for()
    assert mina.refusals == [400]


def test_an_invitation_to_the_server_is_shown_when_a_name_is_given(visit: Any) -> None:
    mina = visit()
    page = mina.open("/#invited=abcdefghijklmnopqrstuvwxyz012345")
    assert page.url.endswith("/#/arrived")
    page.locator("#arrival button").click()
    page.locator("[data-play]").first.click()
    with page.expect_request(lambda asked: asked.url.endswith("/api/players")) as sent:
        mina.give_name()
    assert sent.value.post_data_json["invitation"] == "abcdefghijklmnopqrstuvwxyz012345"
    page.wait_for_selector(".play")
