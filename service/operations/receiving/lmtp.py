"""Mail by LMTP (RFC 2033): a process accepts the messages of a mail server, one after the other.

aiosmtpd talks to the mail server in a thread. Messages are handled in the main thread, so that each has the database to
itself and hostile text delays only the next message. LMTP replies for each recipient separately: the mail server keeps
a message that could not be accepted, and tries again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import NamedTuple

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session
from flask import Flask

from service.core.runtime.log_files import failure
from service.notifications.incoming_mail.reading.message import LONGEST
from service.operations.receiving.handing_over import Outcome, hand_over
from service.operations.worker.ending import Ending
from service.operations.worker.loop import beside

MOST_CONNECTIONS = 20
"""The most connections at a time; Postfix opens no more."""
MOST_RECIPIENTS = 50
"""The most recipients of a message."""
PATIENCE = 60.0
"""How long (seconds) a mail server may take for each command, and for a whole message."""
STARTING = 10.0
"""How long (seconds) it may take until the process listens for connections."""
_NULL_SENDER = "<>"

_REPLIES = {
    os.EX_OK: "250 2.0.0",
    os.EX_DATAERR: "554 5.6.0",
    os.EX_NOUSER: "550 5.1.1",
    os.EX_NOPERM: "550 5.7.1",
    os.EX_TEMPFAIL: "451 4.3.0",
}
"""The beginnings of replies, by exit code."""

_log = structlog.get_logger("tegami.receive")


class Message(NamedTuple):
    """A message for one recipient, with a place for its outcome."""

    data: bytes
    sender: str
    recipient: str
    outcome: Future[Outcome]


class CannotListen(Exception):
    """The address is in use, or does not belong to this machine; the text is the system's message."""


def receive(app: Flask, at: tuple[str, int], stop: threading.Event) -> int:
    """Accept messages at this address and port until `stop` is set; returns the exit code. Raises CannotListen."""
    messages = queue.SimpleQueue[Message | None]()
    ending = Ending(app, stop)
    if ending.is_due():
        return ending.code
    with (
        beside(stop, "updates", ending.watch),
        beside(stop, "end", partial(_wake, stop, messages)),
        Listener(at, messages),
    ):
        _log.info("receiving", port=at[1])
        while (message := messages.get()) is not None and not stop.is_set():
            if message.outcome.set_running_or_notify_cancel():  # after hanging up, it tries again
                message.outcome.set_result(_dealt_with(app, message))
    return ending.code


def _wake(stop: threading.Event, messages: queue.SimpleQueue[Message | None]) -> None:
    """Wake the thread that waits for a message once `stop` is set."""
    stop.wait()
    messages.put(None)


def _dealt_with(app: Flask, message: Message) -> Outcome:
    outcome = hand_over(app, message.data, message.sender, (message.recipient,))
    tell = _log.warning if outcome.code == os.EX_TEMPFAIL else _log.info
    tell("received", outcome=outcome.what, code=outcome.code)
    return outcome


class Listener:
    """A thread that listens, talks to mail servers and queues their messages."""

    def __init__(self, at: tuple[str, int], messages: queue.SimpleQueue[Message | None]) -> None:
        self._at, self._handler = at, _Handler(messages)
        self._loop = asyncio.new_event_loop()
        self._ready = Future[None]()
        self._begun = set[_Conversation]()
        self._thread = threading.Thread(target=self._run, name="lmtp", daemon=True)

    def __enter__(self) -> Listener:
        self._thread.start()
        try:
            self._ready.result(STARTING)
        except OSError as error:
            self._thread.join()
            raise CannotListen(error.strerror or str(error)) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        host, port = self._at
        try:
            server = self._loop.run_until_complete(self._loop.create_server(self._made, host, port))
        except OSError as error:
            self._loop.close()
            self._ready.set_exception(error)
            return
        self._ready.set_result(None)
        self._loop.run_forever()
        server.close()
        for each in list(self._begun):
            each.cut()
        self._loop.run_until_complete(_ended(self._loop))
        self._loop.close()

    def _made(self) -> asyncio.BaseProtocol:
        if len(self._begun) >= MOST_CONNECTIONS:
            return _Busy()
        made = _Conversation(self._handler, self._loop, self._begun.discard)
        self._begun.add(made)
        return made


