"""The settings page."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest

from tests.support.servers.listener import Listener
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import PASSWORD, register, register_at_the_page
from tests.web.support.tables import SLUG

pytestmark = pytest.mark.browser

STORED = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
"""The data that this browser and this tab have stored."""


MODULE = "**/settings_page.*.js"
"""The file that is loaded when somebody opens the settings."""


def test_a_page_of_an_earlier_server_opens_the_settings_of_this_one(visit: Any) -> None:
    mina = visit(PHONE)
    page = mina.open("/")
    page.route(MODULE, lambda route: route.fulfill(status=404), times=1)
    page.route("**/service-worker.js", lambda route: route.fulfill(body="self.VERSION = {};"))
    with page.expect_event("load"):
        page.locator("header a.me-link").click()
    page.locator("#theme").wait_for()
    mina.refusals.clear()
    mina.errors.clear()


def test_settings_that_do_not_come_say_so(visit: Any) -> None:
    mina = visit(PHONE)
    page = mina.open("/")
    page.route(MODULE, lambda route: route.abort())
    page.goto(page.url + "me")
    page.locator(".toast").wait_for()
    mina.errors.clear()
    page.unroute(MODULE)
    page.reload()
    page.locator("#theme").wait_for()


def test_settings_are_kept(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True, timezone_id="Asia/Tokyo")
    register_at_the_page(mina)
    page = mina.page
    assert page.locator("#time-zone").input_value() == "Asia/Tokyo"
    for control in ("[name=kind][value=told]", "[name=lead][value='60']"):
        with page.expect_response(lambda answer: answer.url.endswith("/api/me/settings")):
            page.locator(control).click()
    with page.expect_response(lambda answer: answer.url.endswith("/api/me/settings")):
        page.locator("#digest-at").fill("07:30")
        page.locator("#digest-at").blur()
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
    assert page.locator("#digest-at").input_value() == "07:30"
    assert mina.wider_than_screen() == 0


def test_who_sees_ratings_is_chosen(visit: Any) -> None:
    mina = visit(PHONE, bypass_csp=True)
    page = mina.open("/me")
    assert page.locator("#ratings").count() == 0
    register_at_the_page(mina)
    page = mina.page
    ratings = page.locator("#ratings")
    ratings.wait_for()
    assert ratings.locator("li").count() == 0
    assert page.locator("#ratings-for").input_value() == "played"
    assert not page.locator("#on-leaderboards").is_checked()
    for choose in (
        lambda: page.locator("#ratings-for").select_option("nobody"),
        lambda: page.locator("#on-leaderboards").check(),
    ):
        with page.expect_response(lambda answer: answer.url.endswith("/api/me/settings")):
            choose()
    rated = {"ruleset": "caravan", "name": "Caravan", "rating": 1612, "deviation": 80, "games": 31}
    answer = {"ratings": [rated | {"ended_at": "2026-11-21T10:00:00.000Z"}]}
    page.route("**/api/me/ratings", lambda route: route.fulfill(json=answer))
    page.reload()
    ratings.wait_for()
    assert "1612 ± 80" in ratings.locator("li").inner_text()
    assert page.locator("#ratings-for").input_value() == "nobody"
    assert page.locator("#on-leaderboards").is_checked()
    assert mina.wider_than_screen() == 0
    assert violations(mina) == []


ORDERS_ALONE = {"en": "Only my standing orders answer", "ja": "預けた指示だけで答える"}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_vacation_is_planned_and_cancelled(visit: Any, picture: Any, language: str) -> None:
    mina = visit()
    mina.sign_up()
    mina.page.evaluate(f"localStorage['tegami.language'] = '{language}'")
    page = mina.open("/me")
    first, last = page.evaluate(
        "[5, 8].map(n => new Date(Date.now() + n * 864e5).toISOString().slice(0, 10))"
    )
    page.locator("#plan-first").fill(first)
    page.locator("#plan-last").fill(last)
    said = page.locator("#plan label", has_text=ORDERS_ALONE[language])
    said.click()
    picture(mina, f"a-vacation-is-planned-{language}")
    page.locator("#plan button").click()
    page.locator("#vacation li", has_text=ORDERS_ALONE[language]).wait_for()
    picture(mina, f"a-vacation-is-planned-and-listed-{language}")
    page.locator("#vacation li button").click()
    page.locator("#vacation:not(:has(li))").wait_for()


def test_signing_out_everywhere(visit: Any) -> None:
    mina, there = visit(), visit(DESK)
    handle = register(mina)
    there.open("/enter").locator("#enter-who").fill(handle)
    there.page.locator("#enter-password").fill(PASSWORD)
    there.page.keyboard.press("Enter")
    there.page.locator(".me-link", has_text="Mina").wait_for()
    page = mina.open("/me")
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
    mina.open("/enter").locator("#enter-who").fill(handle)
    page.locator("#enter-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("#enter .wrong:not(:empty)").wait_for()
    assert mina.refusals == [401]


def brightness(page: Any) -> float:
    """The brightness of the background: 0 is black, 255 white."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_the_theme_follows_the_device_until_the_user_chooses(visit: Any) -> None:
    visitor = visit(color_scheme="dark")
    page = visitor.open()
    assert brightness(page) < 60
    page.locator(".head button:has(.moon)").click()
    assert brightness(page) > 200
    page.reload()
    page.wait_for_selector(".games")
    assert brightness(page) > 200


