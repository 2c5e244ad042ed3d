"""Handling a message from a mail server: a reply to one of our emails, or a returned email.

Any fault of the server itself leads to EX_TEMPFAIL, so that no message is lost: the mail server keeps it and tries
again. A message that takes too much processor time would do so again, so it is refused permanently.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from flask import Flask

from service.core.database.database import release_connection
from service.core.database.failures import cause_of
from service.core.runtime.log_files import failure
from service.core.words.words import LANGUAGES, phrases
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.reading.message import LONGEST, ReceivedMail, Refused
from service.notifications.incoming_mail.returned import bounces
from service.tables.services import Services

TRY_AGAIN = "Tegami cannot take this message now."
"""The text that the sender of a message reads if it could not be handled for too long; the log has the reason."""


MOST_WORK = 10.0
"""The most processor time (seconds) for a message; waiting for the database does not count."""


class Outcome(NamedTuple):
    """The outcome for a message."""

    code: int
    """The exit code (sysexits.h); 0 if the message was handled."""
    what: str
    """The text for the log, without addresses or anything else from the message."""
    told: tuple[str, ...] = ()
    """The text for the sender if the message comes back, in each language that the sender may have."""


def hand_over(
    app: Flask,
    data: bytes,
    sender: str | None,
    recipients: tuple[str, ...],
    most_work: float = MOST_WORK,
) -> Outcome:
    """Handle a message, and return the outcome; `sender` (empty for a bounce) and `recipients` are those of the
    envelope, if known.
    """
    try:
        with app.app_context(), _working(most_work):
            try:
                return _dealt_with(app.extensions["tegami"], data, sender, recipients)
            finally:
                release_connection()
    except Refused as refused:
        languages = [refused.language] if refused.language else LANGUAGES
        told = tuple(phrases(each).say(refused.why) for each in languages)
        return Outcome(refused.code, refused.why, told)
    except Exception as error:  # noqa: BLE001 - whatever it is, the message is kept and the log says what it was
        return not_now(error)


@contextmanager
def _working(seconds: float) -> Iterator[None]:
    """A block with a limit on processor time, if this is the main thread. Raises Refused."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Refused(os.EX_DATAERR, "answer.too-long")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def not_now(error: Exception) -> Outcome:
    """The outcome for a message while something is wrong with this server."""
    about = failure(error)
    what = f"{cause_of(error)} {about['at'][-1]}"
    what += f" game={about['game']}" if "game" in about else ""
    return Outcome(os.EX_TEMPFAIL, what, (TRY_AGAIN,))


def _dealt_with(
    services: Services, data: bytes, sender: str | None, recipients: tuple[str, ...]
) -> Outcome:
    """The outcome for a message that can be handled. Raises Refused."""
    if len(data) > LONGEST:
        raise Refused(os.EX_DATAERR, "answer.too-long")
    received = ReceivedMail(data, sender, recipients)
    if bounces.is_one(services.config, data, received.recipients):
        return Outcome(
            os.EX_OK, f"returned: {bounces.receive(services, data, received.recipients)}"
        )
    return Outcome(os.EX_OK, answers.receive(services, received))
