"""A worker of gunicorn whose threads never wait for a client.

gunicorn's gthread worker reads requests and writes answers in its few threads, so a handful of clients that send or
read byte by byte stop a whole process. Here the main loop does both without blocking: a thread gets a request when it
is complete, and hands back an answer when it is complete; a slow client costs a connection and some memory. The gevent
worker would do the same, but there SQLite and argon2 hold up everybody, for they do not yield. An idle poll that comes
again needs no thread: the main loop asks for the revision, and gives the answer of before (repeated_polls.py).

All that a client can make us keep is bounded, in size and in time. Where there are too many connections, the one that
has waited longest for its request makes room, so those who send theirs promptly are always answered.
"""

from __future__ import annotations

import errno
import itertools
import os
import selectors
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from gunicorn import http
from gunicorn.errors import ConfigError
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from service.core.counts import prometheus
from service.core.counts.prometheus import OTHER
from service.core.settings.environment import host_and_port
from service.web.http.polls.idle_poll import GAME, UNCHANGED, Unchanged
from service.web.http.polls.waiting import MAY_WAIT, WAIT, Subject
from service.web.http.routes import ROUTE
from service.web.serving.connection import Answer, Connection, Counted, Stage
from service.web.serving.held_answers import HeldAnswers
from service.web.serving.incoming import HeadTooLong, LineTooLong, Malformed, Received
from service.web.serving.metrics import Metrics
from service.web.serving.refusals import BAD_REQUEST, HEADERS_TOO_LARGE, TIMEOUT, URI_TOO_LONG
from service.web.serving.repeated_polls import Repeat, Repeats


class Bounds(NamedTuple):
    """How long a client may take, and how much of it we keep, in each process (docs/hosting.md)."""

    head_seconds: float = 20
    """From the first byte of a request, or from the connection, to the end of its headers."""
    body_seconds: float = 40
    """From there to the end of its body."""
    answer_seconds: float = 60
    """To take an answer, and a second more for each `slowest` bytes."""
    slowest: int = 4096
    end_seconds: float = 2
    """Until we close a connection that the client does not close."""
    of_network: int = 256
    """Connections of one address; unlimited if proxies stand in front, for then they are the clients."""
    unsent: int = 32 * 1024 * 1024
    """Bytes of all answers that wait for their clients."""


