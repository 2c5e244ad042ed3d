"""Rate limits, documented in openapi.yaml and shown in a `RateLimit` header. Counted per process and caller."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from flask import Flask, Response, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from service.core.networks import network_of
from service.core.problems import NotSignedIn
from service.http.caller import identified

P = ParamSpec("P")
R = TypeVar("R")

LIMITS = {
    "players": "60 per hour",
    "sign-ins": "20 per minute",
    "passwords": "20 per hour",
    "tokens": "30 per hour",
    "games": "120 per hour",
    "actions": "240 per minute",
    "history": "6000 per minute",
    "exports": "20 per hour",
    "proposals": "60 per hour",
    "messages": "30 per minute",
    "marks": "120 per minute",
    "notes": "60 per minute",
    "blocks": "40 per hour",
    "reports": "20 per hour",
    "invitations": "60 per hour",
    "nudges": "60 per hour",
}
COSTS = {"history": "limit"}
"""Limits that do not count requests, but how many entries they ask for: the query parameter that says so."""
PER_NETWORK = {"players", "sign-ins"}
"""Limits that count callers who are not signed in: making another guest does not give a new allowance."""
MOST_ENTRIES, USUAL_ENTRIES = 200, 50
"""How many entries a page has at most, and unless another number is asked for."""
_names: dict[Callable[..., object], str] = {}
"""The name of each endpoint's limit; the rate does not tell, for two limits may have the same."""


def client_network() -> str:
    """The network of the client."""
    return network_of(get_remote_address())


def player_or_network() -> str:
    """The player, or the network of a caller who is none: made-up tokens do not give a new allowance."""
    try:
        player = identified()
    except NotSignedIn:
        player = None
    return str(player.id) if player else client_network()


limiter = Limiter(player_or_network)


def register(app: Flask) -> None:
    """Hold the callers of `app` to the limits, and show them what is left."""
    limiter.init_app(app)
    app.after_request(add_header)


def add_header(response: Response) -> Response:
    """`RateLimit: "name";r=59;t=60`: how many requests are left, and for how many seconds."""
    limit = limiter.current_limit
    if limit is not None and request.endpoint:
        seconds = max(1, math.ceil(limit.reset_at - time.time()))
        name = _names[current_app.view_functions[request.endpoint]]
        response.headers["RateLimit"] = f'"{name}";r={limit.remaining};t={seconds}'
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", str(seconds))
    return response


def _cost(name: str) -> int:
    """What a request counts for; one that is refused for its query counts as an average one."""
    entries = request.args.get(COSTS.get(name, ""), "")
    if re.fullmatch("[0-9]{1,3}", entries):
        return min(max(1, int(entries)), MOST_ENTRIES)
    return USUAL_ENTRIES if name in COSTS else 1


def limited(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Hold the callers of an endpoint to the limit of this name; stands right below the route."""
    key = client_network if name in PER_NETWORK else player_or_network
    limit = limiter.limit(LIMITS[name], key_func=key, cost=lambda: _cost(name))

    def decorated(endpoint: Callable[P, R]) -> Callable[P, R]:
        checked = limit(endpoint)
        _names[checked] = name
        return checked

    return decorated
