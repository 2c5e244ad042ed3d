"""Who causes what a request leads to: for the budgets of mails, which are counted by player and by network."""

from __future__ import annotations

import hmac

from flask import g, has_request_context

from service.core.time_and_random import base62
from service.http.context import current_services
from service.http.limits.rate_limits import client_network


def request_cause() -> str | None:
    """The ids of the player, if one is signed in, and of the network; None outside of requests."""
    if not has_request_context():
        return None
    player = g.get("caller")  # a visitor, or an endpoint that asks nobody who is calling, has none
    return f"{player.id} {network_id()}" if player else network_id()


def network_id() -> str:
    """The client's network as an id that reveals nothing to whoever reads the database."""
    secret = current_services().config.secret_key
    digest = hmac.digest(secret, b"network " + client_network().encode(), "sha256")
    return f"n_{base62(digest[:16])}"
