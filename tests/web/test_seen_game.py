"""What the browser keeps of a running game, so that its record can be held against it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.servers.server import wait_until
from tests.web.support.staged import ID, PLAYED, POLL, Stage

pytestmark = pytest.mark.browser


def kept(page: Any) -> dict[str, Any]:
    """What is stored of the games that were seen, by id."""
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
    """First those that have been verified, then the oldest; those of long ago in any case."""
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
    """Else a lost connection before the start would look like a fraud."""
    stage, nonce = Stage(visit()), "0123456789abcdef"
    stage.page.goto(
        f"{stage.visitor.url}/privacy"
    )  # it has the storage, but nothing of the page runs
    stage.page.evaluate(
        "([id, nonce]) => sessionStorage.setItem(`tegami.nonce.${id}`, nonce)", [ID, nonce]
    )
    stage.open()
    assert "nonce" not in kept(stage.page)[ID]["seen"]
    stage.show(nonces=[{"tenure": "t_0123456789ABCDEFGHIJKL", "nonce": nonce}], head="1" * 64)
    wait_until(lambda: kept(stage.page)[ID]["seen"].get("nonce") == nonce, "the nonce")


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
    visitor.page.goto(f"{visitor.url}/#/")
    visitor.page.locator(".games").wait_for()
    visitor.page.evaluate(
        "import('/base/browser_storage.js').then(({forgetPerson}) => forgetPerson())"
    )
    assert kept_ids(visitor.page) == set()