USE_TOKEN = "token => fetch('/api/me', {headers: {Authorization: `Bearer ${token}`}})"


def test_a_name_and_a_token_can_be_changed(visit: Any) -> None:
    visitor = visit()
    page = visitor.open("/me")
    page.locator("main .main").click()
    visitor.give_name()
    page.locator("#my-name").fill("Mio")
    page.locator("#my-name").press("Enter")
    page.locator(".me-link", has_text="Mio").wait_for()
    page.locator("#make-label").fill("my bot")
    page.locator("#make label", has_text="Talk").click()
    page.locator("#make label", has_text="30 days").click()
    page.locator("#make-label").press("Enter")
    secret = page.locator("#token").input_value()
    assert secret.startswith("tgm_")
    visitor.open("/").locator(".games").first.wait_for()
    page = visitor.open("/me")
    shown = page.locator(".item-list li", has_text="my bot")
    shown.locator("small", has_text="See my tables, Play, Talk").wait_for()
    shown.locator("small", has_text="Never used").wait_for()
    shown.locator("small", has_text="Works until").wait_for()
    page.evaluate(USE_TOKEN, secret)
    visitor.open("/").locator(".games").first.wait_for()
    page = visitor.open("/me")
    shown = page.locator(".item-list li", has_text="my bot")
    shown.locator("small", has_text="Last used").wait_for()
    shown.locator("button").click()
    shown.wait_for(state="detached")


MAKE_BY_TOKEN = """async ([token, path, body]) => {
    const headers = {Authorization: `Bearer ${token}`, "Content-Type": "application/json"};
    return (await fetch(path, {method: "POST", headers, body: JSON.stringify(body)})).json();
}"""


@pytest.mark.parametrize("keep", [False, True])
def test_revoking_a_token_asks_what_becomes_of_what_it_has_made(visit: Any, keep: bool) -> None:
    visitor = visit()
    page = visitor.open("/me")
    page.locator("main .main").click()
    visitor.give_name()
    page.locator("#make-label").fill("my bot")
    page.locator("#make label", has_text="Settings and all data").click()
    page.locator("#make-label").press("Enter")
    secret = page.locator("#token").input_value()
    page.evaluate(MAKE_BY_TOKEN, [secret, "/api/me/tokens", {"label": "its child"}])
    visitor.open("/").locator(".games").first.wait_for()
    page = visitor.open("/me")
    shown = page.locator(".item-list li", has_text="my bot")
    dialog = page.locator(".confirm-dialog")
    shown.locator("button").click()
    dialog.locator("p", has_text="Tokens: 1, feeds: 0, webhooks: 0").wait_for()
    dialog.locator("button", has_text="Cancel").click()
    dialog.wait_for(state="detached")
    shown.locator("button").click()
    if keep:
        dialog.locator("label", has_text="Keep what was made with it").click()
    dialog.locator("button.main").click()
    shown.wait_for(state="detached")
    child = page.locator(".item-list li", has_text="its child")
    child.wait_for(state="visible" if keep else "detached")


