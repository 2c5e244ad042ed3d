"""Mail servers that send a letter now and then: nobody waits longer than allowed, whatever the command."""

from __future__ import annotations

import socket
import threading

import pytest

from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_sending.transport import TemporaryFailure
from service.notifications.mail_texts.message import Message
from tests.support.servers.server import PATIENCE

LIMIT = 1.0
PAUSE, LETTERS = 0.05, 400
"""The seconds between two letters, and the number of letters unless somebody cuts the line."""
MESSAGE = Message("bob@example.org", "<one@example.org>", b"To: bob@example.org\r\n\r\nHello\r\n")


class Dripping:
    """A mail server that responds until it reaches a stage, where a line never ends. It has one conversation."""

    def __init__(self, host, stage):
        self.stage, self.was_cut = stage, False
        self.socket = socket.create_server((host, 0))
        self.host, self.port = self.socket.getsockname()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.thread.join(PATIENCE)
        self.socket.close()

    def run(self):
        line, _ = self.socket.accept()
        with line, line.makefile("rb") as heard:
            try:
                self.talk(line, heard)
            except OSError:
                self.was_cut = True

    def talk(self, line, heard):
        if self.stage == "greeting":
            return self.drip(line, b"2")
        line.sendall(b"220 here\r\n")
        for command in heard:
            name = command[:4].decode().upper()
            if name == self.stage:
                return self.drip(line, b"2")
            if name == "STAR":
                line.sendall(b"220 go on\r\n")
                return self.drip(line, b"\x16\x03\x03\x40\x00" + bytes(LETTERS))
            said = b"250-here\r\n250 STARTTLS\r\n" if name == "EHLO" else b"250 yes\r\n"
            line.sendall(b"354 go on\r\n" if name == "DATA" else said)
            if name == "DATA":
                while heard.readline() not in {b".\r\n", b""}:
                    pass
                line.sendall(b"250 yes\r\n")
        return None

    def drip(self, line, letters):
        gone = threading.Event()
        for n in range(LETTERS):
            line.sendall(letters[n % len(letters)].to_bytes())
            gone.wait(PAUSE)


def transport(server):
    made = SmtpServer.parse(f"smtp://{server.host}:{server.port}")
    return SmtpTransport(made, "tegami@example.org", timeout=PATIENCE, time_limit=LIMIT)


@pytest.mark.parametrize(
    ("host", "stage"),
    [("127.0.0.1", "greeting"), ("127.0.0.1", "EHLO"), ("127.0.0.2", "handshake")],
)
def test_a_server_that_never_ends_its_welcome(host, stage):
    with Dripping(host, stage) as server:
        post = transport(server)
        with pytest.raises(TemporaryFailure):
            post.connect()
    assert server.was_cut


@pytest.mark.of_service
@pytest.mark.parametrize("stage", ["NOOP", "QUIT", "RSET"])
def test_a_server_that_never_ends_what_it_says_between_mails(stage):
    with Dripping("127.0.0.1", stage) as server:
        post = transport(server)
        post.connect()
        assert post.send(MESSAGE, lambda: stage != "RSET") is (stage != "RSET")
        if stage == "NOOP":
            with pytest.raises(TemporaryFailure):
                post.connect()  # anew, where nobody listens to a second one
        post.disconnect()
    assert server.was_cut
