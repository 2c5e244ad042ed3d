"""Rate limits, documented in openapi.yaml and shown in two headers (draft-ietf-httpapi-ratelimit-headers).

They are counted per process and caller, so each process allows its share. A proxy in front can do the same, and the
operator can switch them off.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Hashable
from typing import NamedTuple, ParamSpec, TypeVar

from flask import Flask, Response, current_app, g, request

from service.core.runtime.problems import NotSignedIn, TooManyRequests
from service.core.runtime.units import HOUR, MINUTE, SECOND
from service.core.settings.networks import network_of
from service.people.sign_ins import known_browsers
from service.web.http.caller.caller import checked_by, identified
from service.web.http.caller.context import current_services

P = ParamSpec("P")
R = TypeVar("R")

LIMITS = {
    "players": "60 per hour",
    "sign-ins": "20 per minute",
    "passwords": "20 per hour",
    "tokens": "30 per hour",
    "consents": "30 per hour",
    "exchanges": "60 per minute",
    "feeds": "600 per hour",
    "webhooks": "60 per hour",
    "push": "60 per hour",
    "games": "120 per hour",
    "actions": "240 per minute",
    "previews": "60 per minute",
    "history": "6000 per minute",
    "views": "1200 per minute",
    "deals": "60 per minute",
    "records": "6000 per hour",
    "exports": "20 per hour",
    "proposals": "60 per hour",
    "orders": "120 per hour",
    "analyses": "60 per hour",
    "puzzles": "60 per minute",
    "messages": "30 per minute",
    "marks": "120 per minute",
    "notes": "60 per minute",
    "blocks": "40 per hour",
    "follows": "60 per hour",
    "circles": "60 per hour",
    "reports": "20 per hour",
    "invitations": "60 per hour",
    "codes": "120 per hour",
    "nudges": "60 per hour",
}
PER_NETWORK = {"players", "sign-ins", "exchanges"}
"""The limits that count callers who are not signed in, so that making another guest gives no new allowance.

The people at one address share them, so they grow with the number of people who may come from there. A browser in which
somebody has signed in before has the usual limits for itself, and successful sign-ins count for their player.
"""
RIGHT_SIGN_INS = 5
"""The number of successful sign-ins of a player in a minute that do not count for the address."""
MOST_ENTRIES, USUAL_ENTRIES = 200, 50
"""The most entries of a page, and the number if none is requested."""
_LENGTHS = {"minute": MINUTE, "hour": HOUR}
WINDOWS = "tegami.rate-limits"
"""The key under which an application holds its counts."""


MOST_WINDOWS = 50_000
"""The most windows that are kept (about 10 MB); beyond that, the oldest ones are forgotten."""


class Window(NamedTuple):
    """A count, and the time (ms UTC) at which it begins again."""

    counted: int
    ends_at: int


class Windows:
    """Counts by key. Thread-safe."""

    def __init__(self, most: int = MOST_WINDOWS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._windows: dict[Hashable, Window] = {}

    def add(self, key: Hashable, cost: int, length: int, now: int) -> Window:
        """Add `cost` to the count for `key`, and return the window; a new window lasts `length` ms."""
        with self._lock:
            known = self._windows.get(key)
            if known is not None and now < known.ends_at:
                window = known._replace(counted=known.counted + cost)
            else:
                self._windows.pop(key, None)  # a new window is added at the end
                window = Window(cost, now + length)
            self._windows[key] = window
            if len(self._windows) > self._most:
                del self._windows[next(iter(self._windows))]
            return window


def rate(name: str) -> tuple[int, int]:
    """The number that the limit of this name allows, and the length of its window (ms)."""
    most, _, length = LIMITS[name].split()
    return int(most), _LENGTHS[length]


class Counted(NamedTuple):
    """The name of the limit by which a request was counted, and the result."""

    limit: str
    key: Hashable
    most: int
    window: Window


def share(most: int) -> int:
    """The share of a limit that this process allows: all processes of a machine together allow the whole limit."""
    return -(-most // current_services().config.processes)


def client_network() -> str:
    """The network of the client, as a key for counting."""
    return network_of(request.remote_addr or "127.0.0.1")


def player_or_network() -> str:
    """The player or, for other callers, the network, as a key: invented tokens give no new allowance."""
    try:
        player = identified()
    except NotSignedIn:
        player = None
    return str(player.id) if player else client_network()


def known_browser_or_network() -> str:
    """The last person to sign in in this browser or, if nobody has, the network, as a key. So people are not held to
    the limits of others.

    All browsers of one player count as one; otherwise each sign-in would give an allowance of its own.
    """
    services = current_services()
    cookie = request.cookies.get(services.config.browser_cookie)
    known = known_browsers.last_player(services.config, services, cookie)
    return f"browser of {known}" if known else client_network()


def count_for_player(player_id: str) -> None:
    """Count the present request, a successful sign-in, for the player instead of the address, up to RIGHT_SIGN_INS."""
    if "counted" not in g:
        return
    counted: Counted = g.counted
    now, windows = current_services().now(), current_app.extensions[WINDOWS]
    if windows.add(("right", player_id), 1, MINUTE, now).counted <= RIGHT_SIGN_INS:
        window = windows.add((counted.limit, counted.key), -1, rate(counted.limit)[1], now)
        g.counted = counted._replace(window=window)


def count_anew(app: Flask) -> None:
    """Forget the counts of the callers of `app`."""
    app.extensions[WINDOWS] = Windows()


def add_header(response: Response) -> Response:
    """`response`, with the header `RateLimit: "name";r=59;t=60` (requests left, and seconds) and the header with the
    whole limit.
    """
    if "counted" in g:
        name, _, most, window = g.counted
        length = rate(name)[1]
        left = max(0, most - window.counted)
        seconds = max(1, math.ceil((window.ends_at - current_services().now()) / SECOND))
        if response.status_code == 429:  # a count in the database may refuse, too
            left, seconds = 0, int(response.headers.setdefault("Retry-After", str(seconds)))
        response.headers["RateLimit"] = f'"{name}";r={left};t={seconds}'
        response.headers["RateLimit-Policy"] = f'"{name}";q={most};w={length // SECOND}'
    return response


def _entries() -> int:
    """The number of entries that a request asks for; a request that was refused for its query counts as average."""
    entries = request.args.get("limit", "")
    if re.fullmatch("[0-9]{1,3}", entries):
        return min(max(1, int(entries)), MOST_ENTRIES)
    return USUAL_ENTRIES


def limited(
    usually: str, *, entries: bool = False, other: Callable[[], str | None] = lambda: None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that holds the callers of an endpoint to the limit `usually`, or to the limit that `other` names for
    the present request. It has to be right below the route.

    With `entries`, a request counts for the number of entries that it requests. Beyond the limit, the endpoint raises
    TooManyRequests.
    """

    def count() -> None:
        services = current_services()
        if services.config.rate_limits:
            name = other() or usually
            usual, length = rate(name)
            find_key = known_browser_or_network if name in PER_NETWORK else player_or_network
            cost, windows, key = (
                _entries() if entries else 1,
                current_app.extensions[WINDOWS],
                find_key(),
            )
            window = windows.add((name, key), cost, length, services.now())
            is_shared = name in PER_NETWORK and key == client_network()
            most = share(services.config.shared(usual) if is_shared else usual)
            g.counted = Counted(name, key, most, window)
            if window.counted > most:
                raise TooManyRequests

    return checked_by(count)
