"""Mail servers on other machines: without a certificate that holds, nothing is said to them.

127.0.0.2 and 127.0.0.3 stand for other machines: they are no names of this one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.service.server import PATIENCE, ROOT
from tests.service.smtp import TLS, MailServer

USERS = {"me": "password"}
SEND = """
import sys
from email.message import EmailMessage
from service.post import Later
from service.smtp import SmtpPost, SmtpServer
message = EmailMessage()
message["To"] = "bob@example.org"
message.set_content("Hello")
post = SmtpPost(SmtpServer.parse(sys.argv[1]), "tegami@example.org", timeout=5)
try:
    post.ready()
    post.send(message, lambda: True)
except Later:
    sys.exit("later")
"""
"""A program of its own, since the trusted authorities are named by its environment."""


def send(server: MailServer, *, sign_in: str = "me:password@", trusted: bool = True) -> bool:
    """Send a mail; whether that was possible. `trusted`: the authority of the tests is."""
    scheme = "smtps" if server.tls == "smtps" else "smtp"
    command = [sys.executable, "-c", SEND, f"{scheme}://{sign_in}{server.host}:{server.port}"]
    more = {"SSL_CERT_FILE": str(TLS / "authority.pem")} if trusted else {}
    said: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, **more}, "text": True}
    done = subprocess.run(command, check=False, timeout=PATIENCE, capture_output=True, **said)
    assert done.stderr in {"", "later\n"}
    return done.returncode == 0


@pytest.mark.parametrize("tls", ["starttls", "smtps"])
def test_an_authority_of_ones_own_is_trusted_by_setting(tls: str) -> None:
    with MailServer("127.0.0.2", USERS, tls) as server:
        assert send(server)
        assert server.signed_in == ["me"]
        assert len(server.mails) == 1


@pytest.mark.parametrize(
    ("tls", "sign_in", "host", "trusted"),
    [
        ("starttls", "me:password@", "127.0.0.2", False),
        ("starttls", "me:password@", "127.0.0.3", True),
        ("starttls", "", "127.0.0.2", False),
        ("smtps", "me:password@", "127.0.0.2", False),
        ("smtps", "me:password@", "127.0.0.3", True),
    ],
)
def test_a_certificate_that_does_not_hold_ends_it(
    tls: str, sign_in: str, host: str, trusted: bool
) -> None:
    """By an authority that nobody knows, or for another machine."""
    with MailServer(host, USERS, tls) as server:
        assert not send(server, sign_in=sign_in, trusted=trusted)
        assert server.signed_in == [] and server.mails == []
        assert set(server.commands) <= {"EHLO"}


def test_who_wants_tls_takes_no_less() -> None:
    """The offer of STARTTLS is missing, as when somebody in between has struck it out."""
    with MailServer("127.0.0.2", USERS) as server:
        assert not send(server)
        assert server.commands == ["EHLO"] and server.signed_in == []
