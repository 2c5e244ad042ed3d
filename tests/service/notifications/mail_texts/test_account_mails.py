"""Mails about accounts: in the player's language, with no foreign links, and sent even after a refusal."""

from __future__ import annotations

import pytest

from service.core.database.database import transaction
from service.core.words.words import phrases
from service.outbox.addresses import suppressed_addresses
from tests.support.accounts import OTHER, PASSWORD, Bag, key_in, register, text_of
from tests.support.cast import Person, sqlite_only
from tests.support.dump import dump


@pytest.fixture
def bag(app):
    return Bag(app)


@sqlite_only
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_mail_is_in_the_players_language(cast, bag, language):
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
    change = {"address": "alice@example.org", "current_password": PASSWORD}
    alice.send("PUT", "/api/me/address", json=change)
    alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    bag.fetch()
    body = {"password": OTHER, "current_password": PASSWORD}
    alice.send("PUT", "/api/me/password", json=body)
    (mails["password-changed"],) = bag.fetch()
    for kind, mail in mails.items():
        assert mail["Subject"] == words.say(f"mail.{kind}.subject", {"handle": "alice"})
        assert mail["To"] == "alice@example.org"
        assert "@alice" in text_of(mail)
        assert ("List-Unsubscribe" in mail) == (kind in ("verify", "known-address")), kind


@sqlite_only
def test_both_parts_have_the_links_to_confirm_to_deny_and_to_stop_such_mails(cast, bag):
    register(bag, cast.alice, "alice", verified=False)
    (mail,) = bag.fetch()
    key = key_in(mail, "verify")
    html = mail.get_body(("html",)).get_content()
    assert f'href="http://localhost/plain/keys/verify/{key}"' in html
    assert f'href="http://localhost/plain/keys/not-me/{key}"' in html
    assert str(mail["List-Unsubscribe"]).strip("<>") in html
    assert html.count("href=") == 3
    assert key not in mail["Subject"]


@pytest.mark.both_databases
def test_requested_mail_is_sent_after_a_refusal_and_its_link_lifts_the_refusal(
    app, cast, bag, config, runtime
):
    """Following a link proves that the mail arrived."""
    address = register(bag, cast.alice, "alice")
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    for kind in ("sign-in", "reset"):
        with app.app_context(), transaction():
            suppressed_addresses.suppress(runtime, digest, suppressed_addresses.REFUSED)
        Person(app).post("/api/links", {"kind": kind, "who": "alice"}, 202)
        key = bag.key(kind)
        assert dump(app)["suppressed"]
        if kind == "sign-in":
            Person(app).post("/api/sign-ins", {"mailed": key})
        else:
            body = {"key": key, "password": PASSWORD}
            Person(app).post("/api/password-resets", body)
        assert not dump(app)["suppressed"]


def test_verifying_the_address_again_lifts_the_refusal(app, cast, bag, config, runtime):
    address = register(bag, cast.alice, "alice")
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    with app.app_context(), transaction():
        suppressed_addresses.suppress(runtime, digest, suppressed_addresses.REFUSED)
    change = {"address": address, "current_password": PASSWORD}
    cast.alice.send("PUT", "/api/me/address", json=change)
    cast.alice.post("/api/verifications", {"key": bag.key("verify")}, 204)
    assert not dump(app)["suppressed"]
    assert bag.fetch() == []


@pytest.mark.parametrize(
    "spelling", ["mallory@example.org", "Mallory@Example.org", "mallory+2@example.org"]
)
@sqlite_only
def test_the_owner_of_an_address_can_stop_requests_to_confirm_it(app, cast, bag, spelling):
    register(bag, cast.mallory, "mallory", verified=False)
    (mail,) = bag.fetch()
    link = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("http://localhost")
    assert app.test_client().post(link).status_code == 200
    change = {"address": spelling, "current_password": PASSWORD}
    assert cast.mallory.send("PUT", "/api/me/address", json=change).status_code < 300
    assert bag.fetch() == []
    app.test_client().post(link + "&stop=nothing")
    cast.mallory.send("PUT", "/api/me/address", json=change)
    assert len(bag.fetch()) == 1
