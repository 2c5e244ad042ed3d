"""A POST to an address that somebody has entered: to a vetted address alone, without redirects, within a short time.

Nothing of the answer but its status is used, and no more of it is read than that takes. No proxy of the environment
is asked.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from service.notifications.receivers import addresses
from service.notifications.receivers.addresses import Forbidden, Resolver, WebAddress

PATIENCE = 10.0
"""Seconds that an attempt may take from dialling to the status of the answer."""
ERRORS = ("name", "address", "timeout", "connection", "tls", "answer")
"""Why there is no status: the name has no address, an address that nothing is sent to, … or what came was not HTTP."""


class PostOutcome(NamedTuple):
    """What came of a POST: the status of the answer or, without one, why."""

    status: int | None = None
    error: str | None = None
    retry_after: int | None = None
    """For how many seconds the receiver wants to be left alone."""

    @property
    def arrived(self) -> bool:
        """Whether the receiver has taken it."""
        return self.status is not None and 200 <= self.status < 300


class Request(NamedTuple):
    """What is sent."""

    url: str
    headers: Mapping[str, str]
    body: bytes


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
        try:
            address = addresses.parse(request.url, anywhere=self._anywhere)
            dialled = addresses.vetted(address, self._resolver, anywhere=self._anywhere)
        except Forbidden:
            return PostOutcome(error="address")
        except (OSError, UnicodeError):
            return PostOutcome(error="name")
        until = time.monotonic() + self._patience
        try:
            plain = socket.create_connection((dialled, address.port), timeout=_left(until))
            with plain, _closed_at(plain, until):
                line: socket.socket = plain
                if address.scheme == "https":
                    line = self._context.wrap_socket(plain, server_hostname=address.host)
                with line:
                    return _post(line, address, request)
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, TimeoutError) or time.monotonic() >= until:
                return PostOutcome(error="timeout")
            if isinstance(error, ssl.SSLError):
                return PostOutcome(error="tls")
            return PostOutcome(error="connection" if isinstance(error, OSError) else "answer")


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())


@contextmanager
def _closed_at(line: socket.socket, until: float) -> Iterator[None]:
    """Meanwhile the line is cut when the time is over: a receiver that sends a byte now and then holds up nobody."""
    # TLS takes the first descriptor for itself
    descriptor = socket.socket(fileno=socket.dup(line.fileno()))

    def cut() -> None:
        with suppress(OSError):  # it has just ended by itself
            descriptor.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(_left(until), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        descriptor.close()


def _post(line: socket.socket, address: WebAddress, request: Request) -> PostOutcome:
    connection = http.client.HTTPConnection(address.host, address.port)
    connection.sock = line
    own = {"Host": address.authority, "Connection": "close", "User-Agent": "Tegami"}
    connection.request("POST", address.path, request.body, {**own, **request.headers})
    answer = connection.getresponse()
    return PostOutcome(answer.status, retry_after=_seconds(answer.headers.get("Retry-After")))


def _seconds(value: str | None) -> int | None:
    """What a receiver asks for in seconds; a date is not read."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else None
