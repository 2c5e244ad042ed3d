"""A POST to an address that somebody has entered: only to a checked address, without redirects, within a short time.

Only the status of the response is used, and no more of it is read than needed. Proxies in the environment are ignored.
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
"""The time limit (seconds) for an attempt, from resolving the name to the status of the response."""
ERRORS = ("name", "address", "timeout", "connection", "tls", "answer")
"""The reasons for a missing status: the name has no address, nothing is sent to the address, …, the response is not
HTTP.
"""


class PostOutcome(NamedTuple):
    """The outcome of a POST: the status of the response or, if there is none, the reason."""

    status: int | None = None
    error: str | None = None
    retry_after: int | None = None
    """The time (seconds) for which the receiver wants to be left alone; None if it says nothing of that."""
    cut: bool = False
    """Whether the request was sent but no response came."""

    @property
    def is_out_of_reach(self) -> bool:
        """Whether nothing was sent, so that the contents had no part in the failure."""
        return self.status is None and not self.cut

    @property
    def arrived(self) -> bool:
        """Whether the receiver has accepted the message."""
        return self.status is not None and 200 <= self.status < 300


class Request(NamedTuple):
    """A request to send."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    begin: Callable[[str], None] = lambda _address: None
    """A function that is called with the address that is about to be dialled.

    If it raises an error, nothing is sent.
    """


Post = Callable[[Request], PostOutcome]


class GuardedPost:
    """A sender of requests. `anywhere` allows http, any port and any network, for a server that is being developed."""

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
        """Send the request once; return the outcome. Raises only the errors of the request's `begin`."""
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
    """The reason why there is no response: a key of ERRORS."""
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
    """The number of seconds for which a receiver asks; None if it names no number, for example a date."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else None
