"""Mail servers on other machines: without a valid certificate nothing is sent to them.

127.0.0.2 and 127.0.0.3 stand for other machines: they are not among this machine's names.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.support.servers.server import PATIENCE, ROOT
from tests.support.servers.smtp_server import TLS, MailServer

USERS = {"me": "password"}
SEND = """
import sys
from service.notifications.mail_sending.transport import TemporaryFailure
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_texts.message import Message
message = Message("bob@example.org", "<one@example.org>", b"To: bob@example.org\\r\\n\\r\\nHello\\r\\n")
post = SmtpTransport(SmtpServer.parse(sys.argv[1]), "tegami@example.org", timeout=60)
try:
    post.connect()
    post.send(message, lambda: True)
except TemporaryFailure:
    sys.exit("later")
"""
"""A separate program, because its environment names the trusted authorities."""


def send(server: MailServer, *, sign_in: str = "me:password@", trusted: bool = True) -> bool:
    """Send a mail; returns whether that was possible. `trusted`: the authority of the tests is trusted."""
    scheme = "smtps" if server.tls == "smtps" else "smtp"
    command = [sys.executable, "-c", SEND, f"{scheme}://{sign_in}{server.host}:{server.port}"]
    more = {"SSL_CERT_FILE": str(TLS / "authority.pem")} if trusted else {}
    said: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, **more}, "text": True}
    done = subprocess.run(command, check=False, timeout=2 * PATIENCE, capture_output=True, **said)
    assert done.stderr in {"", "later\n"}
    return done.returncode == 0


@pytest.mark.parametrize("tls", ["starttls", "smtps"])
def test_an_own_authority_can_be_trusted(tls: str) -> None:
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
def test_an_invalid_certificate_ends_the_connection(
    tls: str, sign_in: str, host: str, trusted: bool
) -> None:
    """It is from an unknown authority, or for another machine."""
    with MailServer(host, USERS, tls) as server:
        assert not send(server, sign_in=sign_in, trusted=trusted)
        assert server.signed_in == [] and server.mails == []
        assert set(server.commands) <= {"EHLO"}


@pytest.mark.parametrize("sign_in", ["me:password@", ""])
def test_a_missing_offer_of_starttls_ends_the_connection(sign_in: str) -> None:
    """Somebody in between may have removed it: the links in mails need protection too."""
    with MailServer("127.0.0.2", USERS) as server:
        assert not send(server, sign_in=sign_in)
        assert server.commands == ["EHLO"] and server.signed_in == []
