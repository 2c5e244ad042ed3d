"""A table that is played live: people say that they are there, and the actions of others are seen at once."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations

pytestmark = pytest.mark.browser

LIVE = {"ruleset": "2459n", "players": 3, "options": {"tempo": "live", "minutes": 15}}


def begun(game: Any) -> Any:
    """The game, once there is something to do."""
    return game if game["legal"] else None


def seated(mina: Any, *others: Any) -> tuple[str, list[Any]]:
    """The path of a table at which these people sit, and a way for each of them to use the API."""
    asks = [visitor.context.request for visitor in (mina, *others)]
    for ask in asks:
        ask.post(f"{mina.url}/api/players", data={"name": f"Person {random.randrange(10**9)}"})
    game = asks[0].post(f"{mina.url}/api/games", data=LIVE).json()
    path = f"{mina.url}/api/games/{game['id']}"
    for ask in asks[1:]:
        ask.post(f"{path}/seats", data={})
    return path, asks


def playing(visit: Any) -> tuple[Any, str, list[Any]]:
    """Somebody on a phone at a table where all act at once, its path, and a way for each person to use the API."""
    mina, *others = visit(PHONE, bypass_csp=True), visit(), visit()
    path, asks = seated(mina, *others)
    page = mina.open(f"/games/{path.rpartition('/')[2]}")
    for ask in asks[1:]:
        ask.post(f"{path}/ready")
    page.get_by_role("button", name="I am here").click()
    page.locator(".play").wait_for()
    return mina, path, asks


def act(ask: Any, path: str) -> int:
    """Act as soon as half a second is over: draw the last card, or put back the drawn one; returns the number of the
    event.
    """

    def acted() -> Any:
        shown = ask.get(path).json()
        drawn = [each["action"] for each in shown["legal"] if each["action"]["type"] != "show"]
        answer = ask.post(f"{path}/actions", data={"asked": shown["asked"], "action": drawn[-1]})
        return answer.json() if answer.status == 201 else None

    return int(wait_until(acted, "half a second is over")["number"])


def draw(visitor: Any, path: str) -> int:
    """Draw a card on the page, and say which one is kept if asked; returns the number of the event."""
    places = visitor.page.locator(".spot.glows")
    if places.count():
        places.first.click()
    visitor.choose(random.Random(path))
    with visitor.page.expect_response(f"{path}/actions") as sent:
        visitor.page.get_by_role("button", name="Confirm").click()
    assert sent.value.status == 201
    return int(sent.value.json()["number"])


def answered(page: Any, told: list[Any]) -> list[Any]:
    """The responses with a body that have come so far."""
    page.wait_for_timeout(50)  # they come while something is awaited
    return [each for each in told if each.status == 200]


def test_what_others_do_holds_up_nobody(visit: Any) -> None:
    """By mail a table pauses for what has happened; here others act while somebody chooses."""
    mina, path, asks = playing(visit)
    looked_back = list[str]()
    mina.page.on(
        "request", lambda sent: looked_back.append(sent.url) if "/views" in sent.url else 0
    )
    for _ in range(2):
        for ask in (*asks[1:], *asks[1:]):
            number = act(ask, path)
        is_shown = lambda: mina.context.request.get(path).json()["number"] >= number  # noqa: B023, E731
        wait_until(is_shown, "the page knows it")
        if mina.page.locator(".spot.glows").count():
            draw(mina, path)
    assert looked_back == [], "no step of what has happened is shown before the table"
    assert mina.errors == []


def test_whoever_acts_too_soon_waits_half_a_second_and_is_told_nothing(visit: Any) -> None:
    mina, path, asks = playing(visit)
    page, refused = mina.page, list[int]()
    page.on("response", lambda told: refused.append(told.status) if told.status == 429 else 0)
    for _ in range(4):
        wait_until(lambda: asks[0].get(path).json()["legal"], "something can be done")
        draw(mina, path)
    assert refused == []


def test_a_table_recovers_when_somebodys_line_breaks(visit: Any) -> None:
    mina, path, asks = playing(visit)
    page = mina.page
    mina.context.set_offline(True)
    page.locator(".offline").wait_for()
    number = [act(ask, path) for ask in asks[1:]][-1]
    mina.context.set_offline(False)
    page.locator(".offline").wait_for(state="detached")
    assert asks[0].get(path).json()["number"] == number
    assert draw(mina, path) == number + 1
    news = list[Any]()
    page.on("response", lambda told: news.append(told) if told.url == path else None)
    act(asks[1], path)
    is_told = lambda: any(each.json()["number"] == number + 2 for each in answered(page, news))  # noqa: E731
    wait_until(is_told, "what others do is told again", patience=5)
    assert all("DISCONNECTED" in each for each in mina.errors)
    mina.errors.clear()


def test_who_waits_for_people_is_called_from_another_tab(visit: Any) -> None:
    """A page that has not been touched for long continues to ask, and its tab says that its player is wanted."""
    mina, *others = visit(PHONE, bypass_csp=True), visit(), visit()
    path, asks = seated(mina, others[0])
    mina.page.clock.install()
    page = mina.open(f"/games/{path.rpartition('/')[2]}")
    page.get_by_text("Everybody plays at once here").wait_for()
    page.clock.fast_forward(20 * 60 * 1000)
    asks.append(others[1].context.request)
    asks[-1].post(f"{mina.url}/api/players", data={"name": f"Person {random.randrange(10**9)}"})
    asks[-1].post(f"{path}/seats", data={})
    page.get_by_role("button", name="I am here").wait_for(timeout=20_000)
    assert "Your turn" in page.title()
    page.get_by_role("button", name="I am here").click()
    page.get_by_role("button", name="I am here").wait_for(state="detached")
    assert "Your turn" not in page.title()


def test_everybody_says_that_they_are_there_and_sees_at_once_what_others_do(visit: Any) -> None:
    mina, *_ = visitors = [visit(PHONE, bypass_csp=True), visit(), visit()]
    asks = [visitor.context.request for visitor in visitors]
    for ask in asks:
        name = f"Person {random.randrange(10**9)}"
        ask.post(f"{mina.url}/api/players", data={"name": name})
    game = asks[0].post(f"{mina.url}/api/games", data=LIVE).json()
    path = f"{mina.url}/api/games/{game['id']}"
    page = mina.open(f"/games/{game['id']}")
    page.get_by_text("Everybody plays at once here").wait_for()
    assert page.get_by_text("Add a house player").count() == 0
    for ask in asks[1:]:
        ask.post(f"{path}/seats", data={})
        ask.post(f"{path}/ready")
    button = page.get_by_role("button", name="I am here")
    button.wait_for()
    assert violations(mina) == []
    assert mina.wider_than_screen() == 0
    for ask in asks[1:]:
        ask.post(f"{path}/ready")
    button.click()
    page.locator(".play").wait_for()
    shown = wait_until(lambda: begun(asks[1].get(path).json()), "it to begin")
    move = {"asked": shown["asked"], "action": shown["legal"][0]["action"]}
    is_news = lambda answer: answer.url == path and answer.status == 200  # noqa: E731
    with page.expect_response(is_news, timeout=3000) as seen:
        act = lambda: asks[1].post(f"{path}/actions", data=move).status == 201  # noqa: E731
        wait_until(act, "half a second is over")
    assert seen.value.json()["number"] == shown["number"] + 1
    assert "wait=" in seen.value.request.headers.get("prefer", "")
    assert mina.errors == []


def test_a_guest_who_cannot_be_told_of_others_learns_it(visit: Any) -> None:
    mina = visit(PHONE)
    mina.sign_up()
    page = mina.open("/new/2459n")
    page.locator("details.more summary").click()
    page.locator("input[name='option.tempo']").nth(1).check()
    page.locator("#live-wish").click()
    page.locator(".toast", has_text="you cannot be told yet").wait_for()
    assert violations(mina) == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_wish_is_made_seen_and_ended_beside_the_form_and_in_the_settings(
    visit: Any, picture: Any, language: str
) -> None:
    mina = visit(PHONE)
    mina.sign_up()
    mina.page.evaluate(f"localStorage['tegami.language'] = '{language}'")
    page = mina.open("/new/2459n")
    page.locator("details.more summary").click()
    page.locator("input[name='option.tempo']").nth(1).check()
    page.locator("#live-wish").press("Enter")
    end = page.locator("#live-wish-end")
    end.wait_for()
    page.locator("input[name='option.minutes'], select[name='option.minutes']").first.wait_for()
    page.locator("#live-wish-end:focus").wait_for()
    assert violations(mina) == []
    picture(mina, f"a-wish-to-play-live-{language}")
    page = mina.open("/me")
    section = page.locator("#live-wishes")
    section.scroll_into_view_if_needed()
    picture(mina, f"a-wish-to-play-live-in-the-settings-{language}")
    assert violations(mina) == []
    section.locator("button").press("Enter")
    section.wait_for(state="detached")
    wishes = mina.context.request.get(f"{mina.url}/api/me/live-wishes").json()
    assert wishes == {"live_wishes": []}
    page = mina.open("/new/2459n")
    page.locator("details.more summary").click()
    page.locator("input[name='option.tempo']").nth(1).check()
    page.locator("#live-wish").press("Enter")
    end.press("Enter")
    page.locator("#live-wish:focus").wait_for()
