"""The form behind a link in a mail: a move step by step, without scripts or signing in, on the narrowest phone."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

import rules
from service.notifications.mail_texts.move_links import form_link
from service.tables.drawing.action_narrowing import MOST_LISTED
from tests.support.servers.server import Server, wait_until
from tests.web.support.visitor import Visitor

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}
LOOKS = [
    ("caravan", "en", "light"),
    ("caravan", "ja", "dark"),
    ("abbott-auction", "ja", "dark"),
    ("2459n", "en", "light"),
]


def form(server: Server, game: Any) -> str:
    """The link to the form for the current question of a game."""
    table: Any = SimpleNamespace(game=SimpleNamespace(id=game["id"]))
    person = SimpleNamespace(tenure=game["tenure"], asked=game["asked"])
    return form_link(server.config, table, person)


def many_choices(reader: Visitor, slug: str, language: str) -> Any:
    """A game against house players with more choices than a mail lists."""
    api, rng = reader.context.request, random.Random(4)

    def post(path: str, **body: Any) -> Any:
        return api.post(f"{reader.url}/api{path}", data=body).json()

    def asked() -> Any:
        game = api.get(f"{reader.url}/api/games/{made['id']}").json()
        waiting = [each["seat"] for each in game["waiting"]]
        return (
            game if game["legal"] and waiting == [game["seat"]] else None
        )  # no house player is at it

    post("/players", name="Mina")
    assert api.patch(f"{reader.url}/api/me", data={"language": language}).ok
    players = rules.load(slug).players[0]
    made = post(
        "/games", ruleset=slug, start="full", players=players, house=players - 1, nonce=None
    )
    for _ in range(60):
        game = wait_until(asked, "a question")
        if len(game["legal"]) > MOST_LISTED:
            return game
        action = rng.choice(game["legal"])["action"]
        post(f"/games/{made['id']}/actions", asked=game["asked"], action=action)
    pytest.fail(f"there is never much to choose in {slug}")


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of --screenshots, or else a temporary one."""
    found = Path(request.config.getoption("--screenshots") or tmp_path)
    found.mkdir(parents=True, exist_ok=True)
    return found


@pytest.mark.parametrize(("slug", "language", "scheme"), LOOKS)
def test_a_form_leads_to_a_move(
    visit: Any, server: Server, folder: Path, slug: str, language: str, scheme: str
) -> None:
    game = many_choices(visit(), slug, language)
    reader = visit(NARROW, java_script_enabled=False)
    looker = visit(NARROW, color_scheme=scheme, bypass_csp=True)  # axe sets inline styles
    page, rng = reader.page, random.Random(slug)
    page.goto(form(server, game))
    assert page.locator(".choices a").count() and not page.locator("form").count()
    for number in range(20):
        looker.page.goto(page.url)
        sound(looker, folder / f"form-{slug}-{scheme}-{number}.png")
        if page.locator("form button").count():
            break
        ways = page.locator(".choices a")
        ways.nth(rng.randrange(ways.count())).click()
    page.locator("form button").click()
    assert page.locator("form").count() == 0
    looker.page.goto(form(server, game))
    sound(looker, folder / f"form-{slug}-{scheme}-stale.png")


def sound(looker: Visitor, path: Path) -> None:
    """Saves a screenshot at `path`. Nothing is too wide, and axe finds nothing."""
    looker.page.screenshot(path=path, full_page=True)
    assert looker.wider_than_screen() == 0
    found = Axe().run(looker.page).response["violations"]
    assert [f"{each['id']}: {each['nodes'][0]['html']}" for each in found] == []
