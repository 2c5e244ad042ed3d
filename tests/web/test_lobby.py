"""The lobby: filters, rematches, finished games."""

from __future__ import annotations

import re
from typing import Any

import pytest

import rules
from tests.support.servers.server import wait_until
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.staged import ID, POLL, Stage, answer, arrived, example, hold, hold_on
from tests.web.support.tables import SLUG, show, two_people, unfold

pytestmark = pytest.mark.browser

OBSERVING = """
  window.observing = new Set();
  const { observe, disconnect } = IntersectionObserver.prototype;
  IntersectionObserver.prototype.observe = function (...those) {
    observing.add(this);
    observe.apply(this, those);
  };
  IntersectionObserver.prototype.disconnect = function () {
    observing.delete(this);
    disconnect.call(this);
  };
"""
"""The code that waits for something to come near the window."""


def test_tables_of_others_are_filtered_by_game_pace_and_free_seats(
    visit: Any, picture: Any
) -> None:
    host, guest = visit(DESK), visit(PHONE, bypass_csp=True)
    page = host.open(f"/new/{SLUG}")
    unfold(page)
    page.locator("[name=pace]").nth(5).check()
    page.locator("[name=start]").nth(1).check()
    page.locator("form button.main").click()
    host.give_name("Wanda")
    page.locator(".waiting-room").wait_for()
    mine = guest.open().locator(".tables li", has_text="Wanda")
    mine.wait_for()
    assert "A move a week" in mine.inner_text()
    picture(guest, "lobby")
    guest.page.set_viewport_size(PHONE)
    assert violations(guest) == []
    guest.page.locator("#filter-pace").select_option("reserve")
    mine.wait_for(state="detached")
    guest.page.locator("#filter-pace").select_option("decision")
    mine.wait_for()
    guest.page.locator("#filter-ruleset").select_option("joretsu")
    mine.wait_for(state="detached")
    guest.page.locator("#filter-ruleset").select_option(SLUG)
    guest.page.locator("#filter-free").select_option("2")
    mine.wait_for()
    for name in ("ruleset", "pace", "free"):
        guest.page.locator(f"#filter-{name}").select_option("")
    page.locator("#fill").click()
    page.wait_for_selector(".play")


def test_whoever_is_new_sees_a_table_and_all_games_in_two_phone_screens(
    visit: Any, picture: Any
) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open()
    page.locator("[data-first]").wait_for()
    page.locator(".hero .miniature .middle").wait_for()
    assert page.locator(".stamp-sheet a").count() == len(rules.slugs())
    end = page.locator(".stamp-sheet").evaluate(
        "each => each.getBoundingClientRect().bottom + scrollY"
    )
    assert end <= 2 * PHONE["height"]
    assert visitor.wider_than_screen() == 0
    assert violations(visitor) == []
    picture(visitor, "home-new")
    for size in (PHONE, ON_ITS_SIDE):
        page.set_viewport_size(size)
        box = page.locator("[data-first]").bounding_box()
        assert box["y"] + box["height"] <= size["height"], "without scrolling"


DRAWN = """each => ({
  cards: each.querySelectorAll(".card, .tile").length,
  wide: each.firstElementChild.getBoundingClientRect().width <= each.clientWidth + 1,
  high: each.firstElementChild.getBoundingClientRect().height <= each.clientHeight + 1,
})"""


def test_each_game_has_a_sentence_its_stamp_its_table_and_buttons_that_say_what_they_do(
    visit: Any,
) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open()
    page.locator(".game").first.wait_for()
    listed = visitor.context.request.get(f"{visitor.url}/api/rulesets").json()["rulesets"]
    assert page.locator(".game").count() == len(listed) == len(rules.slugs())
    for ruleset in listed:
        game = page.locator(f".game:has([data-play='{ruleset['slug']}'])")
        game.scroll_into_view_if_needed()
        game.locator(".miniature .still").wait_for(state="attached")
        drawn = game.locator(".miniature").evaluate(DRAWN)
        assert drawn["cards"] >= 6 and drawn["wide"] and drawn["high"], (ruleset["slug"], drawn)
        assert ruleset["summary"] in game.inner_text()
        assert game.locator("use").get_attribute("href").endswith(f"#{ruleset['slug']}")
        assert game.locator(":is(button, a.button)").all_inner_texts() == [
            "Play now",
            "New table",
            "Rules",
        ]
    assert "3 or 4 players · ~8 decisions · easy" in page.locator(".shelf").inner_text()
    assert violations(visitor) == []


