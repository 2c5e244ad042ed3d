"""The page of `examples/` plays from another site, with only a token."""

from __future__ import annotations

import functools
import http.server
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests

import rules
from tests.support.changed import changed, games_in_full
from tests.support.oauth_client import OauthClient
from tests.support.servers.server import ROOT, Server
from tests.web.support.accessibility import assert_accessible
from tests.web.support.visitor import PATIENCE_MS

MOVES = 3
"""The number of actions of each game that are played, unless all are."""
SLUGS = rules.slugs() if changed("examples/play.html") else sorted(games_in_full())


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@contextmanager
def serving(kind: type[http.server.ThreadingHTTPServer], host: str) -> Iterator[int]:
    """The port of another site at this address, which has the examples."""
    handler = functools.partial(Quiet, directory=str(ROOT / "examples"))
    with kind((host, 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_port
        site.shutdown()


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of another site, which has the examples."""
    with serving(http.server.ThreadingHTTPServer, "127.0.0.1") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def page(visit, server: Server, elsewhere: str) -> Any:
    """The page after it was given a token; `played` counts the accepted actions."""
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


def asking(visit: Any, server: Server, elsewhere: str, **more: Any) -> Any:
    """Tegami's question to somebody who plays there as Rin, and has pressed the button at the other site."""
    rin = visit(own=True, **more)
    rin.page.goto(f"{server.url}/plain/enter")
    rin.page.locator("#name").fill("Rin")
    rin.page.get_by_role("button", name="Play with this name").click()
    rin.page.goto(f"{elsewhere.replace('127.0.0.1', 'localhost')}/play.html")
    rin.page.get_by_label("Server").fill(server.url)
    rin.page.get_by_role("button", name="Sign in with Tegami").click()
    rin.page.get_by_text("You are signed in as Rin.").wait_for()
    return rin


def test_the_question_can_be_read_by_everybody(visit: Any, server: Server, elsewhere: str) -> None:
    rin = asking(visit, server, elsewhere, bypass_csp=True)
    assert_accessible(rin)
    longest = OauthClient(f"https://{'a' * 63}.{'b' * 63}.{'c' * 63}.example/cb")
    rin.page.goto(server.url + longest.address())
    assert rin.wider_than_screen() == 0


def test_a_page_of_another_site_signs_in_and_plays(
    visit: Any, server: Server, elsewhere: str
) -> None:
    """From its button, by way of Tegami's question, back to it, and then a game; the address keeps no code."""
    rin = asking(visit, server, elsewhere)
    page, site = rin.page, elsewhere.replace("127.0.0.1", "localhost")
    assert page.get_by_role("heading", level=1).inner_text() == f"Sign in to {site}"
    page.get_by_role("button", name=f"Sign in to {site}").click()
    assert page.url.startswith(f"{server.url}/oauth/authorize"), "the box is not ticked"
    page.get_by_label(f"I know {site}").check()
    page.get_by_role("button", name=f"Sign in to {site}").click()
    page.get_by_role("heading", name="My games").wait_for()
    assert page.url == f"{site}/play.html"
    page.get_by_role("button", name="Caravan", exact=True).click()
    accepted: list[str] = []
    page.on("response", lambda told: accepted.append(told.url) if told.status == 201 else None)
    while not any(url.endswith("/actions") for url in accepted):
        page.wait_for_function(ASKED, timeout=PATIENCE_MS)
        page.evaluate(CHOOSE, 0)
    page.goto(f"{server.url}/me")
    given = page.locator("li", has_text=f"For {site}, where you signed in with Tegami")
    given.get_by_role("button").click()
    given.wait_for(state="detached")


class OfSix(http.server.ThreadingHTTPServer):
    """A server at an address of IPv6."""

    address_family = socket.AF_INET6


def test_browsers_go_on_to_a_program_that_listens_by_ipv6(visit: Any, server: Server) -> None:
    """Although sources of a Content-Security-Policy cannot name such an address."""
    rin = visit(own=True)
    rin.page.goto(f"{server.url}/plain/enter")
    rin.page.locator("#name").fill("Rin")
    rin.page.get_by_role("button", name="Play with this name").click()
    rin.page.get_by_text("Rin").first.wait_for()
    with serving(OfSix, "::1") as port:
        program = f"http://[::1]:{port}"
        client = OauthClient(f"{program}/play.html")
        rin.page.goto(server.url + client.address())
        rin.page.get_by_label(f"I know {program}").check()
        rin.page.get_by_role("button", name=f"Sign in to {program}").click()
        rin.page.get_by_text("Nobody here began to sign in.").wait_for()
    assert rin.page.url == client.redirect_uri


def test_whoever_does_not_allow_it_comes_back_without_a_token(
    visit: Any, server: Server, elsewhere: str
) -> None:
    rin = asking(visit, server, elsewhere)
    rin.page.get_by_role("button", name="Do not allow it, and go back").click()
    rin.page.get_by_text("denied the request").wait_for()
    assert rin.page.get_by_label("Token").input_value() == ""


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint"])
def test_a_server_that_names_the_addresses_of_another_is_not_asked(
    visit: Any, server: Server, elsewhere: str, name: str
) -> None:
    """A code would get to a server for which it is not meant; an address that only begins alike is another's, too."""
    page, about = visit(own=True).page, "/.well-known/oauth-authorization-server"
    told = requests.get(server.url + about).json() | {name: f"{server.url}.example/oauth"}
    page.route(
        f"**{about}",
        lambda route: route.fulfill(json=told, headers={"Access-Control-Allow-Origin": "*"}),
    )
    site = f"{elsewhere.replace('127.0.0.1', 'localhost')}/play.html"
    page.goto(site)
    page.get_by_label("Server").fill(server.url)
    page.get_by_role("button", name="Sign in with Tegami").click()
    page.get_by_text("This server sends people to another one.").wait_for()
    assert page.url == site


def test_an_answer_that_nobody_waits_for_is_ignored(
    visit: Any, server: Server, elsewhere: str
) -> None:
    page = visit(own=True).page
    page.goto(f"{elsewhere}/play.html?code=x&state=y&iss={server.url}")
    page.get_by_text("Nobody here began to sign in.").wait_for()
    assert page.url == f"{elsewhere}/play.html"


def test_a_wrong_token_is_said(visit, server: Server, elsewhere: str) -> None:
    page = visit(own=True).page
    page.goto(f"{elsewhere}/play.html")
    page.get_by_label("Server").fill(server.url)
    page.get_by_label("Token").fill("tgm_" + "0" * 43)
    page.get_by_role("button", name="Show my games").click()
    page.get_by_text("You are not signed in").wait_for()
