"""The page of `examples/` plays from another site, with nothing but a token."""

from __future__ import annotations

import functools
import http.server
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import requests

import rules
from tests.support.changed import changed, games_in_full
from tests.support.servers.server import ROOT, Server
from tests.web.support.visitor import PATIENCE_MS

MOVES = 3
"""How many actions of each game are played, unless all are."""
SLUGS = rules.slugs() if changed("examples/play.html") else sorted(games_in_full())


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of another site, which has the examples."""
    handler = functools.partial(Quiet, directory=str(ROOT / "examples"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


@pytest.fixture
def page(visit, server: Server, elsewhere: str) -> Any:
    """The page after it was given a token; `played` counts the actions that were accepted."""
    made = requests.post(f"{server.url}/api/players", json={"name": "Pip", "token": "page"}).json()
    page = visit(own=True).page
    page.goto(f"{elsewhere}/play.html")
    page.get_by_label("Server").fill(server.url)
    page.get_by_label("Token").fill(made["token"]["secret"])
    page.get_by_role("button", name="Show my games").click()
    return page


ASKED = """
() => document.querySelector("#choices button") || document.querySelector("main").dataset.status === "over"
"""
CHOOSE = """
random => {
  const offered = [...document.querySelectorAll("#choices button")];
  offered[Math.floor(random * offered.length)]?.click();
}
"""


@pytest.mark.parametrize("slug", SLUGS)
def test_the_page_plays(
    page: Any, server: Server, request: pytest.FixtureRequest, slug: str
) -> None:
    whole = request.config.getoption("--thorough")
    accepted: list[str] = []

    def answered(told: Any) -> None:
        if told.url.endswith("/actions") and told.status == 201:
            accepted.append(told.url)

    page.on("response", answered)
    known = requests.get(f"{server.url}/api/rulesets").json()["rulesets"]
    (name,) = (each["name"] for each in known if each["slug"] == slug)
    page.get_by_role("button", name=name, exact=True).click()
    chance = random.Random(slug)
    while whole or len(accepted) < MOVES:
        page.wait_for_function(ASKED, timeout=PATIENCE_MS)
        if page.locator("main").get_attribute("data-status") == "over":
            break
        page.evaluate(CHOOSE, chance.random())
    assert accepted


def test_a_wrong_token_is_said(visit, server: Server, elsewhere: str) -> None:
    page = visit(own=True).page
    page.goto(f"{elsewhere}/play.html")
    page.get_by_label("Server").fill(server.url)
    page.get_by_label("Token").fill("tgm_" + "0" * 43)
    page.get_by_role("button", name="Show my games").click()
    page.get_by_text("You are not signed in").wait_for()
