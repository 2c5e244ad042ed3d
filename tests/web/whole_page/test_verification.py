"""A whole game on the website, whose record the page then verifies itself; and records that were changed in transit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Response

from service.operations.commands.main import main
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.records import OTHER_KEY, canonical, changed, public, sealed
from tests.web.support.tables import SLUG

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

LINE = ".verification"
Forge = Callable[[Any, Ed25519PrivateKey], Any]


class Watched:
    """A page's view of its game, and its moves."""

    def __init__(self, visitor: Any) -> None:
        self._answers: list[Response] = []
        visitor.page.on("response", self._heard)

    def _heard(self, answer: Response) -> None:
        self._answers.append(answer)

    def count(self, game_id: str) -> tuple[int, int]:
        """The number of heads that were shown, and of moves that were played."""
        heads, moves = set[tuple[int, str]](), 0
        for answer in self._answers:
            path = answer.url.partition("/api")[2]
            if answer.status not in (200, 201) or not path.startswith(f"/games/{game_id}"):
                continue
            told = answer.json() if path.count("/") < 3 or path.endswith("/actions") else {}
            game = told.get("game", told)
            if game.get("head"):
                heads.add((game["number"], game["head"]))
            moves += path.endswith("/actions")
        return len(heads), moves


@pytest.fixture
def over(visit: Any) -> tuple[Any, Watched]:
    """A visitor who has clicked through a whole game against house players, and what was shown to them."""
    visitor, rng = visit(PHONE, own=True, bypass_csp=True), random.Random("a game to verify")
    watched = Watched(visitor)
    visitor.play_now(SLUG)
    while visitor.my_turn():
        visitor.choose(rng)
        visitor.confirm()
    return visitor, watched


def event(record: Any, kind: str, **more: Any) -> int:
    """The place of the first event like this."""
    wanted = {"kind": kind, **more}
    return next(n for n, each in enumerate(record["events"]) if wanted.items() <= each.items())


def another_outcome(record: Any, key: Ed25519PrivateKey) -> Any:
    place = event(record, "chance")
    outcome = record["events"][place]["outcome"][::-1]
    return sealed(changed(record, "events", place, "outcome", to=outcome), key)


def another_action(record: Any, key: Ed25519PrivateKey) -> Any:
    place = event(record, "action", by="house")
    return sealed(changed(record, "events", place, "action", to={"type": "pass", "x": 1}), key)


def an_event_dropped(record: Any, key: Ed25519PrivateKey) -> Any:
    place = event(record, "action", by="house")
    left = [*record["events"][:place], *record["events"][place + 1 :]]
    numbered = [{**each, "number": n} for n, each in enumerate(left, 1)]
    return sealed({**record, "events": numbered}, key)


FORGERIES: dict[str, tuple[Forge, str]] = {
    "an outcome": (another_outcome, "does not follow from the seed"),
    "an action": (another_action, "is not the one that this browser received"),
    "an event dropped": (an_event_dropped, "is not the one that this browser received"),
    "a head": (lambda record, _: {**record, "head": "0" * 64}, "does not match its own digest"),
    "the seed": (
        lambda record, key: sealed({**record, "seed": "0" * 64}, key),
        "is not the one that was committed to",
    ),
    "another key": (
        lambda record, _: sealed(record, OTHER_KEY),
        "not signed with the key that this page knows",
    ),
    "a byte": (lambda record, _: canonical(record) + " ", "The record is damaged"),
}
"""Forgeries by somebody who has the server's own key, so that each is consistent; and the page's message."""


def record_of(visitor: Any) -> Any:
    """The record of the game on screen."""
    return visitor.context.request.get(f"{visitor.url}/api/games/{visitor.game_id}/record")


def looked_at(visitor: Any, picture: Any, name: str) -> None:
    """The line is fit to be seen, on a phone and on a desk."""
    assert violations(visitor) == []
    for size in (DESK, PHONE):
        visitor.page.set_viewport_size(size)
        assert visitor.wider_than_screen() == 0
    visitor.page.locator(LINE).scroll_into_view_if_needed()
    picture(visitor, name)


def test_a_record_is_verified_at_the_end(
    over: Any, server: Any, picture: Any, tmp_path: Path
) -> None:
    """One game serves all of it, because it takes longest."""
    visitor, watched = over
    visitor.page.locator(LINE, has_text="Verified").wait_for()
    said = visitor.page.locator(LINE).inner_text()
    assert said == counted(visitor, watched)
    looked_at(visitor, picture, "verified")
    the_command_agrees(visitor, tmp_path)
    what_was_changed_on_the_way_is_named(visitor, server)
    looked_at(visitor, picture, "not-verified")
    visitor.page.unroute("**/record")
    visitor.page.reload()
    visitor.page.locator(LINE, has_text=said).wait_for()


def counted(visitor: Any, watched: Watched) -> str:
    """The line with the counts, as an observer has counted."""
    heads, moves = watched.count(visitor.game_id)
    assert heads > moves > 3
    events = record_of(visitor).json()["events"]
    shuffles = sum(each["kind"] == "chance" for each in events)
    told = f"✓ Verified: {len(events)} events, {shuffles} shuffles"
    return f"{told}, {heads} digests received, {moves} moves of yours."


def the_command_agrees(visitor: Any, folder: Path) -> None:
    """Check that the browser stores what `tegami verify --seen` reads."""
    kept = visitor.page.evaluate(
        "id => localStorage.getItem(`tegami.shown.${id}`)", visitor.game_id
    )
    seen, record = folder / "seen.json", folder / "record.json"
    seen.write_text(json.dumps(json.loads(kept)["seen"]))
    record.write_bytes(record_of(visitor).body())
    told = CliRunner().invoke(main, ["verify", str(record), "--seen", str(seen)])
    assert told.exit_code == 0, told.output
    assert "the commitment, what was agreed on, the order of sitting down, 1 nonces" in told.output


def what_was_changed_on_the_way_is_named(visitor: Any, server: Any) -> None:
    """Each of `FORGERIES`."""
    page, record = visitor.page, record_of(visitor).json()
    key = Ed25519PrivateKey.from_private_bytes(server.config.signing_key)
    assert public(key) == record["key"]
    answers: list[str] = []
    page.route("**/record", lambda route: route.fulfill(body=answers[-1]))
    for name, (forge, words) in FORGERIES.items():
        made = forge(record, key)
        answers.append(made if isinstance(made, str) else canonical(made))
        page.reload()
        page.locator(f"{LINE}.warning", has_text=words).wait_for()
        assert page.locator(f"{LINE} a[href='/docs/record']").count() == 1, name
