"""A table that shows any moment of a game as the service describes it, and responds in the service's place.

Nobody plays there, so only the test makes things happen, and every run sees the same. It takes the place of the service
only under `/api/games/`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Request, Route

from rules.kernel import Ruleset, State, foresee
from rules.players.house import VERSION
from rules.players.levels import USUAL
from service.log.event_log import Passed
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import Holder
from service.tables.views import score_view
from service.tables.views.game_view import GameAnswer
from tests.rules.playouts import Steps
from tests.support.positions import answer as described
from tests.web.support.staged import ID, answer, event

FORGET = """id => {
  for (const [key, value] of Object.entries(localStorage)) {
    const isOfTheGame = key === "tegami.coach" && value.includes(id);
    if (key !== "tegami.player" && !isOfTheGame) localStorage.removeItem(key);
  }
  sessionStorage.clear();
}"""
"""Otherwise the page would mark as new what differs from the previous moment; the help in a first game stays."""
HOUSE = "mizuhiki chiyogami hikyaku tanzaku orizuru shikishi kendama bunchin makimono andon".split()
ASKED = "#confirm, .result"
ENDED = 1_795_000_000_000
"""The time when games end: in November 2026."""


class WalkedTable:
    """The table of a game of this ruleset, seen by one of the seats; house players hold the others."""

    def __init__(self, visitor: Any, ruleset: Ruleset) -> None:
        self.visitor, self.page, self.ruleset = visitor, visitor.page, ruleset
        self.language = self.page.locator("html").get_attribute("lang")
        self.game: Any = None
        self.deals: Any = {"deals": [], "hidden": []}
        self._shown: GameAnswer
        self.page.route(re.compile(rf"/api/games/{ID}(/\w+)?(\?.*)?$"), self._answer)

    def show(self, state: State, seat: int, **row: Any) -> None:
        """Opens the table at this moment."""
        more = {"id": ID, "head": bytes(32), **row}
        told = described(self.ruleset, state, seat, self.language, **more)
        people = tuple(_named(holder, seat) for holder in told.table.holders)
        table = replace(told.table, people=people)
        self._shown = GameAnswer(table, state, told.viewer, HeadSigner(bytes(32)))
        self.game = self._shown.whole()
        self.page.evaluate(FORGET, ID)
        self.visitor.open(f"/games/{ID}").locator(ASKED).first.wait_for()

    def show_end(self, game: Steps) -> None:
        """Open the table after the last event of a game, with its scores."""
        end = game[-1].after
        result = self.ruleset.result(end)
        assert result is not None
        row = {"status": "over", "result": result._asdict(), "ended_at": ENDED}
        told = described(self.ruleset, end, 0, self.language, id=ID, **row)
        self.deals = score_view.whole(SimpleNamespace(states=_Course(game)), told)  # type: ignore[arg-type]
        self.show(end, 0, **row)

    def _answer(self, route: Route, request: Request) -> None:
        what = request.url.partition(ID)[2].partition("?")[0]
        if what == "":
            answer(route, self.game)
        elif what == "/events":
            answer(route, {"events": [event(n, f"{n}.") for n in (1, 2, 3)]})
        elif what == "/preview":
            answer(route, self._foreseen(request.post_data_json["action"]))
        elif what == "/deals":
            answer(route, self.deals)
        else:
            route.fallback()

    def _foreseen(self, action: Any) -> Any:
        shown = self._shown
        assert shown.state is not None and shown.seat is not None
        found = foresee(self.ruleset, shown.state, shown.seat, action, random.Random)
        return shown.preview(found)


class _Course:
    """The past of a game that no database has."""

    def __init__(self, game: Steps) -> None:
        self._game = game

    def course(self, *_: object) -> Iterator[Passed]:
        """The events of the game."""
        for number, step in enumerate(self._game, 1):
            passed: Any = {**step.event, "number": number}
            yield Passed(passed, 0, step.before, step.after)


def _named(holder: Holder, viewer: int) -> Holder:
    if holder.seat == viewer:
        return replace(holder, name="Mina")
    house = {"house_name": HOUSE[holder.seat], "house_level": USUAL, "house_version": VERSION}
    return replace(holder, player_id=None, name=None, **house)
