"""`tegami receive-mail --lmtp` in a thread of a test, and a mail server that sends messages to it."""

from __future__ import annotations

import smtplib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from flask import Flask

from service.operations.receiving import lmtp
from tests.support.servers.server import PATIENCE, free_port, wait_until


@contextmanager
def listening(app: Flask) -> Iterator[int]:
    """The port at which messages are accepted during the block."""
    port, stop, codes = free_port(), threading.Event(), list[int]()
    at = ("127.0.0.1", port)
    thread = threading.Thread(target=lambda: codes.append(lmtp.receive(app, at, stop)))
    thread.start()
    try:
        wait_until(lambda: answers(port), "it listens")
        yield port
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert codes == [0]


def answers(port: int) -> bool:
    """Whether somebody listens at this port."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            return True
    except OSError:
        return False


@contextmanager
def speaking(port: int) -> Iterator[smtplib.LMTP]:
    """An LMTP connection as a mail server uses it, after the greeting."""
    with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE) as server:
        server.ehlo()
        yield server


def sent(
    server: smtplib.LMTP, sender: str, recipients: Sequence[str], data: bytes
) -> list[tuple[int, bytes]]:
    """The replies to a message, one for each recipient, as (code, text)."""
    server.mail(sender)
    for recipient in recipients:
        server.rcpt(recipient)
    server.putcmd("data")
    assert server.getreply()[0] == 354
    quoted = b"\r\n".join(b"." + line if line[:1] == b"." else line for line in data.splitlines())
    server.send(quoted + b"\r\n.\r\n")
    return [server.getreply() for _ in recipients]