async def _ended(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until all conversations that have begun are over."""
    tasks = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class _Busy(asyncio.Protocol):
    """A protocol that tells a client that there are too many connections."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the reply that there are too many connections, and hang up."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(b"421 4.3.2 too many connections\r\n")
        transport.close()


class _Conversation(LMTP):
    """One connection to a mail server. Its replies are those of LMTP: after the text, one for each recipient (RFC 2033,
    4.2).
    """

    line_length_limit = LONGEST

    def __init__(
        self,
        handler: _Handler,
        loop: asyncio.AbstractEventLoop,
        ended: Callable[[_Conversation], None],
    ) -> None:
        super().__init__(
            handler,
            loop=loop,
            hostname="localhost",
            ident="Tegami",
            enable_SMTPUTF8=True,
            data_size_limit=LONGEST,
            timeout=PATIENCE,
        )
        self._has_ended, self._answers = ended, 0

    def connection_lost(self, error: Exception | None) -> None:
        """Note that the connection has ended."""
        self._has_ended(self)
        super().connection_lost(error)

    def cut(self) -> None:
        """End the conversation at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - as aiosmtpd names it
        """Accept the text. If aiosmtpd itself replies that the text is too long, this reply is sent for each
        recipient.
        """
        self._answers = len(self.envelope.rcpt_tos) if self.envelope else 0
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 0

    async def push(self, status: str | bytes) -> None:
        """Send a reply."""
        text = status.decode() if isinstance(status, bytes) else status
        if self._answers > 1 and text[0] in "45" and "\r\n" not in text:
            text = "\r\n".join([text] * self._answers)
        await super().push(text)


class _Handler:
    """The reactions to each command that aiosmtpd receives."""

    def __init__(self, messages: queue.SimpleQueue[Message | None]) -> None:
        self._messages = messages

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd names it
        self,
        _server: object,
        _session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        """Accept a recipient; whether it is one of ours is said only after the text, with the reason. Returns the
        reply.
        """
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 - as aiosmtpd names it
        self, _server: object, _session: Session, envelope: Envelope
    ) -> str:
        """Queue the message, and wait until it has been handled. Returns the replies."""
        sender, data = envelope.mail_from or "", envelope.original_content or b""
        sender = "" if sender == _NULL_SENDER else sender
        replies = list[str]()
        for recipient in envelope.rcpt_tos:
            message = Message(data, sender, recipient, Future())
            self._messages.put(message)
            replies.append(reply_of(await asyncio.wrap_future(message.outcome)))
        return "\r\n".join(replies)

    async def handle_exception(self, error: Exception) -> str:
        """Log an error between two commands, without the contents of the conversation; returns the reply."""
        _log.error("receiving", **failure(error))
        return "451 4.3.0 error"


def reply_of(outcome: Outcome) -> str:
    """The reply for one recipient, with a line for each language that may be the sender's."""
    begun = _REPLIES.get(outcome.code, _REPLIES[os.EX_TEMPFAIL])
    code, status = begun.split()
    *before, last = outcome.told or ("OK",)
    lines = [f"{code}-{status} {_line(each)}" for each in before]
    return "\r\n".join([*lines, f"{code} {status} {_line(last)}"])


def _line(told: str) -> str:
    """A text on a single line."""
    return " ".join(told.split())


def say_nothing_of_others() -> None:
    """Keep aiosmtpd from logging what mail servers send."""
    logging.getLogger("mail").disabled = True
    logging.getLogger("mail.log").disabled = True
