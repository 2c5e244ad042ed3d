"""Links that stop mails: with one click in a mail program or on the page, never when the page is only opened."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from itsdangerous import URLSafeSerializer

from service.core.database.database import transaction
from service.outbox import unsubscriptions
from service.outbox.addresses import suppressed_addresses
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office

EVERYTHING = {("turn", True), ("turn", False), ("over", True), ("over", False)}


@pytest.fixture
def game(app, cast):
    """A game of alice, with its key."""
    game_id = cast.start(CARAVAN)
    return execute(app, "SELECT key, id FROM games WHERE id = :id", id=game_id)[0]


@pytest.fixture
def link(app, cast, game):
    """The link of a turn mail to alice, as a path."""
    row = SimpleNamespace(player_id=cast.alice.id, kind="turn", game_key=game.key)
    with app.app_context():
        url = unsubscriptions.player_unsubscribe_link(app.extensions["tegami"].config, row)
    return url.removeprefix("http://localhost")


@pytest.fixture
def invitation(app):
    """The link of an invitation, as a path."""
    url = unsubscriptions.address_unsubscribe_link(
        app.extensions["tegami"].config, "Zoe@example.org"
    )
    return url.removeprefix("http://localhost")


@pytest.fixture
def wanted(app, cast, game):
    """The mails that alice still gets: the kind, and whether about this game or another one."""

    def look(person=cast.alice):
        with app.app_context():
            games = {True: game.key, False: game.key + 1}
            return {
                (kind, here)
                for kind, here in EVERYTHING
                if unsubscriptions.is_wanted(person.id, kind, games[here])
            }

    return look


def click(client, link, body="List-Unsubscribe=One-Click", **more):
    """Send the request of a mail program, without cookie and token."""
    kind = "application/x-www-form-urlencoded"
    return client.post(link, data=body, content_type=kind, **more)


def test_opening_the_page_changes_nothing(app, client, link, invitation):
    stored = dump(app)
    for each in (link, invitation, link + "&stop=all"):
        page = client.get(each)
        assert page.status_code == 200
        assert "<form" in page.text
    assert dump(app) == stored


def test_the_page_speaks_the_language_of_the_mails_unless_its_address_names_one(
    app, client, cast, link
):
    Office(app).address(cast.alice, language="ja")
    for answer in (client.get(link), click(client, link)):
        assert answer.headers["Content-Language"] == "ja"
    assert client.get(f"{link}&lang=en").headers["Content-Language"] == "en"


@pytest.mark.both_databases
def test_one_click_stops_what_its_mail_was_about(client, cast, link, wanted):
    assert wanted() == EVERYTHING
    assert click(client, link).status_code == 200
    assert wanted() == EVERYTHING - {("turn", True)}
    assert wanted(cast.mallory) == EVERYTHING, "only those of alice"


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ("this", EVERYTHING - {("turn", True)}),
        ("nothing", EVERYTHING),
        ("game", {("turn", False), ("over", False)}),
        ("kind", {("over", True), ("over", False)}),
        ("all", set()),
    ],
)
def test_the_page_offers_choices(client, link, wanted, chosen, left):
    assert f"stop={chosen}" in client.get(link).text
    answer = client.post(f"{link}&stop={chosen}", headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 200
    assert wanted() == left


def test_a_second_click_changes_nothing(client, link, wanted):
    for _ in range(2):
        assert click(client, link).status_code == 200
    assert wanted() == EVERYTHING - {("turn", True)}


def test_a_mail_about_no_game_stops_its_kind(app, client, cast, wanted):
    row = SimpleNamespace(player_id=cast.alice.id, kind="turn", game_key=None)
    with app.app_context():
        url = unsubscriptions.player_unsubscribe_link(app.extensions["tegami"].config, row)
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
    """The link is the only proof: cookies are ignored."""
    assert client.post(link, data=b"x", headers=headers).status_code == 200
    assert ("turn", True) not in wanted()


@pytest.fixture
def stopped(app):
    """Whether mails that others cause to this address are stopped."""

    def look(address):
        secret = app.extensions["tegami"].config.secret_key
        digest = suppressed_addresses.owner_digest(secret, address)
        with app.app_context():
            assert not suppressed_addresses.is_suppressed(digest, suppressed_addresses.REFUSED)
            return suppressed_addresses.is_suppressed(digest, suppressed_addresses.STRANGERS)

    return look


def test_an_address_can_stop_what_others_cause_and_allow_it_again(client, invitation, stopped):
    assert "stop=nothing" in client.get(invitation).text
    assert click(client, invitation).status_code == 200
    assert stopped("zoe@example.org")
    assert click(client, invitation + "&stop=nothing").status_code == 200
    assert not stopped("zoe@example.org")


@pytest.mark.both_databases
def test_stopping_holds_for_every_spelling_of_the_address(client, invitation, stopped):
    click(client, invitation)
    assert stopped("ZOE+games@Example.org")
    assert not stopped("zo@example.org")


def test_the_link_of_an_erased_player_is_no_error(app, client, cast, link):
    row = SimpleNamespace(player_id="p_gone", kind="turn", game_key=None)
    config = app.extensions["tegami"].config
    with app.app_context():
        gone = unsubscriptions.player_unsubscribe_link(config, row).removeprefix("http://localhost")
    stored = dump(app)
    assert click(client, gone).status_code == 200
    assert dump(app) == stored


@sqlite_only
def test_forged_links_are_refused(app, cast, client, link):
    config, stored = app.extensions["tegami"].config, dump(app)
    about = [cast.alice.id, "turn", None]
    forged = [
        "x",
        link.partition("link=")[2][:-1],
        link.partition("link=")[2].swapcase(),
        URLSafeSerializer(bytes(32), salt="unsubscribe").dumps(about),
        URLSafeSerializer(config.secret_key, salt="verify").dumps(about),
    ]
    for signed in forged:
        for method in ("GET", "POST"):
            cast.nobody.refused(method, f"/unsubscribe?link={signed}", "wrong-link")
    for query in ("", "?link=", "?link=%00", f"?link={'x' * 501}", "?link=x&stop=some"):
        cast.nobody.refused("POST", f"/unsubscribe{query}", "invalid-query")
    assert dump(app) == stored


@sqlite_only
def test_who_has_only_a_part_of_the_link_gets_a_page(app, client, link):
    stored, browser = dump(app), {"Accept": "text/html,*/*;q=0.8"}
    for part in (link[:-5], link[:40], "/unsubscribe?link=", "/unsubscribe?lin", "/unsubscribe"):
        for send in (client.get, client.post):
            answer = send(part, headers=browser)
            assert answer.status_code in {400, 422} and answer.mimetype == "text/html"
            assert "This link does not work" in answer.text and 'href="/me/mails"' in answer.text
    assert dump(app) == stored


def test_a_link_ends_in_what_mail_programs_count_to_it(app, client, link, invitation):
    config = app.extensions["tegami"].config
    made = [unsubscriptions.address_unsubscribe_link(config, f"{n}@b.example") for n in range(99)]
    assert all(each[-1].isalnum() for each in (link, invitation, *made))
    for each in (link, invitation):
        assert client.get(each.removesuffix(".0")).status_code == 200, "as in older mails"


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["turn", "reminder", "nudge"])
def test_one_click_in_a_mail_about_a_turn_ends_the_nagging_at_its_table(
    app, client, cast, game, kind
):
    row = SimpleNamespace(player_id=cast.alice.id, kind=kind, game_key=game.key)
    kinds = ("turn", "reminder", "nudge")
    with app.app_context():
        url = unsubscriptions.player_unsubscribe_link(app.extensions["tegami"].config, row)
    answer = click(client, url.removeprefix("http://localhost"))
    assert "about your turns at this table" in answer.text and "stop=digest" in answer.text

    def wanted(kind, game_key):
        return unsubscriptions.is_wanted(cast.alice.id, kind, game_key)

    with app.app_context():
        assert not any(wanted(each, game.key) for each in kinds)
        assert all(wanted(each, game.key + 1) for each in kinds)
        assert wanted("over", game.key) and wanted("proposal", game.key)
    client.post(f"{url.removeprefix('http://localhost')}&stop=nothing")
    with app.app_context():
        assert all(wanted(each, game.key) for each in kinds)


@sqlite_only
@pytest.mark.parametrize(("query", "language"), [("&lang=ja", "ja"), ("&lang=en", "en")])
def test_the_query_names_the_language(client, link, query, language):
    page = client.get(link + query, headers={"Accept-Language": "en"})
    assert f'<html lang="{language}">' in page.text
    assert page.headers["Content-Language"] == language
    assert f"lang={language}" in page.text.partition("<form")[2], "and so does its form"


@sqlite_only
def test_unsubscriptions_are_listed_and_can_be_taken_back(app, client, cast, game, link, wanted):
    click(client, link + "&stop=kind")
    click(client, link)
    with app.app_context():
        about_turns = ("turn", "reminder", "nudge")
        assert set(unsubscriptions.of_player(cast.alice.id)) == {
            *(unsubscriptions.Unsubscription(kind, game.key) for kind in about_turns),
            unsubscriptions.Unsubscription(kind="turn"),
        }
        with transaction():
            unsubscriptions.resubscribe(cast.alice.id, unsubscriptions.Unsubscription(kind="turn"))
    assert wanted() == EVERYTHING - {("turn", True)}


def test_the_page_offers_more_less_and_undo(client, link, wanted):
    page = click(client, link).text
    assert all(f"stop={each}" in page for each in ("game", "kind", "all", "nothing"))
    assert "stop=this" not in page
    for choice, left in (
        ("all", set()),
        ("game", {("turn", False), ("over", False)}),
        ("this", EVERYTHING - {("turn", True)}),
        ("nothing", EVERYTHING),
    ):
        client.post(f"{link}&stop={choice}")
        assert wanted() == left


def test_a_mail_program_never_allows_again_what_was_stopped(client, link, wanted):
    client.post(f"{link}&stop=all")
    click(client, link)
    assert wanted() == set()
