"""The link by which mails are stopped: by one click of a mail program, or on its page; never by looking alone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from itsdangerous import URLSafeSerializer

from service.database import transaction
from service.mail import links, suppressed, wishes
from tests.service.cast import CARAVAN, sqlite_only
from tests.service.dump import dump, execute

EVERYTHING = {("turn", True), ("turn", False), ("over", True), ("over", False)}


@pytest.fixture
def game(app, cast):
    """A game of alice, with its key."""
    game_id = cast.start(CARAVAN)
    return execute(app, "SELECT key, id FROM games WHERE id = :id", id=game_id)[0]


@pytest.fixture
def link(app, cast, game):
    """The link of a turn mail to alice, without the address of the server."""
    row = SimpleNamespace(player_id=cast.alice.id, kind="turn", game_key=game.key)
    with app.app_context():
        url = links.for_player(app.extensions["tegami"].config, row)
    return url.removeprefix("http://localhost")


@pytest.fixture
def invitation(app):
    """The link of an invitation."""
    url = links.for_address(app.extensions["tegami"].config, "Zoe@example.org")
    return url.removeprefix("http://localhost")


@pytest.fixture
def wanted(app, cast, game):
    """What alice still wants: kinds, about this game or about another."""

    def look(person=cast.alice):
        with app.app_context():
            games = {True: game.key, False: game.key + 1}
            return {
                (kind, here)
                for kind, here in EVERYTHING
                if wishes.wants(person.id, kind, games[here])
            }

    return look


def click(client, link, body="List-Unsubscribe=One-Click", **more):
    """What a mail program sends, without cookie and token."""
    kind = "application/x-www-form-urlencoded"
    return client.post(link, data=body, content_type=kind, **more)


def test_to_look_changes_nothing(app, client, link, invitation):
    stored = dump(app)
    for each in (link, invitation, link + "&stop=all"):
        page = client.get(each)
        assert page.status_code == 200
        assert "<form" in page.text
    assert dump(app) == stored


def test_one_click_stops_the_mails_of_the_game(client, cast, link, wanted):
    assert wanted() == EVERYTHING
    assert click(client, link).status_code == 200
    assert wanted() == {("turn", False), ("over", False)}
    assert wanted(cast.mallory) == EVERYTHING, "nobody else's"


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ("game", {("turn", False), ("over", False)}),
        ("kind", {("over", True), ("over", False)}),
        ("all", set()),
    ],
)
def test_the_page_offers_more(client, link, wanted, chosen, left):
    assert f"stop={chosen}" in client.get(link).text
    answer = client.post(f"{link}&stop={chosen}", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 200
    assert wanted() == left


def test_twice_is_once(client, link, wanted):
    for _ in range(2):
        assert click(client, link).status_code == 200
    assert wanted() == {("turn", False), ("over", False)}


def test_a_mail_about_no_game_stops_its_kind(app, client, cast, wanted):
    row = SimpleNamespace(player_id=cast.alice.id, kind="turn", game_key=None)
    with app.app_context():
        url = links.for_player(app.extensions["tegami"].config, row)
    link = url.removeprefix("http://localhost")
    assert "stop=game" not in client.get(link).text
    click(client, link + "&stop=game")
    assert wanted() == {("over", True), ("over", False)}


@sqlite_only
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://mail.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {},
    ],
    ids=str,
)
def test_any_mail_program_may_send_it(client, link, wanted, headers):
    """It proves by its link alone that it may: no cookie is looked at."""
    assert client.post(link, data=b"x", headers=headers).status_code == 200
    assert ("turn", True) not in wanted()


def test_an_invitation_is_the_last_one(app, client, invitation):
    assert "stop=" not in client.get(invitation).text
    assert click(client, invitation).status_code == 200
    digest = suppressed.digest_of(app.extensions["tegami"].config.secret_key, "zoe@example.org")
    with app.app_context():
        assert suppressed.is_suppressed(digest, suppressed.INVITATIONS)
        assert not suppressed.is_suppressed(digest, suppressed.REFUSED)


def test_what_has_gone_is_no_error(app, client, cast, link):
    row = SimpleNamespace(player_id="p_gone", kind="turn", game_key=None)
    config = app.extensions["tegami"].config
    with app.app_context():
        gone = links.for_player(config, row).removeprefix("http://localhost")
    stored = dump(app)
    assert click(client, gone).status_code == 200
    assert dump(app) == stored


@sqlite_only
def test_a_link_that_is_none_of_ours_is_refused(app, cast, client, link):
    config, stored = app.extensions["tegami"].config, dump(app)
    about = [cast.alice.id, "turn", None]
    foreign = [
        "x",
        link.partition("link=")[2][:-1],
        link.partition("link=")[2].swapcase(),
        URLSafeSerializer(bytes(32), salt="unsubscribe").dumps(about),
        URLSafeSerializer(config.secret_key, salt="verify").dumps(about),
    ]
    for signed in foreign:
        for method in ("GET", "POST"):
            cast.nobody.refused(method, f"/unsubscribe?link={signed}", "wrong-link")
    for query in ("", "?link=", "?link=%00", f"?link={'x' * 501}", "?link=x&stop=some"):
        cast.nobody.refused("POST", f"/unsubscribe{query}", "invalid-query")
    assert dump(app) == stored


@sqlite_only
@pytest.mark.parametrize(("wish", "language"), [("&lang=ja", "ja"), ("&lang=en", "en")])
def test_the_page_speaks_the_wanted_language(client, link, wish, language):
    page = client.get(link + wish, headers={"Accept-Language": "en"})
    assert f'<html lang="{language}">' in page.text
    assert page.headers["Content-Language"] == language
    assert f"lang={language}" in page.text.partition("<form")[2], "and so does what follows"


@sqlite_only
def test_settings_see_what_was_stopped_and_take_it_back(app, client, cast, game, link, wanted):
    click(client, link)
    click(client, link + "&stop=kind")
    with app.app_context():
        assert set(wishes.stopped(cast.alice.id)) == {
            wishes.Stop(game_key=game.key),
            wishes.Stop(kind="turn"),
        }
        with transaction():
            wishes.resume(cast.alice.id, wishes.Stop(game_key=game.key))
    assert wanted() == {("over", True), ("over", False)}
