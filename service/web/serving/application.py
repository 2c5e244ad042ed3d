"""The ASGI application for gunicorn's worker: it runs the service in threads, which never wait for a client or for
news.

1. The body of a request is read, up to the allowed size, before the application is called.
2. An idle poll is answered here, if that takes no time (service/web/http/polls/idle_poll.py); everything else goes to
   the application in one of a few threads.
3. A response without news is held if its client prefers that, and the request is answered again later.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from wsgiref.types import WSGIApplication, WSGIEnvironment

from flask import Flask
from gunicorn.workers.gasgi import ASGIWorker

from service.core.counts import prometheus
from service.core.database.database import db
from service.core.database.schema import stop_writing
from service.core.readiness import key_checks, newer_release
from service.core.readiness.key_checks import notices_other_keys
from service.core.readiness.newer_release import beats_of, watch
from service.core.settings.environment import host_and_port
from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.http.caller.caller import SAFE_METHODS
from service.web.http.headers.request_ids import HEADER, id_of
from service.web.http.headers.unread import remove_unread
from service.web.http.polls.idle_poll import POLLS, IdlePolls
from service.web.http.polls.waiting import APPLIED, MAY_WAIT, WAIT, Wait
from service.web.http.routes import ROUTE
from service.web.serving.connections import LOOK_EVERY, Bounds, Connection, Connections, present
from service.web.serving.held_answers import HeldAnswers
from service.web.serving.metrics import Metrics
from service.web.serving.poll_batches import PollBatches
from service.web.serving.refusals import BAD_REQUEST, TIMEOUT
from service.web.serving.wsgi import Answer, Scope, answered, check_host, environ_of, path_of

THREADS = 5
"""The number of threads in which a process runs the application."""
WRITING = 4
"""The number of these threads that may handle requests that change something: if all of these wait for a lock, reading
continues.
"""
METRICS = "/metrics"
APART = ("/healthz", "/readyz", METRICS)
"""The paths that are handled in a thread of their own, because they are needed when all other threads wait for the
database.
"""
BOUNDS = "tegami.bounds"
"""The key under which an application may hold `Bounds` other than the usual ones."""

Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]


def serve(worker: ASGIWorker, end: Callable[[int], None]) -> None:
    """Have gunicorn's ASGI worker, which has loaded the Flask application, serve it within bounds.

    `end` ends all web processes with an exit code; it is called if the database belongs to a newer release, or to other
    keys.
    """
    app: Flask = worker.asgi
    threading.Thread(target=_until_the_end, args=(app, end), daemon=True).start()
    bounds: Bounds = app.extensions.get(BOUNDS) or Bounds()
    worker.asgi = Serving(app, bounds, worker.cfg.worker_connections // 2)
    Connections(worker, bounds).serve()


def _until_the_end(app: Flask, end: Callable[[int], None]) -> None:
    """Watch for a newer release and for other keys, until the process has to end.

    For a moment before the end, writes are refused, so that no connection is suddenly cut.
    """
    with app.app_context():
        engine = db.engine
    beats, pause = beats_of(app.extensions), threading.Event().wait

    def say_goodbye(code: int) -> None:
        stop_writing(engine)
        pause(beats.goodbye)
        end(code)

    def pause_until_look() -> bool:
        pause(beats.every)
        with app.app_context():
            has_to_end = notices_other_keys(app.extensions["tegami"].config)
        if has_to_end:
            say_goodbye(key_checks.EXIT_CODE)
        return has_to_end

    watch(engine, pause_until_look, partial(say_goodbye, newer_release.EXIT_CODE))


class Serving:
    """The ASGI application."""

    def __init__(self, app: Flask, bounds: Bounds, most_held: int) -> None:
        self._app, self._bounds = app, bounds
        self._polls: IdlePolls = app.extensions[POLLS]
        self._batches = PollBatches(self._polls)
        self._held = HeldAnswers(most_held)
        self._threads = ThreadPoolExecutor(THREADS, "requests")
        self._writing = asyncio.Semaphore(WRITING)
        self._apart = {path: ThreadPoolExecutor(1, path) for path in APART}
        metrics = host_and_port(os.environ.get("METRICS"))
        self._metrics_port = metrics[1] if metrics else None
        self._metrics = Metrics(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        connection = present.get()
        connection.begin()
        try:
            await self._answer(scope, receive, send, connection)
        finally:
            connection.end()

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, connection: Connection
    ) -> None:
        try:
            path_of(scope)
            check_host(scope)
        except ValueError:
            connection.refuse(BAD_REQUEST)
            return
        announced = _announced(scope)
        body = await self._read(announced, receive, connection)
        if body is None:
            connection.refuse(TIMEOUT)
            return
        if scope["server"] and scope["server"][1] == self._metrics_port:
            environ = environ_of(scope, body)
            answer = await self._in_thread(self._metrics, environ, self._apart[METRICS])
        else:
            answer = await self._of_application(scope, body, connection)
        is_whole = max(announced, len(body)) <= LARGEST_BODY
        await _send(send, answer, is_head=scope["method"] == "HEAD", is_last=not is_whole)
        if not is_whole:
            await self._drop_rest(receive)
            raise ConnectionAbortedError  # gunicorn ends the connection: the response was complete

    async def _read(self, announced: int, receive: Receive, connection: Connection) -> bytes | None:
        """The body of a request; None if it arrives too slowly.

        If the body is too large, only enough of it is read to show that (nothing if the headers already show it).
        """
        if not 0 < announced <= LARGEST_BODY:
            return b""
        seconds = LOOK_EVERY if connection.has_ended else self._bounds.body_seconds
        try:
            async with asyncio.timeout(seconds) as connection.patience:
                return await _received(receive)
        except TimeoutError:
            return None
        finally:
            connection.patience = None

    async def _drop_rest(self, receive: Receive) -> None:
        """Read for a moment longer: closing at once could destroy the response on its way (RFC 9112, 9.6)."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._bounds.end_seconds):
                while (await receive()).get("more_body"):
                    pass

    async def _of_application(self, scope: Scope, body: bytes, connection: Connection) -> Answer:
        """The application's response or, if it has no news, the client prefers to wait and there is room, its later
        response.
        """
        environ = _read_of(scope, body)
        environ[MAY_WAIT] = lambda who: not connection.has_more and self._held.has_room(who)
        answer = await self._ask(environ)
        wait: Wait | None = environ.get(WAIT)
        if wait and not await self._is_held(wait, connection):
            headers = [each for each in answer.headers if each[0] != APPLIED]
            answer = answer._replace(headers=headers)
        elif wait:
            environ = _read_of(scope, body)
            environ[MAY_WAIT] = lambda _: True
            answer = await self._ask(environ)
        route = environ.get(ROUTE, prometheus.OTHER)
        prometheus.request(route, scope["method"], str(answer.status))
        return answer

    async def _is_held(self, wait: Wait, connection: Connection) -> bool:
        """Hold a response; returns True if there was room, and False if somebody has just taken the last room, or the
        client has sent more or has ended.

        Either may have happened while the application ran, when nobody was waiting to be woken.
        """
        if connection.has_more or connection.has_ended:
            return False
        news = asyncio.Event()
        connection.wake = news.set
        try:
            return await self._held.hold(wait, news)
        finally:
            connection.wake = None

    async def _ask(self, environ: WSGIEnvironment) -> Answer:
        if self._polls.may_be(environ):
            told = await self._batches.unchanged(environ)
            if told is not None:
                return Answer(304, [*told, (HEADER, id_of(environ))])
        threads = self._apart.get(environ["PATH_INFO"], self._threads)
        async with nullcontext() if environ["REQUEST_METHOD"] in SAFE_METHODS else self._writing:
            return await self._in_thread(self._app, environ, threads)

    async def _in_thread(
        self, app: WSGIApplication, environ: WSGIEnvironment, threads: ThreadPoolExecutor
    ) -> Answer:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(threads, answered, app, environ)


def _read_of(scope: Scope, body: bytes) -> WSGIEnvironment:
    """The parts of a request that polls look at before the application does, as its environment."""
    environ = environ_of(scope, body)
    remove_unread(environ)
    return environ


async def _received(receive: Receive) -> bytes | None:
    """The body, or enough of it to show that it is too large; None if no more arrives."""
    body, more = bytearray(), True
    while more and len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message["body"]
        more = message["more_body"]
    return bytes(body)


def _announced(scope: Scope) -> int:
    """The length of the body according to the headers; 1 for a body in chunks."""
    headers = dict(scope["headers"])
    return 1 if b"transfer-encoding" in headers else int(headers.get(b"content-length", 0))


async def _send(send: Send, answer: Answer, *, is_head: bool, is_last: bool) -> None:
    headers = [(b"Server", b"gunicorn"), *((b"Connection", b"close"),) * is_last]
    headers += [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    body = b"" if is_head or answer.status in {204, 304} else answer.body
    await send({"type": "http.response.body", "body": body})
