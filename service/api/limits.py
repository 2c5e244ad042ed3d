"""Rate limits, documented in openapi.yaml and told in a `RateLimit` header. Counted per process and caller."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits import parse

F = TypeVar("F", bound=Callable[..., Any])

LIMITS = {
    "players": "60 per hour",
    "sign-ins": "20 per minute",
    "tokens": "30 per hour",
    "games": "120 per hour",
    "actions": "240 per minute",
}
_NAMES = {parse(rate): name for name, rate in LIMITS.items()}


def whose() -> str:
    """By token where there is one (its hash: the limiter keeps no secrets), else by address."""
    token = request.headers.get("Authorization")
    if token is None:
        return get_remote_address()
    return hashlib.sha256(token.encode()).hexdigest()


limiter = Limiter(whose)


def register(app: Flask) -> None:
    """Hold the callers of `app` to the limits, and tell them where they stand."""
    limiter.init_app(app)
    app.after_request(tell)


def tell(response: Response) -> Response:
    """`RateLimit: "name";r=59;t=60`: how many requests are left, and for how many seconds."""
    limit = limiter.current_limit
    if limit is not None:
        left = max(1, math.ceil(limit.reset_at - time.time()))
        response.headers["RateLimit"] = f'"{_NAMES[limit.limit]}";r={limit.remaining};t={left}'
        if response.status_code == 429:
            response.headers["Retry-After"] = str(left)
    return response


def limited(name: str) -> Callable[[F], F]:
    """Hold callers of an endpoint to the limit of this name."""
    return limiter.limit(LIMITS[name])  # type: ignore[return-value]
