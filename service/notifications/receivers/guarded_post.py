"""A POST to an address that somebody has entered: to a vetted address alone, without redirects, within a short time.

Nothing of the answer but its status is used, and no more of it is read than that takes. No proxy of the environment
is asked.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from service.notifications.receivers import addresses
from service.notifications.receivers.addresses import Forbidden, Resolver, WebAddress
from service.notifications.time_limits import cut_at, seconds_left, within

PATIENCE = 10.0
"""Seconds that an attempt may take from looking up the name to the status of the answer."""
ERRORS = ("name", "address", "timeout", "connection", "tls", "answer")
"""Why there is no status: the name has no address, an address that nothing is sent to, … or what came was not HTTP."""


class PostOutcome(NamedTuple):
    """What came of a POST: the status of the answer or, without one, why."""

    status: int | None = None
    error: str | None = None
    retry_after: int | None = None
    """For how many seconds the receiver wants to be left alone."""
    cut: bool = False
    """Whether it was sent, and no answer came."""

    @property
    def is_out_of_reach(self) -> bool:
        """Whether nothing was sent: what it says had no part in that."""
        return self.status is None and not self.cut

    @property
    def arrived(self) -> bool:
        """Whether the receiver has taken it."""
        return self.status is not None and 200 <= self.status < 300


class Request(NamedTuple):
    """What is sent."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    begin: Callable[[str], None] = lambda _address: None
    """Called with the address that is about to be dialled; what it raises is raised, and nothing is sent."""


Post = Callable[[Request], PostOutcome]


class GuardedPost:
    """Sends; `anywhere`: also by http, to any port and into any network, as on a server that is being developed."""

    def __init__(
        self,
        *,
        anywhere: bool = False,
        resolver: Resolver = addresses.resolve,
        context: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._anywhere, self._resolver, self._patience = anywhere, resolver, patience
        self._context = context or ssl.create_default_context()

    def __call__(self, request: Request) -> PostOutcome:
        """Send it once."""
        until = time.monotonic() + self._patience
        try:
            address = addresses.parse(request.url, anywhere=self._anywhere)
            look_up = partial(addresses.vetted, address, self._resolver, anywhere=self._anywhere)
            dialled = within(look_up, until)
        except Forbidden:
            return PostOutcome(error="address")
        except TimeoutError:
            return PostOutcome(error="timeout")
        except (OSError, UnicodeError):
            return PostOutcome(error="name")
        request.begin(dialled)
        return self._dial(dialled, address, request, until)

    def _dial(
        self, dialled: str, address: WebAddress, request: Request, until: float
    ) -> PostOutcome:
        sent = False
        try:
            plain = socket.create_connection((dialled, address.port), timeout=seconds_left(until))
            with plain, cut_at(until, plain):
                line: socket.socket = plain
                if address.scheme == "https":
                    line = self._context.wrap_socket(plain, server_hostname=address.host)
                with line:
                    connection = _send(line, address, request)
                    sent = True
                    return _outcome(connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            return PostOutcome(error=_why(error, until), cut=sent)


def _why(error: Exception, until: float) -> str:
    """Why there is no answer: a key of ERRORS."""
    if isinstance(error, TimeoutError) or time.monotonic() >= until:
        return "timeout"
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "connection" if isinstance(error, OSError) else "answer"


def _send(line: socket.socket, address: WebAddress, request: Request) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = line
    own = {"Host": address.authority, "Connection": "close", "User-Agent": "Tegami"}
    connection.request("POST", address.path, request.body, {**own, **request.headers})
    return connection


def _outcome(answer: http.client.HTTPResponse) -> PostOutcome:
    return PostOutcome(answer.status, retry_after=_seconds(answer.headers.get("Retry-After")))


def _seconds(value: str | None) -> int | None:
    """What a receiver asks for in seconds; a date is not read."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else None
