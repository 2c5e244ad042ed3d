"""The SMTP transport: one connection for a batch of emails, closed as soon as something goes wrong with it."""

from __future__ import annotations

import contextlib
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from service.core.settings.config import LOOPBACK
from service.notifications.mail_sending.transport import (
    PermanentFailure,
    StillWanted,
    TemporaryFailure,
    parse_reply,
)
from service.notifications.mail_texts.message import Message
from service.notifications.time_limits import cut_at, within

TIMEOUT = 20.0
"""The time (seconds) that a mail server may take to respond to each command."""
TIME_LIMIT = 40.0
"""The time (seconds) that everything before the text of an email may take, and again the text: less than a claim
lasts.
"""
READY, OK, GOODBYE = 220, 250, 421


@dataclass(frozen=True)
class SmtpServer:
    """The address of a mail server, and the credentials for it."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: bool
    """Whether TLS begins with the first byte. Otherwise it begins with STARTTLS, except on this machine."""

    @classmethod
    def parse(cls, url: str) -> SmtpServer:
        """The server in `smtp://user:password@host:587` or `smtps://…`; user and password may be percent-encoded.

        Raises ValueError if the address is malformed.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
            raise ValueError("SMTP_URL has to be smtp://user:password@host:port, or smtps://…")
        tls = parts.scheme == "smtps"
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(parts.hostname, parts.port or (465 if tls else 587), user, password, tls)

    def connect(
        self, name: str, timeout: float = TIMEOUT, time_limit: float = TIME_LIMIT
    ) -> smtplib.SMTP:
        """A connection, signed in; `name` is ours in the greeting. A connection to another machine is always encrypted.

        Raises OSError and SMTPException if the server cannot be reached or refuses.
        """
        until, context = time.monotonic() + time_limit, ssl.create_default_context()
        where, patience = (self.host, self.port), min(timeout, time_limit)
        line = within(lambda: socket.create_connection(where, patience), until)
        with contextlib.ExitStack() as on_failure:
            on_failure.callback(line.close)
            with cut_at(until, line):
                smtp = _Conversation(name, timeout)
                on_failure.callback(smtp.close)
                smtp.begin(line, self.host, context if self.tls else None)
                if not self.tls and self.host not in LOOPBACK:
                    smtp.starttls(context=context)
                smtp.ehlo_or_helo_if_needed()
                if self.user:
                    smtp.login(self.user, self.password)
            on_failure.pop_all()
        return smtp


class _Conversation(smtplib.SMTP):
    """SMTP over a connection that somebody else has opened, and can cut from the first byte on."""

    def __init__(self, name: str, timeout: float) -> None:
        super().__init__(local_hostname=name, timeout=timeout)

    def begin(self, line: socket.socket, host: str, context: ssl.SSLContext | None) -> None:
        """Read the greeting of `host`; with a `context`, everything is TLS.

        Raises OSError and SMTPException if the server cannot be reached or refuses.
        """
        self._host = host  # STARTTLS compares it with the certificate
        self.sock = context.wrap_socket(line, server_hostname=host) if context else line
        code, said = self.getreply()
        if code != READY:
            raise smtplib.SMTPConnectError(code, said)


class SmtpTransport:
    """A transport that sends through an SMTP server, as `sender`."""

    def __init__(
        self,
        server: SmtpServer,
        sender: str,
        timeout: float = TIMEOUT,
        time_limit: float = TIME_LIMIT,
    ) -> None:
        self._server, self._sender = server, sender
        self._timeout, self._time_limit = timeout, time_limit
        self._smtp: smtplib.SMTP | None = None

    def connect(self) -> None:
        """Connect, unless the last connection still responds. Raises TemporaryFailure if that fails."""
        if self._smtp is None or not self._answers(self._smtp.noop):
            self._close()
            name = self._sender.rpartition("@")[2]
            with _as_temporary_failures():
                self._smtp = self._server.connect(name, self._timeout, self._time_limit)

    def send(self, message: Message, still_wanted: StillWanted) -> bool:
        """Send a message in one SMTP transaction; return False if, at the last moment, it is not `still_wanted`.

        Raises TemporaryFailure if it was not accepted now, and PermanentFailure if there is no such mailbox.
        """
        if self._smtp is None:
            self.connect()
        smtp = self._smtp
        assert smtp is not None
        try:
            with _as_temporary_failures():
                return self._transaction(smtp, message, still_wanted)
        except (TemporaryFailure, PermanentFailure) as failure:
            # After a plain refusal the connection serves the next email; after anything else it is closed.
            code = failure.reply.code if failure.reply else GOODBYE
            if code < 400 or code == GOODBYE or not self._answers(smtp.rset):
                self._close()
            raise
        except BaseException:
            self._close()
            raise

    def disconnect(self) -> None:
        """End the connection."""
        if self._smtp is not None:
            self._answers(self._smtp.quit)
        self._close()

    def _transaction(self, smtp: smtplib.SMTP, message: Message, still_wanted: StillWanted) -> bool:
        """Send a message; return False if it is no longer wanted. The last check comes after RCPT, before the text."""
        with self._limited(self._time_limit):
            expect_ok(*smtp.mail(message.returns_to or self._sender), "MAIL")
            expect_ok(*smtp.rcpt(message.to), "RCPT")
        if not still_wanted():
            if not self._answers(smtp.rset):
                self._close()
            return False
        try:
            with self._limited(self._time_limit):
                expect_ok(*smtp.data(message.raw), "DATA")
        except smtplib.SMTPDataError as refused:
            expect_ok(refused.smtp_code, refused.smtp_error, "DATA")
        return True

    def _close(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
        self._smtp = None

    def _answers(self, command: Callable[[], tuple[int, bytes]]) -> bool:
        """Whether the server accepts this command, as soon as it has to accept any."""
        try:
            with self._limited(min(self._timeout, self._time_limit)):
                return command()[0] == OK
        except (OSError, smtplib.SMTPException):
            return False

    @contextlib.contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """A block in which the connection is cut after this number of seconds.

        Raises SMTPServerDisconnected if it was cut.
        """
        line = self._smtp.sock if self._smtp else None
        if line is None:
            raise smtplib.SMTPServerDisconnected
        with cut_at(time.monotonic() + seconds, line):
            yield


def expect_ok(code: int, text: bytes | str, command: str) -> None:
    """Raise TemporaryFailure or PermanentFailure unless the server accepts this email for this address."""
    if code // 10 == OK // 10:
        return
    reply = parse_reply(code, text, command)
    raise PermanentFailure(reply) if reply.says_no_mailbox else TemporaryFailure(reply)


@contextlib.contextmanager
def _as_temporary_failures() -> Iterator[None]:
    """A block in which every error of the server or the network becomes a TemporaryFailure."""
    try:
        yield
    except smtplib.SMTPResponseException as error:
        raise TemporaryFailure(parse_reply(error.smtp_code, error.smtp_error, "sign-in")) from None
    except (OSError, smtplib.SMTPException):
        raise TemporaryFailure from None
