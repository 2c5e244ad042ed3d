"""Mails about accounts: in the player's language, with links of our own, and even where mail was refused before."""

from __future__ import annotations

import pytest

from service.database import transaction
from service.mail import suppressed
from service.words import phrases
from tests.service.accounts import PASSWORD, Bag, key_in, register, text_of
from tests.service.cast import Person, sqlite_only
from tests.service.dump import dump


@pytest.fixture
def bag(app):
    return Bag(app)


@sqlite_only
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_mail_speaks_the_players_language(cast, bag, language):
    alice, words = cast.alice, phrases(language)
    alice.send("PATCH", "/api/me/settings", json={"language": language})
    register(bag, alice, "alice", verified=False)
    mails = {"verify": bag.fetch()[0]}
    alice.post("/api/verifications", {"key": key_in(mails["verify"], "verify")}, 204)
    for kind in ("sign-in", "reset"):
        alice.post("/api/links", {"kind": kind, "who": "alice"}, 202)
        (mails[kind],) = bag.fetch()
    register(bag, cast.carol, "carol")
    change = {"address": "alice@example.org", "current_password": PASSWORD}
    cast.carol.send("PUT", "/api/me/address", json=change)
    (mails["known-address"],) = bag.fetch()
    change = {"address": "alice@mail.example", "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=change)
    alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    (mails["address-changed"],) = bag.fetch()
    for kind, mail in mails.items():
        assert mail["Subject"] == words.say(f"mail.{kind}.subject", {"handle": "alice"})
        assert mail["To"] == "alice@example.org"
        assert "@alice" in text_of(mail)
        assert "List-Unsubscribe" not in mail


@sqlite_only
def test_the_link_stands_in_both_parts_and_nothing_else_leads_away(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    (mail,) = bag.fetch()
    key = key_in(mail, "verify")
    html = mail.get_body(("html",)).get_content()
    assert f'href="http://localhost/#verify={key}"' in html
    assert html.count("href=") == 1
    assert key not in mail["Subject"]


def test_what_was_asked_for_goes_where_mail_was_refused_and_lifts_that(
    app, cast, bag, config, outside
):
    """Who follows a link has got the mail."""
    address = register(bag, cast.alice, "alice")
    digest = suppressed.digest_of(config.secret_key, address)
    for kind in ("sign-in", "reset"):
        with app.app_context(), transaction():
            suppressed.suppress(outside, digest, suppressed.REFUSED)
        Person(app).post("/api/links", {"kind": kind, "who": "alice"}, 202)
        key = bag.key(kind)
        assert dump(app)["suppressed"]
        if kind == "sign-in":
            Person(app).post("/api/sign-ins", {"mailed": key})
        else:
            body = {"key": key, "password": PASSWORD}
            Person(app).post("/api/password-resets", body)
        assert not dump(app)["suppressed"]


def test_verifying_the_same_address_again_lifts_that_too(app, cast, bag, config, outside):
    address = register(bag, cast.alice, "alice")
    digest = suppressed.digest_of(config.secret_key, address)
    with app.app_context(), transaction():
        suppressed.suppress(outside, digest, suppressed.REFUSED)
    change = {"address": address, "current_password": PASSWORD}
    cast.alice.send("PUT", "/api/me/address", json=change)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert not dump(app)["suppressed"]
    assert bag.fetch() == []
