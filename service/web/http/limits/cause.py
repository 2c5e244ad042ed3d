"""The cause of a request's effects, for mail budgets, which are counted by player and by network."""

from __future__ import annotations

import hmac

from flask import g, has_request_context

from service.core.runtime.time_and_random import base62
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import client_network


def request_cause() -> str | None:
    """The ids of the player (if known) and of the network that caused the request's effects; None outside of
    requests.
    """
    if not has_request_context():
        return None
    player = g.get("caller")  # none for visitors, or if the endpoint does not ask who is calling
    player_id = g.get("acting_player") or (player.id if player else None)
    return f"{player_id} {network_id()}" if player_id else network_id()


def act_for(player_id: str) -> None:
    """Treat this request as an action of the player to whom its link was mailed, whoever is signed in."""
    g.acting_player = player_id


def network_id() -> str:
    """The client's network as an id that reveals nothing to readers of the database."""
    return keyed_id("n", "network", client_network())


def keyed_id(letter: str, kind: str, subject: str) -> str:
    """An id that tells whether two subjects of a kind are the same, and reveals nothing else without the
    server's key.
    """
    secret = current_services().config.secret_key
    digest = hmac.digest(secret, f"{kind} {subject}".encode(), "sha256")
    return f"{letter}_{base62(digest[:16])}"
