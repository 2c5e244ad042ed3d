"""Connections of clients: their time limits, their number, and which of them make room for others.

gunicorn's ASGI worker reads and writes without a thread for each client, and parses the input. But it waits forever for
the first request of a connection and for clients that do not take a response, and it accepts any number of connections.
So everything that a client can make us keep is limited here, in size and in time. If there are too many connections,
the one that has waited longest for its request makes room, so clients that send promptly are always served.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers.gasgi import ASGIWorker

from service.core.counts import prometheus
from service.core.settings.networks import network_of
from service.web.serving import refusals
from service.web.serving.refusals import Refusal

MOST_HEAD = 32 * 1024
"""The most bytes of the request line and the headers together; gunicorn limits each of them."""
MOST_IN_SYSTEM = 256 * 1024
"""The most bytes of a response that the operating system buffers; by default it would buffer megabytes."""
LOOK_EVERY = 0.25
"""The interval (seconds) between two looks for overdue connections."""
LINGER = 2.0
"""How long (seconds) a stopping process waits for requests in transit."""


class Bounds(NamedTuple):
    """The time limits of clients, and the limits on what is kept for them, in each process (docs/hosting.md)."""

    head_seconds: float = 20
    """The time from the first byte of a request, or from the connection, to the end of its headers."""
    body_seconds: float = 40
    """The time from the end of the headers to the end of the body."""
    answer_seconds: float = 60
    """The time in which a client has to take a response, plus a second for each `slowest` bytes of it."""
    slowest: int = 4096
    end_seconds: float = 2
    """The time until we close a connection that the client does not close."""
    of_network: int = 256
    """The most connections from one address; unlimited behind proxies, which would then be the clients."""
    unsent: int = 32 * 1024 * 1024
    """The most bytes of all responses that wait for their clients."""


present = contextvars.ContextVar["Connection"]("connection")
"""The connection of the present request."""


class Connection(ASGIProtocol):  # type: ignore[misc]  # gunicorn comes without types
    """gunicorn's protocol for a connection, which is in one of four states.

    It waits for a request (and may have part of its head); or the application answers a request; or a response waits
    until the client has taken it; or it `is_refused`: then nothing more is read, and the client should close the
    connection, too.
    """

    def __init__(self, worker: ASGIWorker, others: Connections) -> None:
        super().__init__(worker)
        self._others, self._bounds = others, others.bounds
        self._head = bytearray()
        """The received part of the next request's head."""
        self._has_head = False
        """Whether `_head` is the whole head."""
        self._taken_by: float | None = None
        """The time by which the client has to have taken the waiting response."""
        self.network = ""
        """The client's network; empty for local sockets."""
        self.due = self.since = 0.0
        """When the connection's wait for the next request ends, and when it began (seconds of the loop's clock)."""
        self.is_answered = False
        """Whether the application is handling a request of this connection."""
        self.is_refused = False
        self.has_more = False
        """Whether more input has come after the present request."""
        self.has_ended = False
        """Whether the client has ended its side."""
        self.wake: Callable[[], None] | None = None
        """A function to call when more input comes while the response is held for news."""
        self.patience: asyncio.Timeout | None = None
        """The time limit for the rest of the present request, while that is awaited."""

    # What the event loop calls

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to serve a new client. The tasks that gunicorn starts for it know this connection."""
        peer = transport.get_extra_info("peername")
        self.network = network_of(peer[0]) if isinstance(peer, tuple) else ""
        self._expect(self._bounds.head_seconds)
        context = contextvars.copy_context()
        context.run(present.set, self)
        context.run(super().connection_made, transport)
        self._others.add(self)

    def data_received(self, data: bytes) -> None:
        """Accept input, unless nothing more is read."""
        if self.is_answered:
            self.has_more = True
            self.answer_now()
        elif self.is_refused or not self._bears(data):
            return
        try:
            super().data_received(data)
        except ValueError:  # a number with thousands of digits
            self.refuse(refusals.BAD_REQUEST)

    def eof_received(self) -> bool:
        """Continue with the received input, if there is any; returns whether the connection stays open."""
        self.has_ended = True
        self.hurry(self._now() + LOOK_EVERY)
        return self.is_answered or (len(self._head) > 0 and not self.is_refused)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.has_ended = True
        self._others.remove(self)
        self.answer_now()
        super().connection_lost(exc)

    # What the application calls

    def begin(self) -> None:
        """Note that the application has got a request."""
        self.is_answered, self._has_head, self._taken_by = True, False, None
        self._head.clear()

    def end(self) -> None:
        """Note that the application has sent its response, so that the next request may come."""
        self.is_answered = self.has_more = False
        self._expect(LOOK_EVERY if self.has_ended else self.cfg.keepalive)

    def answer_now(self) -> None:
        """Stop holding the response, so that it is sent now."""
        if self.wake:
            self.wake()

    # For clients that take too long, or send too much

    def look(self) -> None:
        """Close the connection if it is overdue."""
        now, unsent = self._now(), self.unsent
        if unsent:
            patience = self._bounds.answer_seconds + unsent / self._bounds.slowest
            self._taken_by = self._taken_by or now + patience
            if now > self._taken_by:
                self.drop()
        elif not self.is_answered and now > self.due:
            if self._head and not self.is_refused and not self.has_ended:
                self.refuse(refusals.TIMEOUT)
            else:
                self.transport.close()

    @property
    def unsent(self) -> int:
        """The bytes of the response that the client has not taken."""
        return int(self.transport.get_write_buffer_size())

    def hurry(self, until: float) -> None:
        """Limit the wait for a request, or for the rest of one, to the time `until`, and stop holding responses."""
        self.due = min(self.due, until)
        if self.patience and not self.patience.expired():
            self.patience.reschedule(min(self.patience.when() or until, until))
        self.answer_now()

    def drop(self) -> None:
        """Close the connection at once, and drop the bytes that the client has not taken yet."""
        self._others.remove(self)
        if self.unsent:
            client, reset = self.transport.get_extra_info("socket"), struct.pack("ii", 1, 0)
            with suppress(OSError):  # the client has just gone
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        self.transport.abort()

    @property
    def makes_room(self) -> tuple[int, float] | None:
        """The rank of this connection for making room, where the lowest goes first; None if it does not make room."""
        if self.unsent:
            return 2, self._taken_by or self._now()
        if self.is_answered and not self.patience:
            return (1, self.since) if self.wake else None
        return 0, self.since

    def refuse(self, refusal: Refusal) -> None:
        """Send a last response, and wait a moment for the client to close.

        Closing at once could destroy the response on its way (RFC 9112, 9.6).
        """
        self.is_refused = True
        prometheus.request(prometheus.OTHER, prometheus.OTHER, refusal.status[:3])
        self.transport.write(refusal.answer())
        with suppress(OSError):  # the client has just gone, and the loop is about to report it
            self.transport.write_eof()
        self._expect(self._bounds.end_seconds)

    def _send_error_response(self, status: int, message: str, extra_headers: object = ()) -> None:
        """Replace gunicorn's refusal by our own words, without repeating the client's input."""
        if not self.is_refused:
            self.refuse(refusals.OF_GUNICORN.get(status, refusals.BAD_REQUEST))

    def _bears(self, data: bytes) -> bool:
        """Whether the head stays within its limit with this input. The time limit of the head does not restart with
        each byte.
        """
        if self._has_head:
            return True
        if not self._head:
            self._expect(self._bounds.head_seconds)
        searched = max(0, len(self._head) - 3)
        self._head += data
        end = self._head.find(b"\r\n\r\n", searched) + 4
        self._has_head = end >= 4
        self.has_more = self._has_head and end < len(self._head)
        if (end if self._has_head else len(self._head)) <= MOST_HEAD:
            return True
        line = self._head.find(b"\r\n", 2, self.cfg.limit_request_line + 4)
        self.refuse(refusals.HEADERS_TOO_LARGE if line >= 0 else refusals.URI_TOO_LONG)
        return False

    def _expect(self, seconds: float) -> None:
        self.since = self._now()
        self.due = self.since + seconds

    def _now(self) -> float:
        return float(self.worker.loop.time())


class Connections:
    """All connections of a web process."""

    def __init__(self, worker: ASGIWorker, bounds: Bounds) -> None:
        self.bounds, self._worker = bounds, worker
        self._open: dict[Connection, None] = {}
        self._of_network = Counter[str]()
        has_proxy = (os.environ.get("TRUSTED_PROXIES") or "0") != "0"
        self._most_of_network = worker.cfg.worker_connections if has_proxy else bounds.of_network
        self._is_looking = False
        self._stops_at: float | None = None

    def serve(self) -> None:
        """Make gunicorn, which has not begun to listen, use our connections."""
        loop = self._worker.loop
        create_server = loop.create_server

        connect = partial(Connection, self._worker, self)

        async def create(_protocol: object, **options: object) -> asyncio.Server:
            options["backlog"] = self._worker.cfg.backlog
            made: asyncio.Server = await create_server(connect, **options)
            return made

        for listener in self._worker.sockets:  # the connections inherit it; it is doubled
            listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_IN_SYSTEM // 2)
        loop.create_server = create

    def add(self, connection: Connection) -> None:
        """Accept a new connection, if necessary in place of another."""
        self._open[connection] = None
        self._of_network[connection.network] += 1
        if connection.network and self._of_network[connection.network] > self._most_of_network:
            self._make_room(each for each in self._open if each.network == connection.network)
        if len(self._open) >= self._worker.cfg.worker_connections:
            self._make_room(each for each in self._open if each is not connection)
        if not self._is_looking:
            self._is_looking = True
            self._look()

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended in any way; calling this twice does no harm."""
        if connection in self._open:
            del self._open[connection]
            self._of_network[connection.network] -= 1
            if not self._of_network[connection.network]:
                del self._of_network[connection.network]

    def _make_room(self, among: Iterable[Connection]) -> None:
        """Close the connection that has waited longest for its request or for news, or else that of the slowest
        reader.
        """
        ranks = ((each.makes_room, each) for each in among)
        found = min(
            ((rank, each) for rank, each in ranks if rank), key=lambda one: one[0], default=None
        )
        if found:
            found[1].drop()

    def _look(self) -> None:
        """Look at all connections, again and again while there are any. An error at one connection ends only
        that one.
        """
        loop = self._worker.loop
        prometheus.connections(len(self._open))
        if not self._worker.alive:
            self._stops_at = self._stops_at or loop.time() + LINGER
        for each in list(self._open):
            self._guarded(each, self._look_at)
        try:
            self._bound_unsent()
        finally:
            self._is_looking = bool(self._open)
            if self._is_looking:
                loop.call_later(LOOK_EVERY, self._look)

    def _look_at(self, connection: Connection) -> None:
        if self._stops_at is not None:
            connection.hurry(self._stops_at)
        connection.look()

    def _guarded(self, connection: Connection, what: Callable[[Connection], None]) -> None:
        """Call `what` with a connection. If that fails, forget the connection, and close it if that is still
        possible.
        """
        try:
            what(connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the loop logs it, and the others are not affected
            told = {"message": "A connection failed.", "exception": error}
            self._worker.loop.call_exception_handler(told)
            self.remove(connection)
            with suppress(Exception):
                connection.drop()

    def _bound_unsent(self) -> None:
        """Drop the responses that have waited longest while all of them use too much memory."""
        sizes = {each: each.unsent for each in self._open}
        total = sum(sizes.values())
        for each in sorted(filter(sizes.get, sizes), key=lambda one: one.makes_room or (0, 0.0)):
            if total <= self.bounds.unsent:
                break
            total -= sizes[each]
            self._guarded(each, Connection.drop)
