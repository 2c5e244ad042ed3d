"""`tegami receive-mail`: the mail server hands over one message; what it says above its quote is said at the table.

Everything that went wrong with the server itself ends with EX_TEMPFAIL, so that no message is lost: the mail server
keeps it and tries again. What is written on stderr is what its sender reads in the message that comes back.
"""

from __future__ import annotations

import os
import sys
import syslog
from collections.abc import MutableMapping
from typing import Any

import click
import structlog

from service.core.database.failures import cause_of
from service.core.readiness.key_checks import refuse_other_keys
from service.core.runtime.log_files import failure
from service.core.settings.config import Config
from service.core.settings.environment import WrongSettings
from service.core.words.words import LANGUAGES, phrases
from service.notifications.incoming_mail import answers
from service.notifications.incoming_mail.reading.message import LONGEST, ReceivedMail, Refused
from service.web.app import create_app
from service.web.http.caller.context import current_services


@click.command("receive-mail")
@click.option("--to", "recipients", multiple=True, help="The recipient, from the envelope.")
@click.option("--sender", help="The sender, from the envelope; empty for a bounce.")
def receive_mail(recipients: tuple[str, ...], sender: str | None) -> None:
    """Read one message from stdin, and say at the table what is answered to a turn mail."""
    data = sys.stdin.buffer.read(LONGEST + 1)
    try:
        code, outcome = _received(data, sender, recipients)
    except Refused as refused:
        code, outcome = refused.code, refused.why
        languages = [refused.language] if refused.language else LANGUAGES
        click.echo("\n".join(phrases(each).say(refused.why) for each in languages), err=True)
    except Exception as error:  # noqa: BLE001 - whatever it is, the message is kept and the log says what it was
        about = failure(error)
        code, outcome = os.EX_TEMPFAIL, f"{cause_of(error)} {about['at'][-1]}"
        outcome += f" game={about['game']}" if "game" in about else ""
        click.echo("Tegami cannot take this message now.", err=True)
    _to_syslog(f"{outcome} exit={code}")
    sys.exit(code)


def _received(data: bytes, sender: str | None, recipients: tuple[str, ...]) -> tuple[int, str]:
    """The exit code, and what became of the message. Raises Refused."""
    config = Config.from_environment()
    if config.incoming_mail is None:
        raise WrongSettings("INCOMING_MAIL is not set")
    if len(data) > LONGEST:
        raise Refused(os.EX_DATAERR, "answer.too-long")
    app = create_app(config)
    with app.app_context():
        refuse_other_keys(config)  # with another key no address would be right: the message is kept
    no_output = structlog.ReturnLoggerFactory()
    structlog.configure(processors=[_only_to_syslog], logger_factory=no_output)
    with app.app_context():
        outcome = answers.receive(current_services(), ReceivedMail(data, sender, recipients))
    return os.EX_OK, outcome


def _only_to_syslog(_logger: object, _name: str, event: MutableMapping[str, Any]) -> str:
    """Lines of other parts: stderr is for the sender of the message."""
    _to_syslog(f"{event.get('event')} {event.get('cause', '')}")
    raise structlog.DropEvent


def _to_syslog(told: str) -> None:
    syslog.openlog("tegami", facility=syslog.LOG_MAIL)
    syslog.syslog(f"receive-mail {told}")
