"""A program on top of the client that openapi-python-client makes of the document.

generated_player.py SERVER RULESET HOUSE    plays a game against house players, and prints its id
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from tegami_client import AuthenticatedClient, Client, models  # type: ignore[import-not-found]
from tegami_client.api.playing import (  # type: ignore[import-not-found]
    get_game,
    make_player,
    open_game,
    post_action,
)

LONGEST = 90
"""The most seconds that a game may take."""


def main(server: str, ruleset: str, house: int) -> None:
    """Play."""
    answer = make_player.sync(
        client=Client(base_url=server),
        body=models.NewProgram(name="Generated", token="game", program=True),
    )
    client = AuthenticatedClient(base_url=server, token=answer.token.secret)
    wish = {"ruleset": ruleset, "house": house, "level": "easy", "start": "full", "nonce": None}
    game = open_game.sync(client=client, body=models.NewGame.from_dict(wish))
    until, rng = time.monotonic() + LONGEST, random.Random(2)
    while game.status != "over" and time.monotonic() < until:
        game = step(client, game, rng)
    assert game.result and game.result.words, game.status
    print(game.id)


def step(client: Any, game: Any, rng: random.Random) -> Any:
    """The game after one action of one's own, or after a look."""
    if game.legal:
        chosen = models.NewAction(asked=game.asked, action=rng.choice(game.legal).action)
        played = post_action.sync(game.id, client=client, body=chosen)
        if isinstance(played, models.Played):
            return played.game
        assert isinstance(played, models.Stale), played
    else:
        time.sleep(game.poll_after)
    return get_game.sync(game.id, client=client)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
