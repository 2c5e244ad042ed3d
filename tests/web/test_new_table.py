"""The form that opens a table: lengths, options, paces."""

from __future__ import annotations

from typing import Any

import pytest

import rules
from tests.support.servers.server import wait_until
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.tables import table_for_two_people, unfold

pytestmark = pytest.mark.browser

SLUG = "auction-draw"
"""A game with two lengths, and an option with many values."""


@pytest.fixture
def form(visit: Any) -> Any:
    visitor = visit(PHONE)
    visitor.open(f"/new/{SLUG}").locator("form.sheet").wait_for()
    return visitor


def marked(page: Any, name: str) -> list[int]:
    """The indices of the answers that are checked."""
    inputs = page.locator(f"input[name='{name}']")
    return [n for n in range(inputs.count()) if inputs.nth(n).is_checked()]


def wish(visitor: Any) -> Any:
    """The body of the request that opens the table."""
    with visitor.page.expect_request(lambda sent: sent.url.endswith("/api/games")) as sent:
        visitor.page.locator("form button.main").click()
        visitor.give_name()
    return sent.value.post_data_json


def test_the_shortest_length_is_preselected_and_says_how_many_decisions(form: Any) -> None:
    first, last = rules.load(SLUG).looks.lengths(2)
    labels = form.page.locator("label:has(input[name=length])").all_inner_texts()
    assert f"about {first.decisions} decisions each" in labels[0]
    assert f"about {last.decisions} decisions each" in labels[1]
    assert marked(form.page, "length") == [0]
    assert wish(form)["options"].items() >= dict(first.options).items()


def test_a_length_sets_the_options_and_an_option_can_be_changed_afterwards(form: Any) -> None:
    page = form.page
    values = values_of(form, "laps")
    page.locator("input[name=length]").nth(1).check()
    page.locator("details.more summary").click()
    assert marked(page, "option.laps") == [values.index(0)]
    page.locator("input[name='option.laps']").nth(values.index(3)).check()
    assert marked(page, "length") == []
    page.locator("input[name='option.laps']").nth(values.index(2)).check()
    assert marked(page, "length") == [0]
    page.locator("input[name='option.laps']").nth(values.index(1)).check()
    assert wish(form)["options"]["laps"] == 1


def test_a_table_can_rest_at_weekends_and_outside_of_hours(form: Any) -> None:
    page = form.page
    page.locator("details.more summary").click()
    assert page.get_by_text("When the table rests").count() == 0, "nothing runs without a clock"
    page.get_by_label("A move a day").check()
    page.get_by_label("Saturdays and Sundays").check()
    page.get_by_text("Other days and hours").click()
    page.get_by_label("Wednesday").check()
    page.get_by_label("Clocks run only from").fill("09:00")
    page.get_by_label("until", exact=True).fill("21:00")
    assert form.wider_than_screen() == 0
    assert violations(form) == []
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert wish(form)["rest"] == {"time_zone": zone, "days": [3, 6, 7], "open": "09:00-21:00"}
    page.get_by_text("rests on Wednesday, Saturday and Sunday, and outside").first.wait_for()


def values_of(form: Any, name: str) -> list[Any]:
    """The values of an option, from the API."""
    told = form.context.request.get(f"{form.url}/api/rulesets/{SLUG}").json()
    return [each["const"] for each in told["options"]["2"]["properties"][name]["oneOf"]]


def test_an_option_with_many_values_is_a_select(form: Any) -> None:
    page = form.page
    page.locator("details.more summary").click()
    assert page.locator("input[name='option.hand']").count() == 0
    assert len(values_of(form, "hand")) > 20
    page.get_by_label("Tiles dealt to each").select_option(label="5 tiles")
    assert form.wider_than_screen() == 0
    assert wish(form)["options"]["hand"] == 5


def test_options_that_do_not_apply_are_hidden(visit: Any) -> None:
    visitor = visit(PHONE)
    page = visitor.open("/new/trunk-and-peddler")
    page.locator("form.sheet").wait_for()
    unfold(page)
    assert page.locator("input[name='option.A']").count() == 0
    page.locator("label", has_text="Choose from A to H below").locator("input").check()
    assert page.locator("input[name='option.A']").count() == 2
    assert wish(visitor)["options"].keys() == {"preset", *"ABCDEFGH"}


def test_a_single_length_is_a_sentence(visit: Any) -> None:
    visitor = visit(PHONE)
    page = visitor.open("/new/joretsu")
    page.locator(".length", has_text="about 9 decisions each").wait_for()
    assert page.locator("input[name=length]").count() == 0


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_opening_a_table_is_one_screen_of_a_phone_and_the_rest_is_folded(
    visit: Any, locale: str
) -> None:
    visitor = visit(PHONE, locale, bypass_csp=True)
    for slug in rules.slugs():
        page = visitor.open(f"/new/{slug}")
        box = page.locator("details.more > summary").bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"], slug
        assert page.locator("[name=pace]:visible").count() == 0
        assert page.locator(f"[data-play='{slug}']:visible").count()
    assert violations(visitor) == []
    page.locator("[data-play]").click()
    visitor.give_name()
    page.wait_for_selector(".play")


