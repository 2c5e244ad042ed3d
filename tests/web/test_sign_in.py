"""Registering, and signing in by password, by a link in a mail, and by a secret link."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.servers.server import Server
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import PASSWORD, link, register, register_at_the_page, use
from tests.web.support.tables import SLUG

pytestmark = pytest.mark.browser


@pytest.mark.daily
def test_registering_verifying_and_signing_in_by_password_and_by_mail(
    visit: Any, server: Server, picture: Any
) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register_at_the_page(mina)
    address = f"{handle}@example.org"
    page = mina.page
    page.locator("p", has_text="is not confirmed yet").wait_for()
    picture(mina, "me-unverified")
    use(mina, link(server, address, "verify"))
    page.locator(".pairs dd", has_text=address).wait_for()
    picture(mina, "me")
    assert violations(mina) == []

    there = visit(DESK, bypass_csp=True)
    there.open("/enter").locator("#enter").wait_for()
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
    elsewhere.open("/enter").locator("#mail-who").fill(address)
    elsewhere.page.locator("#mail button").first.click()
    elsewhere.page.locator(".toast").wait_for()
    use(elsewhere, link(server, address, "sign-in"))
    elsewhere.page.locator(".me-link", has_text="Mina").wait_for()


def test_a_forgotten_password_is_reset(visit: Any, server: Server) -> None:
    mina = visit(PHONE, bypass_csp=True)
    handle = register(mina)
    use(mina, link(server, f"{handle}@example.org", "verify"))
    mina.page.locator(".pairs").wait_for()

    other = visit(PHONE, bypass_csp=True)
    other.open("/enter").locator("#mail-who").fill(handle)
    other.page.locator("#mail button[value=reset]").click()
    other.page.locator(".toast", has_text="on its way").wait_for()
    use(other, link(server, f"{handle}@example.org", "reset"))
    other.page.locator("#reset-password").fill(PASSWORD + " again")
    other.page.keyboard.press("Enter")
    other.page.locator(".me-link", has_text="Mina").wait_for()
    mina.page.goto(mina.url + "/")
    mina.page.locator(".me-link", has_text="Guest").wait_for()
    mina.page.locator(".games").first.wait_for()
    mina.refusals.clear()


def test_an_address_is_verified_where_one_signs_in_and_can_be_refused(
    visit: Any, server: Server
) -> None:
    mina = visit(PHONE)
    handle = register(mina)
    address = f"{handle}@example.org"

    elsewhere = visit(PHONE, bypass_csp=True)
    use(elsewhere, link(server, address, "verify"))
    elsewhere.page.locator("#enter-who").fill(handle)
    assert violations(elsewhere) == []
    elsewhere.page.locator("#enter-password").fill(PASSWORD)
    elsewhere.page.keyboard.press("Enter")
    elsewhere.page.locator(".pairs dd", has_text=address).wait_for()
    assert elsewhere.refusals == [401]

    nora = visit(PHONE)
    handle = register(nora)
    owner = visit(PHONE, bypass_csp=True)
    use(owner, link(server, f"{handle}@example.org", "not-me"))
    owner.page.locator(".toast", has_text="removed").wait_for()
    nora.page.reload()
    nora.page.locator(".pairs dd", has_text="none yet").wait_for()
    assert nora.page.locator("p", has_text="is not confirmed yet").count() == 0


@pytest.mark.parametrize("purpose", ["not-me", "sign-in"])
def test_a_truncated_link_is_reported(visit: Any, purpose: str) -> None:
    mina = visit()
    mina.open(f"/#{purpose}=abc").locator("#arrival button").click()
    mina.page.locator("#arrival .wrong", has_text="This link is incomplete").wait_for()
    assert mina.refusals == [400]


def test_an_invitation_to_the_server_is_sent_with_the_name(visit: Any) -> None:
    mina = visit()
    page = mina.open("/#invited=abcdefghijklmnopqrstuvwxyz012345")
    assert page.url.endswith("/arrived")
    page.locator("#arrival button").click()
    page.locator("[data-play]").first.click()
    with page.expect_request(lambda asked: asked.url.endswith("/api/players")) as sent:
        mina.give_name()
    assert sent.value.post_data_json["invitation"] == "abcdefghijklmnopqrstuvwxyz012345"
    page.wait_for_selector(".play")


def test_a_secret_link_signs_a_guest_in(visit: Any) -> None:
    mina = visit()
    mina.play_now(SLUG)
    address = mina.page.url
    link = mina.open("/me").locator("#my-link").input_value()

    elsewhere = visit()
    page = elsewhere.open(link)
    page.locator(".me-link", has_text="Mina").wait_for()
    assert page.url == elsewhere.url + "/"
    page.locator(".tables a[href^='/games/']").first.wait_for()
    elsewhere.open(address)
    assert elsewhere.my_turn()


def test_a_secret_link_asks_before_it_replaces_somebody(visit: Any) -> None:
    mina = visit()
    mina.play_now(SLUG)
    link = mina.open("/me").locator("#my-link").input_value()

    nora = visit(bypass_csp=True)
    nora.open("/me").locator("main .main").click()
    nora.give_name("Nora")
    nora.page.locator(".me-link", has_text="Nora").wait_for()
    for answer, name in (("", "Nora"), ("yes", "Mina")):
        nora.page.goto("about:blank")
        nora.page.goto(link)
        dialog = nora.page.locator(
            ".confirm-dialog", has_text="You are Nora. Sign in as Mina instead?"
        )
        dialog.wait_for()
        assert violations(nora) == []
        dialog.locator(f"button[value='{answer}']").click()
        nora.page.locator(".games").first.wait_for()
        assert name in nora.page.locator(".me-link").inner_text()
    nora.page.goto("about:blank")
    nora.page.goto(link)
    nora.page.locator(".toast", has_text="Welcome back").wait_for()
    assert nora.page.locator(".confirm-dialog").count() == 0


def test_an_old_secret_link_is_refused(visit: Any) -> None:
    mina = visit()
    mina.play_now(SLUG)
    page = mina.open("/me")
    old = page.locator("#my-link").input_value()
    with page.expect_response(lambda answer: answer.url.endswith("/me/link")):
        page.locator("button", has_text="Create a new secret link").click()
    page.wait_for_function("old => document.querySelector('#my-link').value !== old", arg=old)

    stranger = visit()
    stranger.open(old)
    stranger.page.locator(".toast").wait_for()
    assert stranger.page.locator(".me-link").inner_text() == "Guest"
    assert stranger.refusals == [401]
