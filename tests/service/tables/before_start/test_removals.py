"""A person whom the host removes stays away from that table until its host invites them again."""

from __future__ import annotations

import re

import pytest

from service.core.runtime.problems import NotFound
from service.tables.before_start import table_setup
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.closing import close_by_operator
from tests.support.post_office import Office, part
from tests.support.talking import at

pytestmark = sqlite_only
KEY = re.compile(r"/invited/g_\w+/([\w.]+)")


@pytest.fixture
def office(app, cast):
    """The mails sent; alice and bob have verified addresses."""
    office = Office(app)
    office.address(cast.alice, cast.bob)
    return office


@pytest.fixture
def game_id(cast):
    return cast.open(private=True)


def link(cast, game_id):
    return {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}


def sit(person, game_id, headers=None):
    return person.post(at(game_id, "seats"), {}, headers=headers or {})["tenure"]


def invite(person, game_id, name, status=201):
    body = {"address": f"{name}@example.org"}
    return person.post(at(game_id, "invitations"), body, status)["id"]


def mailed(office):
    """The keys in the mails that have arrived."""
    return [{"Invitation": KEY.findall(part(letter))[0]} for letter in office.deliver()]


@pytest.fixture
def remove(cast, clock):
    """Let Alice remove somebody, a while after everything before."""

    def removed(game_id, tenure):
        clock.forward(1)
        cast.alice.delete(at(game_id, f"seats/{tenure}"))
        clock.forward(1)

    return removed


def assert_shut_out(person, game_id, headers=None):
    person.refused("GET", f"/api/games/{game_id}", "not-found", headers=headers or {})
    person.refused("POST", at(game_id, "seats"), "not-found", {}, headers=headers or {})
    assert person.get("/api/me/invitations")["invitations"] == []


def test_nobody_comes_back_by_inviting_their_own_address(cast, office, game_id, remove):
    tenure = sit(cast.bob, game_id, link(cast, game_id))
    invite(cast.bob, game_id, "bob")
    remove(game_id, tenure)
    assert_shut_out(cast.bob, game_id)


def test_an_invitation_of_somebody_who_was_removed_ends(cast, office, game_id, remove):
    tenure = sit(cast.bob, game_id, link(cast, game_id))
    invite(cast.bob, game_id, "second")
    (key,) = mailed(office)
    remove(game_id, tenure)
    for person in (cast.bob, cast.carol):
        assert_shut_out(person, game_id, key)
    assert cast.alice.get(at(game_id, "invitations"))["invitations"] == []


def test_a_mail_of_somebody_who_was_removed_is_not_sent(cast, office, game_id):
    tenure = sit(cast.bob, game_id, link(cast, game_id))
    invite(cast.bob, game_id, "second")
    cast.alice.delete(at(game_id, f"seats/{tenure}"))
    assert all("second@example.org" not in letter["To"] for letter in office.deliver())


def test_an_earlier_invitation_of_the_host_does_not_admit(cast, office, game_id, remove):
    for name in ("first", "second"):
        invite(cast.alice, game_id, name)
    first, second = mailed(office)
    tenure = sit(cast.carol, game_id, first)
    remove(game_id, tenure)
    assert_shut_out(cast.carol, game_id, second)
    sit(cast.mallory, game_id, second)


def test_no_key_of_the_table_admits_whoever_was_removed(cast, game_id, remove):
    remove(game_id, sit(cast.carol, game_id, link(cast, game_id)))
    assert_shut_out(cast.carol, game_id, link(cast, game_id))


def test_an_invitation_of_somebody_else_does_not_admit(cast, office, game_id, remove):
    office.address(cast.carol)
    tenure = sit(cast.carol, game_id, link(cast, game_id))
    sit(cast.bob, game_id, link(cast, game_id))
    remove(game_id, tenure)
    invite(cast.bob, game_id, "carol")
    assert_shut_out(cast.carol, game_id)


def test_an_invitation_of_the_host_after_the_removal_admits(cast, office, game_id, remove, clock):
    remove(game_id, sit(cast.bob, game_id, link(cast, game_id)))
    invite(cast.alice, game_id, "bob")
    (received,) = cast.bob.get("/api/me/invitations")["invitations"]
    assert received["game"]["id"] == game_id
    assert cast.bob.game(game_id)["tenure"] is None
    tenure = sit(cast.bob, game_id)
    clock.forward(1)
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    sit(cast.bob, game_id, link(cast, game_id))


