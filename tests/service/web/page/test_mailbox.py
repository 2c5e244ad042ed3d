"""Without a mail server, mails are stored and shown: only on the same machine."""

from __future__ import annotations

import re
import stat
from dataclasses import replace

import pytest

from service.core.words.words import phrases
from service.notifications.mail_sending.sender import Sender, transport_of
from service.notifications.mail_sending.transport import MOST_KEPT, MailboxFolder
from service.notifications.mail_texts.message import Mail, compose
from service.notifications.mail_texts.templating import render_mail
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import START, sqlite_only
from tests.support.mail_kinds import KINDS, outcomes, write
from tests.support.sending import send_all
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only


@pytest.fixture
def mailbox(config):
    made = MailboxFolder(config.mailbox_dir)
    made.connect()
    return made


@pytest.fixture
def keep(config, mailbox):
    """Put a mail with this key into the mailbox."""

    def put(key, mail):
        assert mailbox.send(compose(config, START, key, mail), lambda: True)

    return put


@pytest.fixture
def visit(config, runtime):
    """A client of a server with other settings."""
    apps = []

    def visitor(**settings):
        app = create_app(replace(config, **settings), runtime)
        app.test_client_class = CheckedClient
        apps.append(app)
        return app.test_client()

    yield visitor
    for app in apps:
        disconnect(app)


MAIL = render_mail(
    *("short", phrases("en"), "bob@example.org", "Is <this> you?"),
    paragraphs=["Hello, <b>Bob</b>"],
)


def test_an_empty_mailbox_says_so(client):
    assert "There are no emails yet." in client.get("/mailbox").text


def test_sent_mails_are_shown(app, client, runtime):
    write(app, runtime, "one", data={"say": "A first mail"})
    services = app.extensions["tegami"]
    with app.app_context():
        send_all(Sender(services, transport_of(services.config), KINDS))
    assert outcomes(app) == {"one": "sent"}
    page = client.get("/mailbox").text
    assert "one@example.org" in page
    (mail_id,) = re.findall(r'href="(/mailbox/[0-9a-f]{32})"', page)
    assert "A first mail" in client.get(mail_id).text
    assert "A first mail" in client.get(f"{mail_id}/html").text


def test_an_outdated_mail_is_not_kept(config, mailbox):
    assert not mailbox.send(compose(config, START, "one", MAIL), lambda: False)
    assert mailbox.mails() == {}


def test_a_repeated_mail_is_kept_once(mailbox, keep):
    for _ in range(2):
        keep("one", MAIL)
    keep("two", MAIL)
    assert len(mailbox.mails()) == 2


def test_the_newest_are_kept(mailbox, keep):
    for number in range(MOST_KEPT + 3):
        keep(str(number), Mail("bob@example.org", f"n {number}", "Hi", "<p>Hi</p>"))
    kept = [mail["Subject"] for mail in mailbox.mails().values()]
    assert kept == [f"n {number}" for number in range(MOST_KEPT + 2, 2, -1)]


def test_only_the_service_may_read_the_folder(config, mailbox):
    assert stat.S_IMODE(config.mailbox_dir.stat().st_mode) == 0o700


def test_a_mail_may_have_styles_but_nothing_active(client, mailbox, keep):
    keep("one", MAIL)
    (name,) = mailbox.mails()
    answer = client.get(f"/mailbox/{name}/html")
    assert "<h1 style=" in answer.text
    policies = answer.headers.getlist("Content-Security-Policy")
    assert policies == [
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    ]
    shown = client.get(f"/mailbox/{name}")
    assert "Is &lt;this&gt; you?" in shown.text and "&lt;b&gt;Bob&lt;/b&gt;" in shown.text
    assert "unsafe" not in shown.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "settings",
    [
        {"public_url": "https://localhost"},
        {"public_url": "https://tegami.example"},
        {"public_url": "http://tegami.example"},
        {"public_url": "http://192.0.2.7:8000"},
        {"smtp_url": "smtp://mail.example"},
        {"host": "0.0.0.0"},
        {"host": "::"},
        {"trusted_proxies": 1},
    ],
    ids=str,
)
def test_public_servers_have_no_mailbox(visit, mailbox, keep, settings):
    keep("one", MAIL)
    (name,) = mailbox.mails()
    visitor = visit(**settings)
    for path in ("/mailbox", f"/mailbox/{name}", f"/mailbox/{name}/html"):
        assert visitor.get(path).status_code == 404


def test_other_host_names_see_nothing(client, mailbox, keep):
    """Such as a proxy in front, or a foreign site whose name resolves to this machine."""
    keep("one", MAIL)
    for host in ("tegami.example", "192.0.2.7:8000", "localhost.evil.example"):
        assert client.get("/mailbox", base_url=f"http://{host}").status_code == 404


@pytest.mark.parametrize("listening", ["0.0.0.0", "192.0.2.7", "::"])
def test_a_server_that_others_can_reach_shows_nothing(client, mailbox, keep, listening):
    """Its command line may override `HOST`; the host name is the client's choice."""
    keep("one", MAIL)
    environ = {"SERVER_NAME": listening, "HTTP_HOST": "localhost"}
    assert client.get("/mailbox", environ_overrides=environ).status_code == 404


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "Via"])
def test_whoever_comes_by_a_proxy_sees_nothing(client, keep, name):
    keep("one", MAIL)
    assert client.get("/mailbox").status_code == 200
    assert client.get("/mailbox", headers={name: "localhost"}).status_code == 404


def test_no_other_file_can_be_read(client, mailbox, keep):
    keep("one", MAIL)
    for path in ("/mailbox/..%2fsecret", "/mailbox/" + "0" * 32, "/mailbox/" + "A" * 32):
        assert client.get(path).status_code == 404