def test_signing_out_forgets_what_the_browser_stored(visit: Any) -> None:
    visitor = visit()
    visitor.play_now(SLUG)
    visitor.page.evaluate(
        "() => { sessionStorage['tegami.invitation.g_x'] = 'a key'; localStorage['tegami.theme'] = 'dark' }"
    )
    assert {"tegami.link", "tegami.invitation.g_x"} < set(visitor.page.evaluate(STORED))
    assert "tegami.player" in visitor.page.evaluate(STORED)
    page = visitor.open("/me")
    page.locator("button", has_text="Sign out here").click()
    page.locator(".me-link", has_text="Guest").wait_for()
    assert page.evaluate(STORED) == ["tegami.theme"]
    visitor.open("/me")
    assert page.locator("#my-link").count() == 0


def test_a_webhook_is_added_tested_sent_again_and_removed(visit: Any) -> None:
    mina = visit(PHONE)
    register(mina)
    page = mina.open("/me")
    with closing(Listener()) as listener:
        page.locator("#webhook-label").fill("my bot")
        page.locator("#webhook-url").fill(listener.url)
        page.locator("#webhook button").click()
        assert page.locator("#webhook-secret").input_value().startswith("whsec_")
        page.reload()
        entry = page.locator("#webhooks li", has_text="my bot")
        entry.get_by_role("button").first.click()
        page.locator(".toast", has_text="The test has arrived").wait_for()
        entry.locator("summary").click()
        sent = entry.locator("li", has_text="Arrived.")
        sent.wait_for()
        assert sent.locator("code").inner_text() == "ping"
        assert mina.wider_than_screen() == 0
        assert violations(mina) == []
        sent.get_by_role("button").click()
        page.locator(".toast", has_text="It is on its way again").wait_for()
        wait_until(lambda: len(listener.got) == 2, "it to come again")
        entry.get_by_role("button", name="Remove").click()
        page.locator("#webhooks:not(:has(li))").wait_for()


def test_a_webhook_that_nobody_answers_says_so(visit: Any) -> None:
    mina = visit(PHONE)
    register(mina)
    with closing(Listener()) as listener:
        closed = listener.url  # nobody listens there any more
    page = mina.open("/me")
    page.locator("#webhook-label").fill("my bot")
    page.locator("#webhook-url").fill(closed)
    page.locator("#webhook button").click()
    page.locator("#webhook-secret").wait_for()
    page.reload()
    entry = page.locator("#webhooks li", has_text="my bot")
    entry.get_by_role("button").first.click()
    page.locator(".toast", has_text="has not arrived: nothing is listening there.").wait_for()
    entry.locator("summary").click()
    said = "Not arrived yet: nothing is listening there. We will keep trying."
    entry.locator("li", has_text=said).wait_for()
    assert mina.wider_than_screen() == 0


def test_a_webhook_that_cannot_be_is_refused_at_its_field(visit: Any) -> None:
    mina = visit()
    mina.sign_up()
    page = mina.open("/me")
    page.locator("#webhook-label").fill("my bot")
    page.locator("#webhook-url").fill("https://user:password@bot.example/")
    page.locator("#webhook button").click()
    page.locator("#webhook-url-wrong:not(:empty)").wait_for()
    mina.refusals.clear()
