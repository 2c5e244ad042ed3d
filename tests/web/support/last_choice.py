"""A table at which only the user's choice is left: its result is told as the service tells it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Request, Route

from rules.kernel import Ruleset
from service.log.event_log import Passed
from service.tables.views import history_view
from tests.rules.playouts import Step
from tests.support.positions import answer as described
from tests.web.support.staged import ID, answer
from tests.web.support.walked_table import WalkedTable

NUMBER = 3
"""The number of the last event before the choice."""


class LastChoice(WalkedTable):
    """The position before a step in which the acting seat can do nothing else, and the one after it."""

    def __init__(self, visitor: Any, ruleset: Ruleset, step: Step) -> None:
        super().__init__(visitor, ruleset)
        self.step, self.seat = step, step.event["seat"]
        self.played = False
        self.page.route(f"**/api/games/{ID}/actions", self._play)
        self.page.route(f"**/api/games/{ID}/events?*", self._history)
        self.page.route(f"**/api/games/{ID}/views?*", self._views)

    def begin(self) -> None:
        """Opens the table; the action is ready to be confirmed."""
        self.show(self.step.before, self.seat)

    def show(self, state: Any, seat: int, **row: Any) -> None:
        self.only(state, seat, row)
        self.visitor.open(f"/games/{ID}").locator("#confirm:enabled").wait_for()

    def only(self, state: Any, seat: int, row: Any) -> None:
        """Describes a position with the one action."""
        more = {"id": ID, "head": bytes(32), **row}
        told = described(self.ruleset, state, seat, self.language, **more)
        self._shown, self.game = told, told.whole()
        action = self.step.event["action"]
        self.game["legal"] = [each for each in self.game["legal"] if each["action"] == action]

    @property
    def passed(self) -> Passed:
        event: Any = {**self.step.event, "number": NUMBER + 1, "by": "seat"}
        return Passed(event, 0, self.step.before, self.step.after)

    @property
    def told(self) -> Any:
        """The event, as told to the user."""
        past = self.seat, self._shown.reader
        lines = self._shown.lines(self.step.after, past)
        return history_view.entry(self._shown, self.passed, past, lines)

    def _play(self, route: Route, request: Request) -> None:
        self.played = True
        result = self.ruleset.result(self.step.after)
        over = {"status": "over", "result": result._asdict(), "ended_at": 0} if result else {}
        row = {"number": NUMBER + 1, "revision": 2, **over}
        self.only(self.step.after, self.seat, row)
        self.game["legal"] = self._shown.legal()
        answer(route, {"number": NUMBER + 1, "game": self.game}, 201)

    def _history(self, route: Route) -> None:
        answer(route, {"events": [self.told] if self.played else []})

    def _views(self, route: Route) -> None:
        past = self.seat, self._shown.reader
        answer(route, {"views": [history_view.table_after(self._shown, self.passed, past, False)]})
