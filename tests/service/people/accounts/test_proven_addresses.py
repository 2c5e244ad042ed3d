"""Addresses that guests prove by coming with a mailed invitation: whose they are, and who tries to get them."""

from __future__ import annotations

import re

import pytest

from service.core.database.database import transaction
from service.outbox.addresses import suppressed_addresses
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.dump import execute
from tests.support.post_office import Office, part

ADDRESS = "zoe@example.org"
PATH = "/api/me/proven-address"


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice)
    return office


@pytest.fixture
def invited(cast, office):
    """A table of alice with an invitation to zoe: its path and the key in the mail."""

    def made(**wish):
        game_id = cast.open(CARAVAN, **wish)
        cast.alice.post(f"/api/games/{game_id}/invitations", {"address": ADDRESS})
        (mail,) = office.deliver()
        key = re.search(r"/invited/g_\w+/(\S+)", part(mail))
        return f"/api/games/{game_id}/seats", {"Invitation": key[1]}

    return made


def me(person):
    return person.get("/api/me")["player"]


@pytest.mark.parametrize("private", [True, False])
def test_whoever_comes_with_the_key_gets_turns_by_mail_at_one_touch(
    app, cast, office, invited, private
):
    seats, key = invited(private=private)
    zoe = Person(app, "Zoe")
    assert me(zoe)["proven_address"] is None
    zoe.post(seats, {}, headers=key)
    assert me(zoe)["proven_address"] == "z…@example.org"
    zoe.post(PATH)
    assert me(zoe) == me(zoe) | {"address": ADDRESS, "handle": "zoe", "proven_address": None}
    mails = office.deliver()
    assert not any("verify" in part(mail) for mail in mails), "nothing more is to be confirmed"
    cast.alice.post(seats.replace("/seats", "/start"), status=200)
    assert any(mail["To"] == ADDRESS for mail in office.deliver())


def test_other_credentials_end(app, invited):
    seats, key = invited()
    zoe = Person(app, "Zoe")
    zoe.post(seats, {}, headers=key)
    zoe.post(PATH)
    stranger = Person(app)
    stranger.refused("POST", "/api/sign-ins", "wrong-key", {"key": zoe.key})


@sqlite_only
def test_the_key_proves_it_for_one_person(app, cast, invited):
    seats, key = invited(players=2)
    zoe, eve = Person(app, "Zoe"), Person(app, "Eve")
    zoe.post(seats, {}, headers=key)
    zoe.delete(seats + "/" + zoe.game(seats.split("/")[3])["tenure"])
    eve.post(seats, {}, headers=key)
    assert me(eve)["proven_address"] is None
    eve.refused("POST", PATH, "not-found")


@sqlite_only
@pytest.mark.parametrize("key", [None, "i_0123456789abcdef.forged", "x"])
def test_without_the_key_nothing_is_proven(app, cast, invited, key):
    seats, _ = invited()
    eve = Person(app, "Eve")
    eve.post(seats, {}, headers={"Invitation": key} if key else {})
    assert me(eve)["proven_address"] is None
    eve.refused("POST", PATH, "not-found")


@sqlite_only
def test_the_key_of_another_table_proves_nothing(app, cast, invited):
    _, key = invited()
    seats = f"/api/games/{cast.open(CARAVAN)}/seats"
    eve = Person(app, "Eve")
    eve.post(seats, {}, headers=key)
    assert me(eve)["proven_address"] is None


@sqlite_only
def test_an_address_that_belongs_to_an_account_is_not_given_away(app, cast, office, invited):
    seats, key = invited()
    eve = Person(app, "Eve")
    eve.post(seats, {}, headers=key)
    execute(app, "UPDATE accounts SET address = :a, folded = :a", a=ADDRESS)
    eve.refused("POST", PATH, "not-found")
    assert me(eve)["guest"]


@sqlite_only
def test_whoever_wants_no_mails_that_others_cause_gets_none(app, runtime, invited):
    seats, key = invited()
    eve = Person(app, "Eve")
    eve.post(seats, {}, headers=key)
    secret = app.extensions["tegami"].config.secret_key
    with app.app_context(), transaction():
        owner = suppressed_addresses.owner_digest(secret, ADDRESS)
        suppressed_addresses.suppress(runtime, owner, suppressed_addresses.STRANGERS)
    eve.refused("POST", PATH, "not-found")


@sqlite_only
def test_it_can_be_left(app, invited):
    seats, key = invited()
    zoe = Person(app, "Zoe")
    zoe.post(seats, {}, headers=key)
    zoe.delete(PATH)
    assert me(zoe)["proven_address"] is None
    zoe.refused("POST", PATH, "not-found")


@sqlite_only
def test_who_is_registered_proves_nothing_new(app, cast, office, invited):
    seats, key = invited()
    office.address(cast.carol)
    cast.carol.post(seats, {}, headers=key)
    assert me(cast.carol)["proven_address"] is None
    cast.carol.refused("POST", PATH, "already-registered")


@sqlite_only
@pytest.mark.parametrize("name", ["ぞえ", "Zoe", "Z", "operator"])
def test_a_handle_is_made_of_the_name(app, cast, invited, office, name):
    execute(app, "UPDATE accounts SET handle = 'zoe'")
    seats, key = invited()
    zoe = Person(app, "Nobody")
    execute(app, "UPDATE players SET name = :n WHERE id = :i", n=name, i=zoe.id)
    zoe.post(seats, {}, headers=key)
    zoe.post(PATH)
    assert re.fullmatch(r"(zoe|player)-[a-z0-9]{7}", me(zoe)["handle"])