MOST_IN_SYSTEM = 256 * 1024
"""Bytes of an answer that the operating system takes off our hands; on its own it would take megabytes."""
AT_ONCE = 64 * 1024
"""Bytes that are read from a connection before others have their turn."""
LOOK_EVERY = 0.25
"""Seconds between two looks at who is overdue."""

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_POLL = Counted(GAME, "GET", "304")
"""What an answer is counted as that is given again."""


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn comes without types
    """Reads and writes in the main loop, and calls the application in threads."""

    bounds = Bounds()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._polled: dict[Connection, None] = {}
        """Those that no thread has, in the order in which they began to wait for a request or for their end."""
        self._of_network: Counter[str] = Counter()
        self._next_look = 0.0
        self._repeats = Repeats()
        self._held = HeldAnswers(self.worker_connections // 2, self._on_versions)
        has_proxy = (os.environ.get("TRUSTED_PROXIES") or "0") != "0"
        self._most_of_network = self.worker_connections if has_proxy else self.bounds.of_network

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Raises ConfigError for TLS: its handshake would be waited for."""
        super().check_config(cfg, log)
        if cfg.is_ssl:
            raise ConfigError("HTTPS needs a proxy in front; see docs/hosting.md.")

    def init_process(self) -> None:
        """Prepare the listeners, whose connections inherit what is set; then run."""
        for listener in self.sockets:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_IN_SYSTEM // 2)  # doubled
        super().init_process()

    # Connections begin and end

    def accept(self, listener: socket.socket) -> None:
        """Begin to listen to a new client, if need be in place of another."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in {errno.EMFILE, errno.ENFILE}:
                self._make_room(lambda _: True)
            elif error.errno not in {errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED}:
                raise
            return
        connection = Connection(self.cfg, sock, client, listener.getsockname())
        self.nr_conns += 1
        self._of_network[connection.network] += 1
        self._wait(connection, Stage.IDLE, self.bounds.head_seconds)
        if connection.network and self._of_network[connection.network] > self._most_of_network:
            self._make_room(lambda other: other.network == connection.network)
        if self.nr_conns >= self.worker_connections:
            self._make_room(lambda other: other is not connection)

    def _make_room(self, may_go: Callable[[Connection], bool]) -> None:
        """End the connection that has waited longest for its request, or else the one that takes its answer longest."""
        others = [each for each in self._polled if may_go(each)]
        waiting = (each for each in others if each.stage.is_waiting_for_request)
        held = (each for each in others if each.stage is Stage.HELD)
        sending = (each for each in others if each.stage is Stage.SENDING)
        connection = next(itertools.chain(waiting, held, sending), None)
        if connection:
            self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        self._stop_polling(connection)
        self._held.remove(connection)
        self.nr_conns -= 1
        self._of_network[connection.network] -= 1
        if not self._of_network[connection.network]:
            del self._of_network[connection.network]
        connection.socket.close()

    def _end(self, connection: Connection, answer: bytes = b"") -> None:
        """Send this last answer if there is one, and end the connection when the client has it (RFC 9112, 9.6)."""
        connection.answer.data += answer
        if answer:
            prometheus.request(OTHER, OTHER, _status(answer))
        connection.goes_on = False
        connection.send_some()
        self._after_answer(connection)

    # Waiting

    def _wait(self, connection: Connection, stage: Stage, seconds: float) -> None:
        """Wait at most so long for what the stage says."""
        begins = connection not in self._polled
        if begins or (connection.stage is Stage.SENDING) != (stage is Stage.SENDING):
            self._stop_polling(connection)
            self._polled[connection] = None
            write = stage is Stage.SENDING
            events = selectors.EVENT_WRITE if write else selectors.EVENT_READ
            act = self._on_writable if write else self._on_readable
            self.poller.register(connection.socket, events, partial(act, connection))
        connection.stage = stage
        connection.due = time.monotonic() + seconds

    def _stop_polling(self, connection: Connection) -> None:
        if connection in self._polled:
            del self._polled[connection]
            self.poller.unregister(connection.socket)

    def murder_keepalived(self, force: bool = False) -> None:
        """End the connections that are overdue; all of them if forced."""
        now = time.monotonic()
        if now < self._next_look and not force:
            return
        self._next_look = now + LOOK_EVERY
        prometheus.connections(self.nr_conns)
        for connection in [each for each in self._polled if force or each.due < now]:
            if connection.stage in {Stage.HEAD, Stage.BODY}:
                self._end(connection, TIMEOUT)
            elif connection.stage is Stage.HELD and not force:
                self._answer_anew(connection)
            else:
                self._drop(connection)

    def _cap_keepalive(self, deadline: float) -> None:
        """When the worker stops, requests that have not come get until `deadline`."""
        for connection in self._polled:
            if connection.stage.is_waiting_for_request:
                connection.due = min(connection.due, deadline)
            elif connection.stage is Stage.HELD:
                connection.due = 0

    # Requests come

    def _on_readable(self, connection: Connection, _socket: object) -> None:
        if connection not in self._polled:
            return  # it ended in this same turn of the loop
        data = connection.receive(AT_ONCE)
        if data == b"":
            self._drop(connection)
        elif data and connection.stage is not Stage.ENDING:  # what comes then is not read
            connection.incoming.add(data)
            if connection.stage is Stage.HELD:  # whoever asks for something else has waited enough
                self._answer_anew(connection)
            else:
                self._go_on(connection)

    def _go_on(self, connection: Connection) -> None:
        """Have the next request answered if it is complete, or else wait for the rest of it."""
        try:
            request = connection.incoming.take()
        except Malformed:
            self._end(connection, BAD_REQUEST)
        except LineTooLong:
            self._end(connection, URI_TOO_LONG)
        except HeadTooLong:
            self._end(connection, HEADERS_TOO_LARGE)
        else:
            if request:
                self._answer(connection, request)
            else:
                self._wait_for_rest(connection)

    def _wait_for_rest(self, connection: Connection) -> None:
        """Wait for the next part of a request; each part has its time, and a byte does not prolong it."""
        head, is_polled = connection.incoming.head, connection in self._polled
        if head:
            stage, seconds = Stage.BODY, self.bounds.body_seconds
        elif connection.incoming.is_empty:
            stage, seconds = Stage.IDLE, self.cfg.keepalive if self.alive else STOP_KEEPALIVE_LINGER
        else:
            stage, seconds = Stage.HEAD, self.bounds.head_seconds
        if is_polled and connection.stage is stage:
            return
        self._wait(connection, stage, seconds)
        if head and head.expects_continue:
            self._tell_to_continue(connection)

    def _tell_to_continue(self, connection: Connection) -> None:
        try:
            connection.socket.send(_CONTINUE)
        except OSError:
            self._drop(connection)

    def _answer(self, connection: Connection, request: Received) -> None:
        """Answer a request: at once if that takes no time, or else in a thread."""
        connection.has_waited = False
        connection.request, repeat = request, self._repeats.get(request.data)
        if repeat and self._may_repeat(connection):
            if not repeat.unchanged.at_once:
                connection.repeat = repeat
            elif repeat.unchanged.holds():
                self._repeat(connection, repeat)
                return
        self._hand_over(connection)

    def _may_repeat(self, connection: Connection) -> bool:
        """Whether the connection goes on after the answer, and nothing else has come on it."""
        return bool(self.alive) and connection.incoming.is_empty

    def _repeat(self, connection: Connection, repeat: Repeat) -> None:
        """Give the answer of before, in the main loop."""
        connection.answer.data += repeat.answer()
        prometheus.request(*_POLL)
        connection.goes_on = True
        connection.send_some()
        if connection in self._polled and not connection.answer.data:
            del self._polled[connection]  # it begins to wait anew, and stays registered
            self._polled[connection] = None
            connection.stage = Stage.IDLE
            connection.due = time.monotonic() + self.cfg.keepalive
        else:
            self._after_answer(connection)

    def _hand_over(self, connection: Connection) -> None:
        """Give a request to a thread."""
        self._stop_polling(connection)
        connection.stage = Stage.HANDLED
        connection.answer.counted = None
        self.enqueue_req(connection)

    # Answers are held until there are news

    def _holds(self, connection: Connection) -> bool:
        """Hold an answer that says nothing new, if the client prefers that and there is room."""
        wait = connection.answer.wait
        held = wait is not None and self._may_hold(connection) and self._held.add(connection, wait)
        if held and wait is not None:
            self._wait(connection, Stage.HELD, wait.seconds)
        return held

    def _may_hold(self, connection: Connection) -> bool:
        """Whether it was not held before, and nothing else has come on the connection."""
        return connection.may_be_held and self._may_repeat(connection)

    def _answer_anew(self, connection: Connection) -> None:
        """Answer a request whose answer was held: there are news, or it has waited long enough."""
        self._held.remove(connection)
        connection.has_waited = True
        connection.answer.data.clear()
        self._hand_over(connection)

    def _on_versions(self, versions: Mapping[Subject, int]) -> None:
        """In the thread that asks the database: let the main loop answer those for whom there are news."""
        self.method_queue.defer(self._answer_news, versions)

    def _answer_news(self, versions: Mapping[Subject, int]) -> None:
        for connection in self._held.with_news(versions):
            self._answer_anew(connection)

    # Answers go: the next functions run in threads

    def handle(self, connection: Connection) -> bool:
        """Answer a request; returns whether another one may follow."""
        repeat, connection.repeat, connection.answer.wait = connection.repeat, None, None
        if repeat and repeat.unchanged.holds():
            connection.answer.data += repeat.answer()
            connection.answer.counted, goes_on = _POLL, True
        else:
            goes_on = self._handle_anew(connection)
        if not connection.may_be_held:
            _count(connection.answer)
            connection.send_some()
        return goes_on

    def _handle_anew(self, connection: Connection) -> bool:
        """The request's parser reads what was received, never the socket."""
        request, answer = connection.request, connection.answer
        answer.unchanged, answer.wait, answer.may_wait = None, None, self._held.has_room
        connection.parser = http.get_parser(self.cfg, [request.data], connection.client)
        answer.counted = Counted(OTHER, OTHER, "")
        goes_on = bool(super().handle(connection))
        if answer.counted:
            answer.counted = answer.counted._replace(status=_status(answer.data))
        unchanged: Unchanged | None = connection.answer.unchanged  # the application has said it
        if unchanged and goes_on:
            self._repeats.keep(request.data, bytes(answer.data), unchanged)
        return goes_on

    def handle_request(self, request: Any, connection: Connection) -> bool:
        """Call the application; the connection of a request that is not whole ends with the answer."""
        if not connection.request.whole:
            request.force_close()
        return bool(super().handle_request(request, connection))

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what the parser refuses; in our own words what is too long."""
        if isinstance(exc, LimitRequestLine):
            client.sendall(URI_TOO_LONG)
        elif isinstance(exc, LimitRequestHeaders):
            client.sendall(HEADERS_TOO_LARGE)
        else:
            super().handle_error(req, client, addr, exc)

    def load_wsgi(self) -> None:
        """Load the application, and hear what it says of its answers."""
        super().load_wsgi()
        metrics = host_and_port(os.environ.get("METRICS"))
        beside = (metrics[1], Metrics(self.app.wsgi())) if metrics else None
        self.wsgi: WSGIApplication = _heard(self.wsgi, beside)

    def finish_request(self, connection: Connection, future: Future[bool]) -> None:
        """In the main loop again, when a thread has made the answer."""
        connection.goes_on = not future.cancelled() and not future.exception() and future.result()
        if not self._holds(connection):
            if connection.may_be_held:  # others have taken the room meanwhile, or more has come
                connection.answer.deny_wait()
            _count(connection.answer)
            connection.send_some()
            self._after_answer(connection)

    def _after_answer(self, connection: Connection) -> None:
        """Wait until the client has taken the answer, or else for its next request."""
        unsent = len(connection.answer.data)
        if connection.has_failed:
            self._drop(connection)
        elif unsent:
            seconds = self.bounds.answer_seconds + unsent / self.bounds.slowest
            self._wait(connection, Stage.SENDING, seconds)
            self._bound_unsent()
        elif connection.goes_on:
            self._go_on(connection)
        else:
            self._say_end(connection)

    def _say_end(self, connection: Connection) -> None:
        """End our side, and wait a moment for the client's: closing at once could destroy the answer on its way."""
        try:
            connection.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(connection)
        else:
            self._wait(connection, Stage.ENDING, self.bounds.end_seconds)

    def _bound_unsent(self) -> None:
        """Drop the answers that have waited longest while all of them take too much memory."""
        sending = [each for each in self._polled if each.stage is Stage.SENDING]
        total = sum(len(each.answer.data) for each in sending)
        while total > self.bounds.unsent:
            longest = sending.pop(0)
            total -= len(longest.answer.data)
            self._drop(longest)

    def _on_writable(self, connection: Connection, _socket: object) -> None:
        if connection not in self._polled:
            return
        connection.send_some()
        if connection.has_failed or not connection.answer.data:
            self._after_answer(connection)


def _heard(app: WSGIApplication, beside: tuple[int, Metrics] | None) -> WSGIApplication:
    """`app`; what it says of an answer is handed to the connection's `Answer`.

    `beside` answers in its place at the port that it names. That is the listener's: nothing that a client sends leads
    from one to the other.
    """

    def hear(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answer: Answer = environ["gunicorn.socket"]
        if beside and answer.port == beside[0]:
            answer.counted = None
            return beside[1](environ, start_response)
        environ[MAY_WAIT] = answer.may_wait
        found = app(environ, start_response)
        answer.unchanged, answer.wait = environ.get(UNCHANGED), environ.get(WAIT)
        answer.counted = Counted(environ.get(ROUTE, OTHER), environ["REQUEST_METHOD"], "")
        return found

    return hear


def _status(answer: bytes | bytearray) -> str:
    """The digits behind `HTTP/1.1 `."""
    return bytes(answer[9:12]).decode()


def _count(answer: Answer) -> None:
    """Count an answer, once, before its client can know it."""
    counted, answer.counted = answer.counted, None
    if counted and counted.status:
        prometheus.request(*counted)
