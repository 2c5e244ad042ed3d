"""The form behind a link in a mail: a move step by step, without scripts or signing in, on the narrowest phone."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

import rules
from service.notifications.mail_texts.mail_links import move_link
from service.tables.drawing.action_narrowing import MOST_LISTED
from tests.support.servers.server import Server, wait_until
from tests.web.support.accessibility import violations
from tests.web.support.visitor import Visitor

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
MOST_MOVES = 60
LOOKS = [
    ("caravan", "en", "light"),
    ("abbott-auction", "ja", "dark"),
    pytest.param("caravan", "ja", "dark", marks=pytest.mark.thorough),
    pytest.param("2459n", "en", "light", marks=pytest.mark.thorough),
]


def form(server: Server, game: Any) -> str:
    """The link to the form for the current question of a game."""
    table: Any = SimpleNamespace(game=SimpleNamespace(id=game["id"]))
    person = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    return move_link(server.config, table, person)


def many_choices(reader: Visitor, slug: str, language: str) -> Any:
    """A game against house players with more choices than a mail lists."""
    reader.sign_up()
    answer = reader.context.request.patch(f"{reader.url}/api/me", data={"language": language})
    assert answer.ok
    rng, game = random.Random(4), begun(reader, slug)
    for _ in range(MOST_MOVES):
        game = wait_until(lambda about=game: asked(reader, about), "a question, or the end")
        if len(game["legal"]) > MOST_LISTED:
            return game
        if game["status"] == "over":
            game = begun(reader, slug)
        else:
            action = rng.choice(game["legal"])["action"]
            reader.post(f"/games/{game['id']}/actions", asked=game["asked"], action=action)
    pytest.fail(f"there is never much to choose in {slug}")


def begun(reader: Visitor, slug: str) -> Any:
    """A new game."""
    players = rules.load(slug).players[0]
    seats = {"players": players, "house": players - 1, "start": "full", "nonce": None}
    return reader.post("/games", ruleset=slug, **seats)


def asked(reader: Visitor, game: Any) -> Any:
    """The game once it is over, or waits only for the reader: no house player is asked."""
    game = reader.context.request.get(f"{reader.url}/api/games/{game['id']}").json()
    waiting = [each["seat"] for each in game["waiting"]]
    ready = game["status"] == "over" or (game["legal"] and waiting == [game["seat"]])
    return game if ready else None


@pytest.mark.parametrize(("slug", "language", "scheme"), LOOKS)
def test_a_form_leads_to_a_move(
    visit: Any, server: Server, keep_picture: Any, slug: str, language: str, scheme: str
) -> None:
    game = many_choices(visit(), slug, language)
    reader = visit(NARROW, java_script_enabled=False)
    looker = visit(NARROW, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    page, rng = reader.page, random.Random(slug)
    page.goto(form(server, game))
    assert page.locator(".choices a").count() and not page.locator("form").count()
    for number in range(20):
        looker.page.goto(page.url)
        sound(looker)
        keep_picture(looker, f"form-{slug}-{scheme}-{number}", full_page=True)
        if page.locator("form button").count():
            break
        ways = page.locator(".choices a")
        ways.nth(rng.randrange(ways.count())).click()
    page.locator("form button").click()
    assert page.locator("form").count() == 0
    looker.page.goto(form(server, game))
    sound(looker)
    keep_picture(looker, f"form-{slug}-{scheme}-stale", full_page=True)


def sound(looker: Visitor) -> None:
    """Nothing is too wide, and axe finds nothing."""
    assert looker.wider_than_screen() == 0
    assert violations(looker) == []
