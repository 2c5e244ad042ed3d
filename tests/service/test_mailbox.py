"""Where no mail server is set, mails are kept and shown: on one's own machine, never to others."""

from __future__ import annotations

import re
import stat
from dataclasses import replace

import pytest

from service import create_app
from service.courier import Courier, post_of
from service.mail.letter import Letter, compose
from service.mail.note import note
from service.post import MOST_KEPT, Mailbox
from tests.contract import CheckedClient
from tests.service.cast import START, sqlite_only
from tests.service.databases import disconnect
from tests.service.letters import KINDS, outcomes, write

pytestmark = sqlite_only


@pytest.fixture
def mailbox(config):
    made = Mailbox(config.mailbox_dir)
    made.ready()
    return made


@pytest.fixture
def keep(config, mailbox):
    """Keep a letter under a key."""

    def put(key, letter):
        assert mailbox.send(compose(config, START, key, letter), lambda: True)

    return put


@pytest.fixture
def visit(config, outside):
    """A visitor of a server with other settings."""
    apps = []

    def visitor(**settings):
        app = create_app(replace(config, **settings), outside)
        app.test_client_class = CheckedClient
        apps.append(app)
        return app.test_client()

    yield visitor
    for app in apps:
        disconnect(app)


LETTER = note(
    "en", to="bob@example.org", subject="Is <this> you?", paragraphs=["Hello, <b>Bob</b>"]
)


def test_an_empty_mailbox_says_so(client):
    assert "There are no mails yet." in client.get("/mailbox").text


def test_the_courier_brings_mails_here(app, client, outside):
    write(app, outside, "one", data={"say": "A first letter"})
    kit = app.extensions["tegami"]
    with app.app_context():
        Courier(kit, post_of(kit.config), KINDS).deliver_all()
    assert outcomes(app) == {"one": "sent"}
    page = client.get("/mailbox").text
    assert "one@example.org" in page
    (mail_id,) = re.findall(r'href="(/mailbox/[0-9a-f]{32})"', page)
    assert "A first letter" in client.get(mail_id).text
    assert "A first letter" in client.get(f"{mail_id}/html").text


def test_what_matters_no_more_is_not_kept(config, mailbox):
    assert not mailbox.send(compose(config, START, "one", LETTER), lambda: False)
    assert mailbox.mails() == {}


def test_a_repeat_is_one_mail(mailbox, keep):
    for _ in range(2):
        keep("one", LETTER)
    keep("two", LETTER)
    assert len(mailbox.mails()) == 2


def test_the_newest_are_kept(mailbox, keep):
    for number in range(MOST_KEPT + 3):
        keep(str(number), Letter("bob@example.org", f"n {number}", "Hi", "<p>Hi</p>"))
    kept = [mail["Subject"] for mail in mailbox.mails().values()]
    assert kept == [f"n {number}" for number in range(MOST_KEPT + 2, 2, -1)]


def test_nobody_else_may_read_the_folder(config, mailbox):
    assert stat.S_IMODE(config.mailbox_dir.stat().st_mode) == 0o700


def test_a_letter_brings_its_styles_and_nothing_else(client, mailbox, keep):
    keep("one", LETTER)
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
    ],
    ids=str,
)
def test_elsewhere_there_is_no_mailbox(visit, mailbox, keep, settings):
    keep("one", LETTER)
    (name,) = mailbox.mails()
    visitor = visit(**settings)
    for path in ("/mailbox", f"/mailbox/{name}", f"/mailbox/{name}/html"):
        assert visitor.get(path).status_code == 404


def test_who_comes_by_another_name_sees_nothing(client, mailbox, keep):
    """A proxy in front, or a page of somebody else's whose name leads here."""
    keep("one", LETTER)
    for host in ("tegami.example", "192.0.2.7:8000", "localhost.evil.example"):
        assert client.get("/mailbox", base_url=f"http://{host}").status_code == 404


def test_no_other_file_is_read(client, mailbox, keep):
    keep("one", LETTER)
    for path in ("/mailbox/..%2fsecret", "/mailbox/" + "0" * 32, "/mailbox/" + "A" * 32):
        assert client.get(path).status_code == 404
