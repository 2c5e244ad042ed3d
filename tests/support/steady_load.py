"""People who play without a pause on servers with one database, and note what was confirmed to them."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any, Self
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.support.cast import CARAVAN
from tests.support.servers.server import PATIENCE, wait_until

TRY_AGAIN = 0.05
"""The pause (seconds) before a request is repeated that a server could not handle."""
AGAIN = {502, 503, 504}
"""The statuses of a server that cannot handle a request at the moment, and of a balancer whose server is gone."""
Json = dict[str, Any]


class SteadyLoad(AbstractContextManager["SteadyLoad"]):
    """Pairs of people, each in a thread: they arrive, open a table, play some moves, and start again.

    `urls` are the servers, used in turn; a test can change them. A server may refuse with 503 or be away; one that is
    silent for `patience` seconds is left, and the next is used. `again` are the statuses after which the same is sent
    again; 500 may be one of them, since it means that the outcome is unknown.
    """

    def __init__(
        self,
        pairs: int,
        urls: Sequence[str],
        patience: float = PATIENCE,
        again: Collection[int] = AGAIN,
    ) -> None:
        self.urls, self._patience, self._again = urls, patience, again
        self.moves: list[tuple[str, int]] = []
        """Each confirmed move, by its game and the number of its event."""
        self.people: list[tuple[str, str]] = []
        """The people's tokens, each with a game in which they have a seat."""
        self.wrong: list[str] = []
        """Responses that nobody should get."""
        self._stop, self._turn = threading.Event(), itertools.count()
        self._threads = [threading.Thread(target=self._play) for _ in range(pairs)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def go_on(self, moves: int = 12) -> None:
        """Return when this many further moves have been confirmed."""
        until = len(self.moves) + moves
        wait_until(lambda: len(self.moves) >= until or self.wrong, "moves", 3 * PATIENCE)
        assert not self.wrong, self.wrong[:5]

    def _play(self) -> None:
        while not self._stop.is_set():
            tokens = [self._arrived(name) for name in ("Alice", "Bob")]
            if not all(tokens):
                return
            body = {"ruleset": CARAVAN, "seating": "order", "nonce": None}
            game = self._ask("POST", "/api/games", tokens[0], body)
            sat = game and self._ask("POST", f"/api/games/{game['id']}/seats", tokens[1], {})
            if sat and self._ask("POST", f"/api/games/{game['id']}/start", tokens[0]):
                self.people += [(token, game["id"]) for token in tokens]
                for token in tokens * 3:
                    self._move(game["id"], token)

    def _arrived(self, name: str) -> str:
        body = {"name": name, "token": "a program", "scopes": ["read", "play"]}
        made = self._ask("POST", "/api/players", "", body)
        return str(made["token"]["secret"]) if made else ""

    def _move(self, game: str, token: str) -> None:
        shown = self._ask("GET", f"/api/games/{game}", token)
        if shown and shown["legal"]:
            body = {"asked": shown["asked"], "action": shown["legal"][0]["action"]}
            played = self._ask("POST", f"/api/games/{game}/actions", token, body)
            if played:
                self.moves.append((game, played["number"]))

    def _ask(self, method: str, path: str, token: str, body: Json | None = None) -> Json | None:
        """The response; None after a conflict, which a repeated request may cause, and at the end."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        if not token:
            del headers["Authorization"]
        while not self._stop.is_set():
            url = self.urls[next(self._turn) % len(self.urls)]
            try:
                asked = Request(f"{url}{path}", data, headers, method=method)
                with urlopen(asked, timeout=self._patience) as answer:
                    found: Json = json.loads(answer.read())
                    return found
            except HTTPError as error:
                if error.code == 409:
                    return None
                if error.code not in self._again:
                    told = error.read()[:300].decode(errors="replace")
                    self.wrong.append(f"{error.code} {method} {path}: {told}")
                    return None
            except (OSError, ValueError):
                pass  # it is just starting or ending: the request is sent again
            self._stop.wait(TRY_AGAIN)
        return None
