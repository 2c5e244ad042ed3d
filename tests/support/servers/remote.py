"""A player whose program uses a whole server over HTTP, and does not give up when the server dies."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Any

from tests.support.cast import BOOMERANG
from tests.support.servers.server import PATIENCE, wait_until

Json = dict[str, Any]


class Remote:
    """Somebody with a bearer token at the server at `url`, who repeats a request for `patience` seconds."""

    def __init__(self, url: str, name: str, patience: float = PATIENCE) -> None:
        self._url, self._token, self._patience = url, "", patience
        wish = {"name": name, "token": name, "scopes": ["talk", "account"]}
        made = self.insist("POST", "/api/players", wish)[1]
        self._token = made["token"]["secret"]

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the body of the response. Raises OSError or HTTPException if there is none."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read())

    def insist(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the body of a response; the request is repeated until there is one."""
        found: tuple[int, Any] = wait_until(
            lambda: self._try(method, path, body), path, self._patience
        )
        return found

    def _try(self, method: str, path: str, body: Any) -> tuple[int, Any] | None:
        try:
            status, told = self.send(method, path, body)
        except (OSError, http.client.HTTPException, ValueError):
            return None
        return None if status >= 500 else (status, told)

    def open(self, ruleset: str = BOOMERANG, **wish: Any) -> str:
        """The id of a table that this player has opened; it starts when it is full, in order of sitting."""
        wish = {"ruleset": ruleset, "seating": "order", "start": "full", "nonce": None, **wish}
        status, told = self.insist("POST", "/api/games", wish)
        assert status == 201, told
        return str(told["id"])

    def game(self, game_id: str) -> Json:
        """The game as this player may see it."""
        found: Json = self.insist("GET", f"/api/games/{game_id}")[1]
        return found

    def asked(self, game_id: str) -> Json:
        """The game, once this player has to act in it or it is over."""

        def look() -> Json | None:
            game = self.game(game_id)
            return game if game["legal"] or game["status"] == "over" else None

        found: Json = wait_until(look, f"a question in {game_id}", self._patience)
        return found

    def answer(self, game: Json, choice: int = 0) -> tuple[int, Any]:
        """Answer with one of the legal actions, repeating as often as needed."""
        return self.insist("POST", f"/api/games/{game['id']}/actions", move(game, choice))


def move(game: Json, choice: int = 0) -> Json:
    """The body that answers the question of `game` with one of the legal actions."""
    return {"asked": game["asked"], "action": game["legal"][choice]["action"]}
