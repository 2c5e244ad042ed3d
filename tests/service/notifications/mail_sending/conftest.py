"""A sender, the real SMTP server to which it sends, and due mails."""

from __future__ import annotations

import pytest

from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from tests.support import sending
from tests.support.cast import CARAVAN
from tests.support.mail_kinds import KINDS, write, write_question
from tests.support.servers.server import PATIENCE
from tests.support.servers.smtp_server import MailServer


@pytest.fixture
def server():
    with MailServer() as server:
        yield server


@pytest.fixture
def transport(server, request):
    """The transport to the server, which has this number of seconds for each response."""
    patience = getattr(request, "param", PATIENCE)
    made = SmtpTransport(SmtpServer.parse(server.url), "tegami@example.org", timeout=patience)
    yield made
    made.disconnect()


@pytest.fixture
def sender(app, transport):
    return Sender(app.extensions["tegami"], transport, KINDS)


@pytest.fixture
def deliver(app, sender):
    """Send everything that is due; returns the number of mails."""

    def send_all():
        with app.app_context():
            return sending.send_all(sender)

    return send_all


@pytest.fixture
def put(app, runtime):
    return lambda key, kind="plain", **more: write(app, runtime, key, kind, **more)


@pytest.fixture
def turn(app, runtime, cast):
    """A turn mail to alice, who is asked something in a game; returns the game as she sees it."""
    game_id = cast.start(CARAVAN)
    write_question(app, runtime, cast.alice, game_id)
    return cast.alice.game(game_id)
