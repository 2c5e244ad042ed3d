"""A table whose responses a test makes, so that it can show any moment; the rest comes from the server."""

from __future__ import annotations

import copy
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Request, Route

from tests.contract import document
from tests.support.servers.server import wait_until

ID = "g_staged0000000000000000"
PLAYED = ".confirm-bar.idle:has-text('You can close')"
"""What is shown once the server has responded to an action."""
POLL = "document.dispatchEvent(new Event('visibilitychange'))"


def example(name: str) -> Any:
    """A recorded answer of openapi.yaml."""
    return copy.deepcopy(document()["components"]["examples"][name]["value"])


class Stage:
    """The game that the service would describe; the test changes `game` and `events`, and `show` shows them."""

    def __init__(self, visitor: Any, **changes: Any) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.game: Any = {**example("getGame-200"), "id": ID, "poll_after": 60, **changes}
        self.events = [event(n, f"Event {n}.") for n in range(1, self.game["number"] + 1)]
        self.sent: list[Any] = []
        """The actions that were sent."""
        self.deals: Any = {"deals": [], "hidden": []}
        self.preview: Any = {"zones": [], "facts": []}
        """The effects of an action."""
        self.views: list[Any] = []
        """Earlier tables, and the cards at moments."""
        self.moment: str | None = None
        """The moment after the action that is sent."""
        self.connected = True
        """Whether responses arrive."""
        self.page.route(f"**/api/games/{ID}", self._game)
        self.page.route(f"**/api/games/{ID}/events?*", self._events)
        self.page.route(f"**/api/games/{ID}/views?*", self._views)
        self.page.route(f"**/api/games/{ID}/actions", self._action)
        self.page.route(f"**/api/games/{ID}/preview", self._preview)
        self.page.route(f"**/api/games/{ID}/deals", self._deals)

    def open(self) -> Any:
        """Opens the table."""
        self.visitor.open(f"/games/{ID}")
        self.page.wait_for_selector(".play")
        return self.page

    def change(self, **changes: Any) -> None:
        """Let something happen: one more event and revision."""
        number = self.game["number"] + 1
        self.events.append(event(number, f"Event {number}."))
        self.game = {
            **self.game,
            "number": number,
            "revision": self.game["revision"] + 1,
            **changes,
        }

    def show(self, **changes: Any) -> None:
        """Change the game, and wait until the page shows that."""
        self.change(**changes)
        with self.page.expect_response(f"**/api/games/{ID}/events?*"):
            self.page.evaluate(POLL)

    def zone(self, name: str, seat: int | None = None) -> Any:
        """A zone of the view, to be changed."""
        zones = self.game["view"]["zones"]
        return next(each for each in zones if each["name"] == name and each.get("seat") == seat)

    def _game(self, route: Route) -> None:
        answer(route, self.game) if self.connected else route.abort()

    def _events(self, route: Route, request: Request) -> None:
        query = parse_qs(urlsplit(request.url).query)
        later = [each for each in self.events if each["number"] > int(query["after"][0])]
        answer(route, {"events": later[: int(query["limit"][0])]})

    def _views(self, route: Route) -> None:
        answer(route, {"views": self.views}) if self.views else route.fallback()

    def _deals(self, route: Route) -> None:
        answer(route, self.deals) if self.connected else route.abort()

    def _preview(self, route: Route) -> None:
        answer(route, self.preview) if self.connected else route.abort()

    def _action(self, route: Route, request: Request) -> None:
        self.sent.append(request.post_data_json["action"])
        if self.connected:
            before = copy.deepcopy(self.game["view"])
            self.change(asked=None, legal=[])
            self.events[-1] |= {
                "seat": self.game["seat"],
                "by": "seat",
                "moment": self.moment,
                "news": self.moment is not None,
            }
            if self.moment:
                tables = {"view": self.game["view"], "moment": before}
                self.views = [{"number": self.game["number"], **tables}]
            answer(route, {"number": self.game["number"], "game": self.game}, 201)
        else:
            route.abort()


def arrived(stage: Stage, held: list[Route]) -> Route:
    """The held request, once it has come."""
    route: Route = wait_until(lambda: stage.page.evaluate("true") and held, "the request")[0]
    return route


def hold(stage: Stage, requests: str) -> list[Route]:
    """Hold the next such request."""
    return hold_on(stage.page, requests)


def hold_on(page: Any, requests: str) -> list[Route]:
    """Hold the next such request of a page."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(requests, keep, times=1)
    return held


def answer(route: Route, body: Any, status: int = 200) -> None:
    """Answers a request of the page."""
    route.fulfill(status=status, content_type="application/json", body=json.dumps(body))


def event(number: int, words: str, **more: Any) -> Any:
    """An event of the history."""
    at = f"2026-11-{21 + number // 600}T{10 + number // 60 % 10}:{number % 60:02}:00.000Z"
    lines = [{"line": "told", "words": words}]
    told = {"at": at, "lines": lines, "news": True, "moment": None}
    return {"number": number, "kind": "action", "seat": 1, **told, **more}
