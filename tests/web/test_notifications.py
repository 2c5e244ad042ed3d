"""Notifications: a browser subscribes in the settings or after the first move, shows messages, and stops at sign-out.

No push service can be reached from here, so a stand-in gives a subscription; the browser's tools hand its messages to
the worker.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.support.browsers import Browser
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.staged import Stage
from tests.web.support.workers import await_worker, with_worker

pytestmark = pytest.mark.browser

SERVICE = """
Object.defineProperty(Notification, "permission", { get: () => localStorage.getItem("allowed") ?? "default" });
Notification.requestPermission = async () => {
  localStorage.setItem("allowed", ANSWER);
  return ANSWER;
};
for (const [name, make] of Object.entries({
  async subscribe(options) {
    if (!(options.applicationServerKey && options.userVisibleOnly)) throw new TypeError();
    localStorage.setItem("subscribed", "yes");
    return this.getSubscription();
  },
  async getSubscription() {
    if (!localStorage.getItem("subscribed")) return null;
    return { toJSON: () => (SUBSCRIPTION), unsubscribe: async () => localStorage.removeItem("subscribed") };
  },
})) PushManager.prototype[name] = make;
"""
"""A stand-in for the push service; a permission request gets ANSWER, because the tests' browsers always refuse."""
SUBSCRIBED = "localStorage.getItem('subscribed')"
WATCH = """
() => {
  self.shown = [];
  registration.showNotification = async (title, { tag, lang, data }) => shown.push({ title, tag, lang, data });
  clients.openWindow = async url => { self.opened = url; };
}
"""
TOUCH = """
async () => {
  const works = [];
  const notification = { data: shown[0].data, close: () => shown.splice(0) };
  const touched = Object.assign(new Event("notificationclick"), { notification, waitUntil: work => works.push(work) });
  dispatchEvent(touched);
  await Promise.all(works);
  return [opened, shown.length];
}
"""


def visitor(visit: Any, answer: str = "granted", **more: Any) -> Any:
    """Somebody whose browser has a push service, and their answer when it asks whether notifications are allowed."""
    mina = with_worker(visit, **more)
    told = json.dumps({**Browser("mina").subscription, "expirationTime": None})
    service = SERVICE.replace("SUBSCRIPTION", told).replace("ANSWER", json.dumps(answer))
    mina.context.add_init_script(service)
    return mina


def test_a_browser_is_switched_on_and_off(visit: Any) -> None:
    mina = visitor(visit, bypass_csp=True)
    mina.sign_up()
    page = mina.open("/me/notifications")
    page.locator("#push-here").check()
    page.locator("#notifications li").wait_for()
    assert page.locator("#push-here").is_checked()
    assert page.evaluate(SUBSCRIBED)
    assert violations(mina) == []
    assert mina.wider_than_screen() == 0
    page.reload()
    page.locator("#push-here:checked").wait_for()
    page.locator("#push-here").uncheck()
    page.locator("#notifications:not(:has(li))").wait_for()
    page.wait_for_function(f"!{SUBSCRIBED}")


def test_signing_out_ends_it(visit: Any) -> None:
    mina = visitor(visit)
    mina.sign_up()
    page = mina.open("/me/notifications")
    page.locator("#push-here").check()
    page.locator("#notifications li").wait_for()
    page.locator("#sign-out").click()
    page.locator("#sign-out").wait_for(state="detached")
    wait_until(lambda: not page.evaluate(SUBSCRIBED), "the browser to forget it")


def test_what_comes_is_shown_and_a_touch_opens_the_table(visit: Any) -> None:
    mina = visitor(visit)
    page = mina.open("/")
    await_worker(mina)
    tools, found = mina.context.new_cdp_session(page), list[Any]()

    def note(told: Any) -> None:
        found.extend(each["registrationId"] for each in told["registrations"])

    tools.on("ServiceWorker.workerRegistrationUpdated", note)
    tools.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("true") and found, "the registration")
    (worker,) = mina.context.service_workers
    worker.evaluate(WATCH)
    told = {"words": "Your turn: Caravan with Bob", "url": "/games/g_1", "tag": "g_1"}
    at = {"origin": mina.url, "registrationId": found[0]}
    data = json.dumps({**told, "language": "en"})
    tools.send("ServiceWorker.deliverPushMessage", {**at, "data": data})
    wait_until(lambda: worker.evaluate("shown.length"), "the notification")
    assert worker.evaluate("shown[0]") == {
        "title": "Your turn: Caravan with Bob",
        "tag": "g_1",
        "lang": "en",
        "data": {"url": "/games/g_1"},
    }
    assert worker.evaluate(TOUCH) == [f"{mina.url}/games/g_1", 0]


def test_after_the_first_move_it_is_offered_once(visit: Any) -> None:
    mina = visitor(visit, size=DESK)
    mina.sit_down("caravan")
    page = mina.page
    await_worker(mina)
    page.wait_for_function("navigator.serviceWorker.controller")
    assert page.locator("#take-push").count() == 0
    mina.my_turn()
    mina.choose(random.Random(1))
    assert mina.confirm()
    page.locator("#no-address").click()
    page.locator("#take-push").click()
    page.locator("#take-push").wait_for(state="detached")
    page.wait_for_function(SUBSCRIBED)
    assert len(page.evaluate("fetch('/api/me/push').then(told => told.json())")["browsers"]) == 1


TONES = """
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  self.tones = (self.tones ?? 0) + 1;
  return make.call(this);
};
"""
"""Count the sounds: nobody listens here."""


@pytest.mark.parametrize("wished", [True, False], ids=["wished for", "not"])
def test_a_sound_says_that_it_is_my_turn_where_it_is_wished_for(visit: Any, wished: bool) -> None:
    mina = visit(PHONE, own=True)
    mina.context.add_init_script(TONES)
    mina.sign_up()
    if wished:
        mina.open("/me/notifications").locator("#sound").check()
        mina.page.wait_for_function("self.tones === 2")  # how it sounds
    stage = Stage(mina)
    asked = {name: stage.game[name] for name in ("waiting", "legal")}
    stage.game |= {"waiting": [{**asked["waiting"][0], "seat": 1}], "legal": [], "asked": None}
    page = stage.open()
    assert page.evaluate("self.tones ?? 0") == 0
    stage.show(**asked, asked=stage.game["number"])
    page.locator(".status-line.mine").wait_for()
    if wished:
        page.wait_for_function("self.tones === 2")
    assert page.evaluate("self.tones ?? 0") == (2 if wished else 0)


def test_whoever_refuses_is_told_where_to_allow_it(visit: Any) -> None:
    mina = visitor(visit, "denied")
    mina.sign_up()
    page = mina.open("/me/notifications")
    page.locator("#push-here").click()
    page.locator("#push-state").wait_for()
    assert "does not allow" in page.locator("#push-state").inner_text()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("delete window.PushManager", "cannot be notified"),
        ("delete window.PushManager; navigator.standalone = false", "home screen"),  # an iPhone
    ],
)
def test_a_browser_that_cannot_be_told_says_so(visit: Any, missing: str, said: str) -> None:
    mina = visit(PHONE, own=True)
    mina.context.add_init_script(missing)
    mina.sign_up()
    page = mina.open("/me/notifications")
    page.locator("#push-state").wait_for()
    assert page.locator("#push-here").count() == 0
    assert said in page.locator("#push-state").inner_text()