def test_playing_now_takes_the_shortest_length(visit: Any) -> None:
    visitor = visit(PHONE)
    visitor.play_now(SLUG)
    assert visitor.game()["options"]["laps"] == rules.load(SLUG).looks.lengths(2)[0].options["laps"]


def test_an_own_pace_with_time_per_decision(visit: Any) -> None:
    visitor = visit(PHONE, bypass_csp=True)
    page = visitor.open(f"/new/{SLUG}")
    unfold(page)
    page.locator("input[name=pace]").last.check()
    for typed in ("0", "91"):
        page.locator("#own-seconds").fill(typed)
        page.locator(".amount select").select_option("days")
        page.locator("form button.main").click()
        page.locator("#own-seconds[aria-invalid=true]:focus").wait_for()
    page.locator("#own-seconds-wrong", has_text="At most 90 days").wait_for()
    assert violations(visitor) == []
    page.locator("#own-seconds").fill("36")
    page.locator(".amount select").select_option("hours")
    assert visitor.wider_than_screen() == 0
    assert wish(visitor)["pace"] == {"kind": "decision", "seconds": 36 * 3600}
    page.locator(".waiting-room", has_text="1 day 12 hours for each decision").wait_for()
    assert visitor.open("/").locator(".tables li", has_text="1 day 12 hours for each").count()


def test_an_own_pace_with_a_reserve(form: Any) -> None:
    page = form.page
    unfold(page)
    page.locator("input[name=pace]").last.check()
    page.locator("input[name=own]").nth(1).check()
    page.locator("#own-cap").fill("1")
    page.locator("form button.main").click()
    page.locator("#own-cap-wrong", has_text="At least the time bank").wait_for()
    page.locator("#own-cap").fill("3")
    sent = wish(form)
    assert sent["takeover"] == 3
    assert sent["pace"] == {
        "kind": "reserve",
        "reserve": 2 * 86_400,
        "increment": 6 * 3600,
        "cap": 3 * 86_400,
    }


def test_the_number_for_the_shuffles_comes_after_the_commitment(visit: Any) -> None:
    visitor = visit(PHONE, own=True)
    sent: list[Any] = []
    visitor.page.on("request", lambda each: sent.append((each.method, each.post_data_json)))
    visitor.play_now(SLUG)
    changes = [each for each in sent if each[0] != "GET"]
    assert [method for method, _ in changes] == ["POST", "POST", "PUT"], "name, table, number"
    (_, name), (_, wish), (_, brought) = changes
    assert "nonce" not in wish and "nonce" not in name
    game = visitor.game()
    assert game["nonces"] == [{"tenure": game["tenure"], **brought}]
    assert visitor.refusals == []


def lose(page: Any, *answers: int) -> list[str]:
    """Lose each nonce that is sent; the first get these responses. The page has its own clock."""
    sent: list[str] = []

    def handle(route: Any) -> None:
        sent.append(route.request.post_data_json["nonce"])
        if len(sent) > len(answers):
            route.continue_()
        else:
            route.fulfill(status=answers[len(sent) - 1])

    page.clock.install()
    page.route("**/nonce", handle)
    return sent


@pytest.mark.parametrize("lost", [(503,), (503, 502, 429)])
def test_a_number_that_got_lost_is_sent_again_while_the_table_waits(
    visit: Any, lost: tuple[int, ...]
) -> None:
    visitor = visit(PHONE, own=True)
    sent = lose(visitor.page, *lost)
    table_for_two_people(visitor, SLUG)  # which does not start by itself meanwhile

    def brought() -> Any:
        # Once the last one is on its way the clock stands: the answer may take longer than a minute of it.
        if len(sent) <= len(lost):
            visitor.page.clock.fast_forward(60_000)
        return visitor.game()["nonces"]

    wait_until(brought, "the nonce")
    game = visitor.game()
    assert len(sent) > len(lost) and len(set(sent)) == 1
    assert game["nonces"] == [{"tenure": game["tenure"], "nonce": sent[0]}]


def test_a_number_that_is_refused_is_not_sent_again(visit: Any) -> None:
    visitor = visit(PHONE, own=True)
    sent = lose(visitor.page, 409, 409, 409)
    visitor.page.clock.pause_at("2099-01-01")
    table_for_two_people(visitor, SLUG)
    table, polls = f"/api/games/{visitor.game_id}", list[str]()
    visitor.page.on(
        "response", lambda got: polls.append(got.url) if got.url.endswith(table) else None
    )

    def polled() -> bool:
        visitor.page.clock.fast_forward(5_000)
        return len(polls) >= 3

    wait_until(polled, "three more polls")
    assert len(sent) == 2


def test_the_level_of_house_players_is_chosen_beside_their_number(form: Any) -> None:
    assert marked(form.page, "level") == [1], "normal"
    unfold(form.page)
    form.page.locator("input[name=house]").nth(1).check()
    form.page.locator("input[name=level]").nth(2).check()
    sent = wish(form)
    assert (sent["house"], sent["level"]) == (1, "strong")
