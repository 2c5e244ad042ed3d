"""Rate limits, documented in openapi.yaml and told in a `RateLimit` header. Counted per process and caller."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, Response, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from service.api.common import caller
from service.problems import NotSignedIn

F = TypeVar("F", bound=Callable[..., Any])

LIMITS = {
    "players": "60 per hour",
    "sign-ins": "20 per minute",
    "passwords": "20 per hour",
    "tokens": "30 per hour",
    "games": "120 per hour",
    "actions": "240 per minute",
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
BY_ADDRESS = {"players", "sign-ins"}
"""Limits of those who are nobody yet: however many guests one makes, they add up."""


def origin() -> str:
    """Where a request comes from; of IPv6 the network, in which anybody has addresses without number."""
    address = get_remote_address()
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address


def whose() -> str:
    """By player; by origin whoever is none, so that nobody gets limits of their own by made-up tokens."""
    try:
        player = caller()
    except NotSignedIn:
        player = None
    return str(player.id) if player else origin()


limiter = Limiter(whose)


def register(app: Flask) -> None:
    """Hold the callers of `app` to the limits, and tell them where they stand."""
    limiter.init_app(app)
    app.after_request(tell)


def tell(response: Response) -> Response:
    """`RateLimit: "name";r=59;t=60`: how many requests are left, and for how many seconds."""
    limit = limiter.current_limit
    if limit is not None and request.endpoint:
        left = max(1, math.ceil(limit.reset_at - time.time()))
        view: Any = current_app.view_functions[request.endpoint]
        response.headers["RateLimit"] = f'"{view.limit}";r={limit.remaining};t={left}'
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", str(left))
    return response


def limited(name: str) -> Callable[[F], F]:
    """Hold callers of an endpoint to the limit of this name."""
    key = origin if name in BY_ADDRESS else whose
    hold = limiter.limit(LIMITS[name], key_func=key)

    def decorated(endpoint: F) -> F:
        held: Any = hold(endpoint)
        held.limit = (
            name  # two limits may have the same rate: only the endpoint knows which is its own
        )
        return held  # type: ignore[no-any-return]

    return decorated
