"""The actions of a visitor to the website."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Response,
    Route,
)

import rules
from tests.support.servers.server import PATIENCE, wait_until

CONTROLS = ", ".join(
    (
        ".bottom-panel .option:not(.up)",
        ".bottom-panel .hand-card:not([aria-disabled=true]):not(.up)",
        ".bottom-panel .number button:enabled",
        ".spot:not(.up)",
    )
)
"""Everything that can be chosen and is not chosen yet."""

GO = """
address => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""

SENTENCE = """() => ({
  ready: !document.querySelector("#confirm").disabled,
  words: [...document.querySelector("#sentence").childNodes]
    .filter(each => !each.matches?.(".foreseen, .next")).map(each => each.textContent).join(""),
})"""
"""Whether an action is ready, and the choice in words; not its effects, which the server tells later."""

PATIENCE_MS = PATIENCE * 1000
"""The milliseconds within which everything that a test waits for on a page has to come."""
QUIET = "/healthz"
"""A document of the server that runs nothing."""
SOON = 10_000
"""Milliseconds within which a stable control can be clicked."""
MISSES = 4
"""The number of clicks that may find no control: more of them mean more than a changing question, and take minutes."""
CORNER = {"x": 6, "y": 12}
"""The place where a control is touched: another one may lie over its middle."""
TABS = 200
"""More than the number of controls on any page."""


AT_THE_TABLE = "document.activeElement.matches('main *, dialog *')"
"""Whether something at the table has the focus."""


def _without_answers(route: Route) -> None:
    answer = route.fetch()
    brought = r'<script type="application/json".*?</script>'
    route.fulfill(response=answer, body=re.sub(brought, "", answer.text()))


