"""The browser's data about a running game, with which its record can be compared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.conftest import DESK
from tests.web.support.staged import ID, PLAYED, POLL, Stage, example

pytestmark = pytest.mark.browser


def kept(page: Any) -> dict[str, Any]:
    """The stored data about games that were seen, by id."""
    stored = page.evaluate(
        "Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith('tegami.shown.')))"
    )
    return {key.removeprefix("tegami.shown."): json.loads(text) for key, text in stored.items()}


def test_every_head_is_kept_once(visit: Any) -> None:
    stage = Stage(visit())
    stage.open()
    for n in range(3):
        stage.show(head=f"{n:064}", head_signature=f"{n:0128}")
    stage.page.evaluate(POLL)
    stage.page.reload()
    stage.page.wait_for_selector(".play")
    seen = kept(stage.page)[ID]["seen"]
    assert seen["commitment"] == stage.game["commitment"]
    first = stage.game["number"] - 3
    assert [each["number"] for each in seen["heads"]] == [first, first + 1, first + 2, first + 3]
    assert seen["heads"][-1]["signature"] == f"{2:0128}"
    assert len(seen["key"]) == 64 and seen["format"] == "tegami-seen/1"


def test_two_heads_of_one_number_are_both_kept(visit: Any) -> None:
    """They would prove that the server has shown two games."""
    stage = Stage(visit())
    stage.open()
    stage.game = {**stage.game, "head": "0" * 64, "revision": stage.game["revision"] + 1}
    stage.page.evaluate(POLL)
    wait_until(lambda: len(kept(stage.page)[ID]["seen"]["heads"]) == 2, "both heads")
    numbers = {each["number"] for each in kept(stage.page)[ID]["seen"]["heads"]}
    assert numbers == {stage.game["number"]}


def test_games_make_room_for_others(visit: Any) -> None:
    """First those that have been verified go, then the oldest; those of long ago in any case."""
    stage = Stage(visit())
    stage.page.goto(
        f"{stage.visitor.url}/privacy"
    )  # it has the storage, but nothing of the page runs
    stage.page.evaluate(
        """
        now => {
          const seen = {format: "tegami-seen/1", heads: [], actions: []};
          for (let n = 0; n < 24; n++) {
            const kept = {at: now - n * 1000, verified: n % 4 === 0, seen: {...seen, game: `g_${n}`}};
            localStorage.setItem(`tegami.shown.g_${n}`, JSON.stringify(kept));
          }
          localStorage.setItem("tegami.shown.g_old", JSON.stringify({at: now - 401 * 864e5, verified: false, seen}));
          localStorage.setItem("tegami.shown.g_broken", "{");
        }
        """,
        stage.page.evaluate("Date.now()"),
    )
    stage.open()
    wait_until(lambda: ID in kept_ids(stage.page), "the game on screen")
    left = kept_ids(stage.page) - {ID}
    assert len(left) == 19 and not {"g_old", "g_broken"} & left
    assert {f"g_{n}" for n in range(24) if n % 4} <= left
    assert {"g_0"} <= left, "of those that were verified the newest"


def kept_ids(page: Any) -> set[str]:
    keys: list[str] = page.evaluate("Object.keys(localStorage)")
    return {key.removeprefix("tegami.shown.") for key in keys if key.startswith("tegami.shown.")}


def test_a_nonce_is_kept_once_the_server_has_acknowledged_it(visit: Any) -> None:
    """Otherwise a lost connection before the start would look like a fraud; it is stored with its tenure."""
    stage, nonce = Stage(visit(DESK)), "0123456789abcdef"
    mine, other = "t_0123456789ABCDEFGHIJKL", "t_LKJIHGFEDCBA9876543210"
    stage.page.goto(
        f"{stage.visitor.url}/privacy"
    )  # it has the storage, but nothing of the page runs
    stage.page.evaluate(
        "([id, own]) => sessionStorage.setItem(`tegami.nonce.${id}`, own)",
        [ID, f"{mine} {nonce}"],
    )
    stage.game["nonces"] = []
    stage.open()
    assert nonces(stage.page) == []
    stage.show(nonces=[{"tenure": mine, "nonce": nonce}], head="1" * 64)
    wait_until(lambda: nonces(stage.page) == [(mine, nonce)], "the nonce")
    stage.show(nonces=[{"tenure": other, "nonce": nonce}], head="2" * 64)
    wait_until(lambda: len(nonces(stage.page)) == 2, "the other's")
    assert nonces(stage.page) == [(mine, nonce), (other, nonce)], "no record can have both"
    stage.page.locator(".side-panel", has_text="is missing from the shuffles").wait_for()


def nonces(page: Any) -> list[tuple[str, str]]:
    """The stored nonces of the game on screen."""
    seen = kept(page)[ID]["seen"]
    return [(each["tenure"], each["nonce"]) for each in seen["nonces"]]


def test_everybody_who_was_there_before_the_start_is_kept_in_order(visit: Any) -> None:
    """Their nonces are stored too, even those of somebody who left and came back."""
    stage = Stage(visit(), **{**example("putNonce-200"), "id": ID, "poll_after": 60})
    stage.visitor.open(f"/games/{ID}").wait_for_selector(".waiting-room")
    first, second, third = seats = stage.game["seats"]
    again = {**second, "tenure": "t_AGAIN6789ABCDEFGHIJKL", "nonce_missing": False}
    brought = stage.game["nonces"]
    later = [*brought, {"tenure": again["tenure"], "nonce": "0" * 32}]
    for change in ({"seats": [first, third]}, {"seats": [first, third, again], "nonces": later}):
        stage.game |= {**change, "revision": stage.game["revision"] + 1}
        with stage.page.expect_response(f"**/api/games/{ID}"):
            stage.page.evaluate(POLL)
    wait_until(lambda: len(nonces(stage.page)) == 3, "all nonces")
    seen = kept(stage.page)[ID]["seen"]
    assert seen["sat"] == [*(each["tenure"] for each in seats), again["tenure"]]
    assert seen["nonces"] == later
    agreed = {name: stage.game[name] for name in ("players", "options", "seating")}
    ruleset = {"ruleset": stage.game["ruleset"]["slug"], "version": 1}
    assert seen["agreed"] == {**ruleset, **agreed}


def test_whoever_opens_a_table_keeps_what_it_was_before_the_nonce(visit: Any) -> None:
    """This holds although its game has begun when the table is first on the screen."""
    visitor = visit()
    visitor.play_now("boomerang-auction")
    game = visitor.game()
    seen = kept(visitor.page)[visitor.game_id]["seen"]
    assert seen["commitment"] == game["commitment"] and seen["agreed"]["seating"] == "random"
    assert set(seen["sat"]) == {each["tenure"] for each in game["seats"]}
    assert seen["sat"][0] == game["tenure"] == seen["nonces"][0]["tenure"]


def test_an_action_is_kept_with_the_number_that_acknowledged_it(visit: Any) -> None:
    stage = Stage(visit())
    stage.open()
    card = stage.page.locator(".hand-card:not([aria-disabled=true])").first
    card.click()
    stage.page.locator("#confirm").click()
    stage.page.locator(PLAYED).wait_for()
    (sent,) = kept(stage.page)[ID]["seen"]["actions"]
    assert sent["action"] == stage.sent[0]
    assert sent["seat"] == stage.game["seat"]


def test_signing_out_forgets_what_was_seen(visit: Any) -> None:
    visitor = visit()
    visitor.play_now("boomerang-auction")
    wait_until(lambda: kept_ids(visitor.page) == {visitor.game_id}, "the game on screen")
    visitor.page.goto(f"{visitor.url}/")
    visitor.page.locator(".games").first.wait_for()
    visitor.page.evaluate(
        "import('/base/browser_storage.js').then(({forgetPerson}) => forgetPerson())"
    )
    assert kept_ids(visitor.page) == set()
