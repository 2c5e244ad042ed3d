"""`tegami receive-mail`: accepts one message from the mail server, or with `--lmtp` any number of them.

The sender of a single message reads what is written to stderr when the message comes back.
"""

from __future__ import annotations

import sys
import syslog
from collections.abc import MutableMapping
from typing import Any

import click
import structlog

from service.core.readiness.key_checks import refuse_other_keys
from service.core.settings.config import Config
from service.core.settings.environment import WrongSettings
from service.notifications.incoming_mail.reading.message import LONGEST
from service.operations.receiving.handing_over import Outcome, hand_over, not_now
from service.operations.worker.loop import stop_on_signals
from service.web.app import create_app, own_app


@click.command("receive-mail")
@click.option("--to", "recipients", multiple=True, help="The recipient, from the envelope.")
@click.option("--sender", help="The sender, from the envelope; empty for a bounce.")
@click.option("--lmtp", is_flag=True, help="Take messages at INCOMING_LMTP until it is stopped.")
def receive_mail(recipients: tuple[str, ...], sender: str | None, lmtp: bool) -> None:
    """Read one message from stdin: play or say an answer to a turn mail, or note a returned mail."""
    if lmtp:
        sys.exit(_listen())
    data = sys.stdin.buffer.read(LONGEST + 1)
    outcome = _received(data, sender, recipients)
    if outcome.told:
        click.echo("\n".join(outcome.told), err=True)
    _to_syslog(f"{outcome.what} exit={outcome.code}")
    sys.exit(outcome.code)


def _received(data: bytes, sender: str | None, recipients: tuple[str, ...]) -> Outcome:
    """The outcome for this message; EX_TEMPFAIL if the settings or the keys are wrong."""
    try:
        config = Config.from_environment()
        if config.incoming_mail is None:
            raise WrongSettings("INCOMING_MAIL is not set")
        app = create_app(config)
        with app.app_context():
            refuse_other_keys(config)  # with another key, no address would be right
    except Exception as error:  # noqa: BLE001 - whatever it is, the message is kept and the log says what it was
        return not_now(error)
    no_output = structlog.ReturnLoggerFactory()
    structlog.configure(processors=[_only_to_syslog], logger_factory=no_output)
    return hand_over(app, data, sender, recipients)


def _listen() -> int:
    """Accept messages by LMTP; returns the exit code. Raises ClickException."""
    from service.operations.receiving import lmtp  # it loads aiosmtpd, only needed here

    app = own_app(wait=True)
    config = app.extensions["tegami"].config
    if config.incoming_mail is None or config.incoming_lmtp is None:
        raise click.ClickException("INCOMING_MAIL and INCOMING_LMTP have to be set.")
    lmtp.say_nothing_of_others()
    try:
        return lmtp.receive(app, config.incoming_lmtp, stop_on_signals())
    except lmtp.CannotListen as error:
        raise click.ClickException(f"INCOMING_LMTP: {error}.") from None


def _only_to_syslog(_logger: object, _name: str, event: MutableMapping[str, Any]) -> str:
    """A processor that keeps log lines of other parts off stderr, which is for the sender of the message. Raises
    DropEvent.
    """
    _to_syslog(f"{event.get('event')} {event.get('cause', '')}")
    raise structlog.DropEvent


def _to_syslog(told: str) -> None:
    syslog.openlog("tegami", facility=syslog.LOG_MAIL)
    syslog.syslog(f"receive-mail {told}")