class Visitor:
    """A browser with its own storage, used by "mouse", "touch" or "keys". `errors` are those in its console."""

    def __init__(self, context: BrowserContext, url: str, by: str = "mouse") -> None:
        self.context, self.url, self.by = context, url, by
        self.errors: list[str] = []
        self.refusals: list[int] = []
        """The statuses of the service's problems; a test that expects some clears them."""
        context.set_default_timeout(PATIENCE_MS)
        self._hears = {
            "console": self._heard,
            "pageerror": self._failed,
            "response": self._answered,
        }
        self.page = self.watched(context.pages[0] if context.pages else context.new_page())

    def tab(self) -> Page:
        """Opens another tab of the same browser."""
        return self.watched(self.context.new_page())

    def watched(self, page: Page) -> Page:
        """A tab whose errors and refusals are noted."""
        for event, note in self._hears.items():
            page.on(event, note)  # type: ignore[call-overload]
        return page

    def leave(self) -> None:
        """Stop noting: somebody else will use the browser."""
        for page in self.context.pages:
            for event, note in self._hears.items():
                page.remove_listener(event, note)

    def _heard(self, message: ConsoleMessage) -> None:
        # The browser reports every problem of the service as well; those are in `refusals`.
        if message.type == "error" and "the server responded with" not in message.text:
            self.errors.append(message.text)

    def _failed(self, error: Error) -> None:
        self.errors.append(str(error))

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refusals.append(response.status)

    def open(self, address: str = "/") -> Page:
        """Opens a path of the page, or a whole URL."""
        self.page.goto(address if "://" in address else self.url + address)
        self.page.wait_for_selector("main > *")
        return self.page

    def open_asking(self, address: str = "/") -> Page:
        """Open a path without the responses that come with it: the page requests everything that it shows."""
        self.page.route(self.url + address, _without_answers, times=1)
        return self.open(address)

    def go(self, address: str) -> None:
        """Go to a path as a link inside the page does."""
        self.page.evaluate(GO, address)

    def give_name(self, name: str = "Mina") -> None:
        """Answers the name dialog."""
        self.page.locator("#name").fill(name)
        self.page.keyboard.press("Enter")

    def sign_up(self, name: str = "Mina") -> None:
        """Become a guest without the page, but with the data that it would store."""
        self.post("/players", name=name)
        self.page.goto(self.url + QUIET)
        self.page.evaluate("name => localStorage.setItem('tegami.player', name)", name)

    def post(self, path: str, headers: Any = None, **body: Any) -> Any:
        """The API's response to this person."""
        address = f"{self.url}/api{path}"
        answer = self.context.request.post(address, data=body, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def sit_down(self, slug: str, name: str = "Mina") -> None:
        """Begin a game against house players as the lobby does, without the page, and open it."""
        self.sign_up(name)
        ruleset = rules.load(slug)
        players = ruleset.players[0]
        wish = {"players": players, "house": players - 1, "start": "full", "nonce": None}
        options = dict(ruleset.looks.lengths(players)[0].options)
        game = self.post("/games", ruleset=slug, options=options, **wish)
        self.open(f"/games/{game['id']}").wait_for_selector(".play")

    def play_now(self, slug: str, name: str = "Mina") -> None:
        """Starts a game against house players from the lobby."""
        self.open()
        self.page.locator(f"[data-play='{slug}']").click()
        self.give_name(name)
        self.page.wait_for_selector(".play")

    @property
    def game_id(self) -> str:
        """The id of the game on screen."""
        return self.page.url.partition("/games/")[2].partition("?")[0].partition("#")[0]

    def game(self) -> Any:
        """The game from the API, as this visitor sees it and in the language of the page."""
        headers = {"Accept-Language": self.page.locator("html").get_attribute("lang") or ""}
        address = f"{self.url}/api/games/{self.game_id}"
        return self.context.request.get(address, headers=headers).json()

    def answer(self, rng: random.Random, patience: float = PATIENCE) -> bool:
        """Play any action through the API when it is the visitor's turn, which may take so many seconds; False once the
        game is over.
        """
        game = wait_until(self.asked, "a question, or the end", patience)
        if game["status"] == "over":
            return False
        action = rng.choice(game["legal"])["action"]
        self.context.request.post(
            f"{self.url}/api/games/{self.game_id}/actions",
            data={"asked": game["asked"], "action": action},
        )
        return True

    def act(self, kind: str) -> None:
        """Plays the first action of this type, as another page of the same person would."""
        game = self.game()
        action = next(each["action"] for each in game["legal"] if each["action"]["type"] == kind)
        self.post(f"/games/{self.game_id}/actions", asked=game["asked"], action=action)

    def asked(self) -> Any:
        """The game, if it is the visitor's turn or the game is over."""
        game = self.game()
        return game if game["legal"] or game["status"] == "over" else None

    def my_turn(self) -> bool:
        """Wait until there is something to choose (True) or the game is over (False)."""
        self._go_on("#confirm, .result")
        return self.page.locator(".result").count() == 0

    def settled(self) -> None:
        """Wait until there is something to choose that also takes keys: a control that has just appeared takes none for
        a moment.
        """
        self.my_turn()
        self.page.locator(".bottom-panel:not([data-appearing])").wait_for()

    def see_the_end(self) -> None:
        """Wait for the result of a game that is over, passing each moment."""
        self._go_on(".result")

    def _go_on(self, until: str) -> None:
        while self.page.wait_for_selector(f"{until}, #go-on").get_attribute("id") == "go-on":
            self.page.evaluate("document.querySelector('#go-on')?.click()")

    def choose(self, rng: random.Random) -> None:
        """Click on random options until an action can be confirmed, or the game is over."""
        missed = 0
        for _ in range(30):
            if not self.my_turn() or self.page.locator("#confirm:enabled").count():
                return
            try:
                self.use(self.offered(rng), CORNER)
            except Error:  # the question may change meanwhile, or it be seen what has happened
                missed += 1
                if missed == MISSES:
                    raise
        raise AssertionError("thirty clicks led to nothing that can be confirmed")

    def use(self, control: Locator, at: Any = None) -> None:
        """Chooses a control."""
        if self.by == "keys":
            self._tab_to(control)
            self.page.keyboard.press("Space")
        elif self.by == "touch":
            control.tap(position=at, timeout=SOON)
        else:
            control.click(position=at, timeout=SOON)

    def _tab_to(self, control: Locator) -> None:
        """Move the focus as somebody without a mouse does."""
        wanted = control.element_handle(timeout=SOON)
        for _ in range(TABS):
            if wanted.evaluate("each => each === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise Error("nothing leads to the control, or it has gone")

    def offered(self, rng: random.Random) -> Locator:
        """A random control; once a card is picked, preferably an option."""
        options = self.page.locator(".bottom-panel .option")
        going_on = options.count() and self.page.locator(".hand-card.up, .spot.up").count()
        controls = options if going_on else self.page.locator(CONTROLS)
        return controls.nth(rng.randrange(max(1, controls.count())))

    def confirm(self) -> bool:
        """Confirm the action and wait for the response; False if the question has changed meanwhile.

        Keyboard users are still at the table then.
        """
        if not self.my_turn():
            return False
        try:
            with self.page.expect_response(lambda answer: answer.url.endswith("/actions")):
                self.use(self.page.locator("#confirm"))
        except Error:
            return False
        assert self.page.evaluate(AT_THE_TABLE)
        return True

    def wider_than_screen(self) -> int:
        """The pixels by which the page scrolls sideways."""
        wide: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return wide
