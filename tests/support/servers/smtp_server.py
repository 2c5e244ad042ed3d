"""A real SMTP server on loopback, which accepts mails, refuses them, hangs up or takes its time, as a test says."""

# ruff: noqa: N802 - the hooks of aiosmtpd are named after the commands
from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, NamedTuple, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tests.support.servers.server import PATIENCE, ROOT, free_port, wait_until

TLS = ROOT / "tests/support/servers/tls"
"""A certificate for 127.0.0.2, and the certificate of the authority that signed it."""
HANG_UP = "hang up"
"""A stand-in for a reply: the connection is cut."""


class Mail(NamedTuple):
    """A mail that was accepted: its envelope, its bytes, and the client's port, which distinguishes connections."""

    sender: str
    to: list[str]
    raw: bytes
    client: int
    begun: float
    """The time of its MAIL command, on the monotonic clock."""

    @property
    def message(self) -> EmailMessage:
        """The mail as a reader's program shows it."""
        return message_from_bytes(self.raw, EmailMessage, policy=policy.default)

    @property
    def id(self) -> str:
        """The Message-ID."""
        return str(self.message["Message-ID"])

    def text(self, kind: str = "plain") -> str:
        """The part of this kind."""
        part = self.message.get_body((kind,))
        assert part is not None
        return str(part.get_content())


class MailServer:
    """Listens on 127.0.0.1, or on `host`.

    With `tls` it uses TLS: after `STARTTLS`, or as `smtps` from the first byte. Its commands are `EHLO`, `NOOP`,
    `MAIL`, `RCPT`, `DATA` (the text has arrived) and `TAKEN`: a mail has been accepted, but the client does not know
    yet.
    """

    def __init__(
        self, host: str = "127.0.0.1", users: dict[str, str] | None = None, tls: str = ""
    ) -> None:
        self.mails: list[Mail] = []
        self.commands: list[str] = []
        """The commands received."""
        self.reply: dict[str, list[str]] = {}
        """The next replies to a command, instead of success: `["450 busy", HANG_UP]`."""
        self.always: dict[str, str] = {}
        """The constant reply to a command; for RCPT, an address may be the key."""
        self.slow: dict[str, float] = {}
        """The seconds before a command is answered."""
        self.when: dict[str, Callable[[], Any]] = {}
        """A function to call the next time a command comes, before it is answered."""
        self.signed_in: list[str] = []
        self._users, self.tls = users, tls
        self._lock = threading.Lock()
        self.host, self.port = host, free_port()
        self._listening = False

    def _made(self) -> Controller:
        more: dict[str, Any] = {}
        if self._users is not None:
            more = {"authenticator": self._authenticate, "auth_require_tls": self.tls == "starttls"}
        if self.tls:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(TLS / "server.pem")
            at_once = self.tls == "smtps"
            more |= {"ssl_context" if at_once else "tls_context": context}
            more |= {"require_starttls": not at_once}
        return Controller(
            _Handler(self), self.host, self.port, ready_timeout=PATIENCE, ident="test", **more
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening."""
        if self._listening:
            self._listening = False
            self._controller.stop(no_assert=True)

    def start(self) -> None:
        """Listen, always on the same port."""
        self._controller = self._made()
        self._controller.start()
        self._listening = True

    @property
    def url(self) -> str:
        """The value for SMTP_URL."""
        return f"smtp://{self.host}:{self.port}"

    def to(self, address: str) -> list[Mail]:
        """The mails sent to this address."""
        return [mail for mail in self.mails if address in mail.to]

    def wait_for(self, number: int, patience: float = PATIENCE) -> list[Mail]:
        """The mails, once there are this many."""
        wait_until(lambda: len(self.mails) >= number, f"{number} mails", patience)
        return self.mails

    def _authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any
    ) -> AuthResult:
        user, password = data.login.decode(), data.password.decode()
        right = (self._users or {}).get(user) == password
        if right:
            self.signed_in.append(user)
        return AuthResult(success=right, handled=False)

    async def heard(self, command: str, address: str | None = None) -> str | None:
        """Note a command; returns the reply instead of success, if any."""
        with self._lock:
            self.commands.append(command)
            replies = self.reply.get(command) or []
            said = replies.pop(0) if replies else self.always.get(address or command)
        await asyncio.sleep(self.slow.get(command, 0))
        happens = self.when.pop(command, None)
        if happens:
            await asyncio.get_running_loop().run_in_executor(None, happens)
        return said or self.always.get(command)


class _Handler:
    """The hooks that aiosmtpd calls."""

    def __init__(self, ours: MailServer) -> None:
        self._ours = ours

    async def _said(self, server: SMTP, command: str, address: str | None = None) -> str | None:
        said = await self._ours.heard(command, address)
        if said == HANG_UP:
            server.transport.abort()
            return "421 gone"
        return said

    async def handle_EHLO(
        self, server: SMTP, session: Session, _envelope: Envelope, name: str, answers: list[str]
    ) -> list[str]:
        session.host_name = name
        said = await self._said(server, "EHLO")
        return [said] if said else answers

    async def handle_NOOP(self, server: SMTP, *_: Any) -> str:
        return await self._said(server, "NOOP") or "250 OK"

    async def handle_MAIL(
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        begun = time.monotonic()
        said = await self._said(server, "MAIL")
        if said is None:
            envelope.mail_from, envelope.begun = address, begun
            envelope.mail_options.extend(options)
        return said or "250 OK"

    async def handle_RCPT(
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        said = await self._said(server, "RCPT", address)
        if said is None:
            envelope.rcpt_tos.append(address)
        return said or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        said = await self._said(server, "DATA")
        if said:
            return said
        raw = envelope.original_content or b""
        about = (str(envelope.mail_from), list(envelope.rcpt_tos), raw)
        self._ours.mails.append(Mail(*about, session.peer[1], envelope.begun))
        return await self._said(server, "TAKEN") or "250 OK"
