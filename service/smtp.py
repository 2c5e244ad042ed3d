"""The post by SMTP. One connection is kept for a batch of mails; it is given up when something goes wrong with it."""

from __future__ import annotations

import contextlib
import smtplib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from service.config import LOOPBACK
from service.post import Later, Refused, Still

TIMEOUT = 20.0
"""Seconds that a mail server may take to answer each command."""
OK, GOODBYE = 250, 421
OF_OUR_SIGN_IN = {503, 530, 534, 535, 538}
"""5xx that are not about the address: the next try may succeed once the settings are right."""


@dataclass(frozen=True)
class SmtpServer:
    """Where a mail server is, and how to speak with it."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: bool
    """From the first byte; else STARTTLS, if the server has it, except on this machine."""

    @classmethod
    def parse(cls, url: str) -> SmtpServer:
        """`smtp://user:password@host:587` or `smtps://…`; special characters of user and password percent-encoded.

        Raises ValueError.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
            raise ValueError("SMTP_URL has to be smtp://user:password@host:port, or smtps://…")
        tls = parts.scheme == "smtps"
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(parts.hostname, parts.port or (465 if tls else 587), user, password, tls)

    def connect(self, name: str, timeout: float) -> smtplib.SMTP:
        """A connection, signed in; `name` is what we call ourselves. A password never travels in the clear.

        Raises OSError and SMTPException.
        """
        context = ssl.create_default_context()
        with contextlib.ExitStack() as if_it_fails:
            if self.tls:
                at = (self.host, self.port, name)
                smtp: smtplib.SMTP = smtplib.SMTP_SSL(*at, timeout=timeout, context=context)
            else:
                smtp = smtplib.SMTP(self.host, self.port, name, timeout=timeout)
            if_it_fails.callback(smtp.close)
            self._introduce(smtp, context)
            if_it_fails.pop_all()
        return smtp

    def _introduce(self, smtp: smtplib.SMTP, context: ssl.SSLContext) -> None:
        smtp.ehlo_or_helo_if_needed()
        private = self.tls or self.host in LOOPBACK
        if not private and (self.user or smtp.has_extn("starttls")):
            smtp.starttls(context=context)
            smtp.ehlo_or_helo_if_needed()
        if self.user:
            smtp.login(self.user, self.password)


class SmtpPost:
    """Sends by an SMTP server, as `sender`."""

    def __init__(self, server: SmtpServer, sender: str, timeout: float = TIMEOUT) -> None:
        self._server, self._sender, self._timeout = server, sender, timeout
        self._smtp: smtplib.SMTP | None = None

    def ready(self) -> None:
        """Connect, unless the last connection still answers. Raises Later."""
        if self._smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                if self._smtp.noop()[0] == OK:
                    return
        self._connection(anew=True)

    def send(self, message: EmailMessage, still: Still) -> bool:
        """One SMTP transaction. Raises Later and Refused."""
        smtp = self._connection()
        try:
            with _troubles():
                return self._transaction(smtp, message, still)
        except (Later, Refused) as trouble:
            self._recover(trouble.code)
            raise
        except BaseException:
            self._hang_up()
            raise

    def rest(self) -> None:
        """End the connection."""
        if self._smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
        self._hang_up()

    def _transaction(self, smtp: smtplib.SMTP, message: EmailMessage, still: Still) -> bool:
        """MAIL and RCPT, then the last look: whatever was answered before MAIL is seen by it."""
        code, _ = smtp.mail(self._sender)
        if code != OK:
            raise Later(code)
        expect_ok(smtp.rcpt(str(message["To"]))[0])
        if not still():
            smtp.rset()
            return False
        try:
            expect_ok(smtp.data(message.as_bytes())[0])
        except smtplib.SMTPDataError as refused:
            expect_ok(refused.smtp_code)
        return True

    def _connection(self, *, anew: bool = False) -> smtplib.SMTP:
        if anew or self._smtp is None:
            self._hang_up()
            with _troubles():
                self._smtp = self._server.connect(self._sender.rpartition("@")[2], self._timeout)
        return self._smtp

    def _recover(self, code: int | None) -> None:
        """After a plain no the connection serves the next mail; after anything else it is given up."""
        if code is not None and code >= 400 and code != GOODBYE and self._smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                if self._smtp.rset()[0] == OK:
                    return
        self._hang_up()

    def _hang_up(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
        self._smtp = None


def expect_ok(code: int) -> None:
    """Whether the server takes this mail for this address. Raises Later and Refused."""
    if code // 10 == OK // 10:
        return
    if code >= 500 and code not in OF_OUR_SIGN_IN:
        raise Refused(code)
    raise Later(code)


@contextlib.contextmanager
def _troubles() -> Iterator[None]:
    """Raises Later for whatever the server or the network does."""
    try:
        yield
    except smtplib.SMTPResponseException as error:
        raise Later(error.smtp_code) from None
    except (OSError, smtplib.SMTPException):
        raise Later from None
