"""People who play one game after another against the house on a whole server, and prove each log when its
game is over.
"""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from typing import Self

from tests.endurance.frame import Run
from tests.support.cast import BOOMERANG
from tests.support.servers.proven_games import played, proven
from tests.support.servers.remote import Remote
from tests.support.servers.server import PATIENCE, wait_until

LOST_MOVE = "lost-move"
"""A fault: a move was acknowledged, and is in no log."""


class HouseGames(AbstractContextManager["HouseGames"]):
    """People, each in a thread, who repeat requests that got no response; at the end they finish their last games."""

    def __init__(self, run: Run, url: str, people: int = 3, patience: float = PATIENCE) -> None:
        self._run, self._url, self._patience = run, url, patience
        self.moves = 0
        """The number of acknowledged moves."""
        self.wrong: list[str] = []
        self._lock, self._stop = threading.Lock(), threading.Event()
        names = [f"Player {n}" for n in range(people)]
        self._threads = [threading.Thread(target=self._live, args=(name,)) for name in names]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._run.counts["moves acknowledged"] = self.moves
        self.check()

    def go_on(self, moves: int) -> None:
        """Return when this number of further moves has been acknowledged."""
        until = self.moves + moves
        wait_until(lambda: self.moves >= until or self.wrong, f"{moves} moves", 180)
        self.check()

    def check(self) -> None:
        """Check that nothing was wrong up to now."""
        assert not self.wrong, self.wrong[:3]

    def _live(self, name: str) -> None:
        try:
            player = Remote(self._url, name, self._patience)
            while not self._stop.is_set():
                game_id = player.open(BOOMERANG, house=2)
                acknowledged = played(player, game_id, self._note)
                if self._run.fault == LOST_MOVE:
                    acknowledged[0] = {"type": "pass"}
                proven(player, game_id, acknowledged)
                self._run.count("logs proven")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what was looked for
            self.wrong.append(f"{name}: {error!r}")

    def _note(self) -> None:
        with self._lock:
            self.moves += 1