def test_the_key_in_a_mail_of_the_host_after_the_removal_admits(cast, office, game_id, remove):
    remove(game_id, sit(cast.carol, game_id, link(cast, game_id)))
    invite(cast.alice, game_id, "carol")
    (key,) = mailed(office)
    sit(cast.carol, game_id, key)


def test_to_repeat_an_invitation_changes_nothing_of_it_unless_somebody_was_removed(
    cast, office, clock, game_id, remove
):
    invite(cast.alice, game_id, "second")
    path = at(game_id, "invitations")
    first = cast.alice.get(path)["invitations"]
    clock.forward(1000)
    invite(cast.alice, game_id, "second", 200)
    assert cast.alice.get(path)["invitations"] == first
    remove(game_id, sit(cast.carol, game_id, link(cast, game_id)))
    clock.forward(1000)
    invite(cast.alice, game_id, "second", 200)
    assert cast.alice.get(path)["invitations"][0]["made_at"] > first[0]["made_at"]


def test_to_repeat_an_invitation_after_the_removal_admits(cast, office, game_id, remove):
    invite(cast.alice, game_id, "second")
    (key,) = mailed(office)
    remove(game_id, sit(cast.carol, game_id, link(cast, game_id)))
    assert_shut_out(cast.carol, game_id, key)
    invite(cast.alice, game_id, "second", 200)
    sit(cast.carol, game_id, key)


def test_a_public_table_admits_nobody_who_was_removed(cast, office, remove):
    game_id = cast.open()
    remove(game_id, sit(cast.bob, game_id))
    cast.bob.refused("POST", at(game_id, "seats"), "not-admitted", {})
    invite(cast.alice, game_id, "bob")
    sit(cast.bob, game_id)


def test_a_removal_lasts_when_the_game_has_started(cast, remove):
    game_id = cast.open()
    remove(game_id, sit(cast.bob, game_id))
    cast.alice.post(at(game_id, "start"), {"house": True}, 200)
    wish = {"kind": "substitute", "seat": 1}
    cast.bob.refused("POST", at(game_id, "proposals"), "not-possible", wish)


def test_no_rematch_admits_whoever_was_removed_from_it(app, cast, remove):
    before = cast.start(CARAVAN, private=True)
    services = app.extensions["tegami"]
    with app.app_context():
        close_by_operator(services, before)
    game_id = cast.alice.post(at(before, "rematch"), {})["id"]
    tenure = cast.bob.post(at(before, "rematch"), {}, 200)["tenure"]
    remove(game_id, tenure)
    cast.bob.refused("POST", at(before, "rematch"), "not-admitted", {})
    assert_shut_out(cast.bob, game_id)


def test_somebody_who_leaves_may_come_back(cast, game_id):
    tenure = sit(cast.bob, game_id, link(cast, game_id))
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    sit(cast.bob, game_id, link(cast, game_id))


def test_the_host_withdraws_any_invitation(cast, office, game_id):
    sit(cast.bob, game_id, link(cast, game_id))
    theirs, ours = invite(cast.bob, game_id, "dora"), invite(cast.alice, game_id, "emil")
    cast.bob.refused("DELETE", at(game_id, f"invitations/{ours}"), "not-found")
    cast.alice.delete(at(game_id, f"invitations/{theirs}"))
    (left,) = cast.alice.get(at(game_id, "invitations"))["invitations"]
    assert left["id"] == ours
    assert [letter["To"] for letter in office.deliver()] == ["emil@example.org"]


def test_a_used_key_is_refused_by_the_table_itself(app, cast, office, game_id):
    """Two people who send the same key at once both see the table; one of them gets a place."""
    invite(cast.alice, game_id, "dora")
    (key,) = mailed(office)
    sit(cast.carol, game_id, key)
    services = app.extensions["tegami"]
    with app.app_context(), pytest.raises(NotFound):
        table_setup.sit(services, game_id, cast.mallory.id, {"key": key["Invitation"]})