def test_whoever_returns_sees_what_they_won_and_lost_and_strangers_last(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    games = example("listGames-200")["games"]
    over = {**games[0], "status": "over", "ended_at": "2026-11-21T10:00:00.000Z", "yours": True}
    mine = [
        {**over, "id": f"g_{outcome}", "outcome": outcome} for outcome in ("won", "lost", "nobody")
    ]
    theirs = {**over, "id": "g_theirs", "outcome": None, "yours": False, "names": ["Zoe"]}
    visitor.sign_up()
    played, ended = ({"games": found, "next": None} for found in (mine, [*mine, theirs]))
    visitor.page.route("**/api/games?mine=true*", lambda route: answer(route, played))
    visitor.page.route("**/api/games?status=over*", lambda route: answer(route, ended))
    page = visitor.open_asking()
    page.locator(".shelf").wait_for()
    sections = page.locator("main > section").all_inner_texts()
    assert sections[0].startswith("Your last games")
    assert [word in sections[0] for word in ("Won", "Lost", "Nobody won", "Zoe")] == [
        True,
        True,
        True,
        False,
    ]
    assert "Zoe" in sections[-1]
    first = page.locator(".tables li").first
    assert first.locator(".postmark").count() == 1, "cancelled"
    assert "2026" in first.locator(".postmark").text_content()
    assert violations(visitor) == []


def test_whoever_has_games_sees_them_first_and_the_most_urgent_on_top(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    urgent, later = ({**example("listTurns-200")["turns"][0]} for _ in range(2))
    urgent["game"] = {**urgent["game"], "id": "g_urgent", "names": ["Mina", "Cleo"]}
    page = visitor.page
    page.route("**/api/me/turns", lambda route: answer(route, {"turns": [urgent, later]}))
    visitor.sign_up()
    mine = [turn["game"] for turn in (later, urgent)]
    page.route("**/api/games?mine=true*", lambda route: answer(route, {"games": mine}))
    visitor.open_asking().locator(".my-turns").wait_for()
    links = page.locator("main .tables a").evaluate_all("all => all.map(each => each.pathname)")
    assert links[:2] == [f"/games/{each['game']['id']}" for each in (urgent, later)]
    assert page.locator("[data-first]").count() == 0
    assert "Last move" in page.locator(".my-turns").inner_text()
    names = page.locator(".my-turns .names").first.inner_text()
    assert "Cleo" in names and "Mina" not in names
    assert violations(visitor) == []


AT_ONCE = """
    for (const [name, value] of [["ruleset", "joretsu"], ["free", "2"]]) {
        const select = document.querySelector(`#filter-${name}`);
        select.value = value;
        select.dispatchEvent(new Event("change"));
    }
"""


def test_two_filters_chosen_at_the_same_time_both_apply(visit: Any) -> None:
    visitor = visit(PHONE)
    listed = {"games": [example("listGames-200")["games"][0]], "next": None}
    visitor.page.route("**/api/games?status=open", lambda route: answer(route, listed))
    page = visitor.open_asking()
    page.locator("#filter-free").wait_for()
    both = re.compile(r"status=open.*ruleset=joretsu.*free=2")
    with page.expect_request(both):
        page.evaluate(AT_ONCE)


def test_where_there_is_nothing_to_filter_there_are_no_filters(visit: Any) -> None:
    visitor = visit(PHONE)
    visitor.page.route("**/api/games?*", lambda route: answer(route, {"games": [], "next": None}))
    visitor.open_asking().locator(".shelf").wait_for()
    assert visitor.page.locator(".filters").count() == 0


def test_the_lobby_asks_only_for_news(visit: Any) -> None:
    """It never requests the list of games again, which stays the same."""
    visitor = visit(PHONE)
    visitor.sign_up()
    page = visitor.open()
    page.locator(".shelf").wait_for()
    asked: dict[str, Any] = {}
    page.on("request", lambda request: asked.update({request.url: request.headers}))
    with page.expect_response("**/api/me/turns") as told:
        page.evaluate(POLL)
    assert told.value.status == 304
    with page.expect_response("**/api/games?status=open") as told:
        page.evaluate(POLL)
    assert told.value.status == 304
    whole = [url for url, headers in asked.items() if "if-none-match" not in headers]
    assert {*whole} <= {f"{visitor.url}/api/me/invitations"}, "which has no tag"


LATE = {
    "/": "**/api/games?status=open*",
    "/finished": "**/api/games?mine=true&status=over*",
    "/ratings": "**/api/rulesets",
    "/ratings/caravan": "**/leaderboard",
    "/new/caravan": "**/api/paces",
    "/rules/caravan": "**/rules/caravan?*",
    "/me": "**/api/me/sign-ins*",
}
"""The files that each screen has to wait for."""


@pytest.mark.parametrize("address", LATE)
def test_a_screen_that_loads_slowly_does_not_replace_the_next_one(visit: Any, address: str) -> None:
    visitor = visit(DESK)
    stage, page = Stage(visitor), visitor.page
    visitor.sign_up()
    visitor.open("/enter")
    held = hold(stage, LATE[address])
    visitor.go(address)
    late = arrived(stage, held)
    visitor.go(f"/games/{ID}")
    page.locator(".play").wait_for()
    shown = page.title(), page.locator("main").inner_text()
    with page.expect_response(LATE[address]):
        late.continue_()
    page.evaluate("fetch('/healthz').then(answer => answer.text())")  # comes after the late one
    assert (page.title(), page.locator("main").inner_text()) == shown


def test_a_rematch_and_the_finished_games(visit: Any, picture: Any) -> None:
    mina, ken = two_people(visit)
    old = mina.game_id
    show(mina, "time")
    mina.page.locator("button", has_text="Offer a draw").click()
    ken.page.locator(".proposal .main").click()
    ken.page.locator("#rematch").wait_for()
    assert violations(ken) == []
    home = ken.context.new_page()
    home.goto(ken.url)
    home.locator(".tables a").first.wait_for()
    assert home.locator(".hero").count() == 0, "whoever has played to an end is not new"
    home.close()
    ken.page.locator("#rematch").click()
    ken.page.locator(".waiting-room").wait_for()
    assert ken.game_id != old
    mina.open("/").locator("li", has_text="Ken invites you").locator("a").click()
    mina.page.locator(".waiting-room button.main").click()
    for visitor in (mina, ken):
        visitor.page.wait_for_selector(".play")
    assert visitor.game_id == ken.game_id != old
    assert len(ken.game()["nonces"]) == 2, (
        "whoever opens the rematch brings one, and so does who joins"
    )
    mina.open(f"/games/{old}").locator("a", has_text="your games together").first.click()
    mina.page.locator("h1", has_text="My finished games").wait_for()
    mina.page.locator(f".tables a[href='/games/{old}']").wait_for()
    assert violations(mina) == []
    picture(mina, "finished")
    mina.page.locator("#of").select_option("joretsu")
    mina.page.locator("main p", has_text="None yet").wait_for()


WHOLE = """() => {
  const box = where => document.querySelector(where).getBoundingClientRect();
  const [table, card] = [box(".hero .still"), box(".hero .postcard")];
  return table.bottom <= card.bottom && table.right <= card.right && table.width > card.width / 4;
}"""


def test_the_table_in_miniature_is_whole_when_a_phone_is_turned(visit: Any) -> None:
    page = visit(PHONE).open()
    page.locator(".hero .miniature .still").wait_for()
    for size in (ON_ITS_SIDE, DESK, PHONE):
        page.set_viewport_size(size)
        page.wait_for_function(WHOLE)


def test_nothing_is_observed_once_the_lobby_was_left_also_while_it_asks_for_news(
    visit: Any,
) -> None:
    visitor = visit(own=True)
    page = visitor.page
    page.add_init_script(OBSERVING)
    visitor.open("/")
    wait_until(lambda: page.evaluate("observing.size"), "miniatures that are not near")
    held = hold_on(page, "**/api/games?status=open*")
    page.evaluate(POLL)
    wait_until(lambda: page.evaluate("true") and held, "the request")
    visitor.go("/me")
    assert page.evaluate("observing.size") == 0
    with page.expect_response("**/api/games?status=open*"):
        held[0].fallback()
    page.evaluate("fetch('/healthz').then(answer => answer.text())")  # later than what was held
    assert page.evaluate("observing.size") == 0
