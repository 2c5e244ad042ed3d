"""Inviting players by handle, or because one follows them."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.post_office import Office, part
from tests.support.proposing import registered
from tests.support.talking import at

INVITED = "/api/me/invitations"


@pytest.fixture
def office(app, cast):
    """The mails sent; the three have verified addresses, and have played together."""
    registered(*cast.seated)
    return Office(app)


@pytest.fixture
def met(cast, office):
    game_id = cast.start()
    office.deliver()
    return game_id


@pytest.fixture
def table(cast, office):
    return cast.open(BOOMERANG, players=3)


def invite(person, game_id, status=201, **whom):
    return person.post(at(game_id, "invitations"), whom, status)


def refused(person, game_id, slug, **whom):
    return person.refused("POST", at(game_id, "invitations"), slug, whom)


def asked(person):
    return [each["game"]["id"] for each in person.get(INVITED)["invitations"]]


def follow(person, other, game_id):
    body = {"game": game_id, "tenure": other.game(game_id)["tenure"]}
    return person.post("/api/me/follows", body)


def block(person, other, game_id):
    body = {"game": game_id, "tenure": other.game(game_id)["tenure"]}
    person.post("/api/me/blocks", body)


@pytest.mark.both_databases
def test_a_player_is_invited_by_handle_and_has_a_place_kept(cast, table):
    made = invite(cast.alice, table, handle="Bob")
    assert (made["name"], made["address"], made["yours"]) == ("Bob", None, True)
    assert asked(cast.bob) == [table]
    assert invite(cast.alice, table, 200, handle="bob") == made
    invite(cast.alice, table, handle="carol")
    cast.mallory.refused("POST", at(table, "seats"), "table-full", {})
    registered(cast.mallory)
    refused(cast.alice, table, "table-full", handle="mallory")
    cast.bob.post(at(table, "seats"), {})
    cast.carol.delete(f"{INVITED}/{cast.carol.get(INVITED)['invitations'][0]['id']}")
    cast.mallory.post(at(table, "seats"), {})


def test_only_seated_people_with_a_verified_address_invite_players(cast, office, table):
    refused(cast.bob, table, "not-seated", handle="carol")
    mallorys = cast.mallory.post("/api/games", {"ruleset": CARAVAN})["id"]
    refused(cast.mallory, mallorys, "not-for-guests", handle="bob")
    assert asked(cast.bob) == []


def test_an_unknown_handle_is_told(cast, table):
    told = refused(cast.alice, table, "not-found", handle="nobody")
    assert told["detail"] == "Nobody has this handle."
    refused(cast.alice, table, "already-seated", handle="alice")


def test_somebody_is_invited_in_exactly_one_way(cast, table):
    for body in (
        {},
        {"handle": "bob", "address": "b@example.org"},
        {"handle": "bob", "language": "en"},
    ):
        refused(cast.alice, table, "invalid-body", **body)


@pytest.mark.both_databases
def test_people_whom_one_follows_are_invited_without_their_handle(cast, met, table):
    made = follow(cast.alice, cast.bob, met)
    assert invite(cast.alice, table, follow=made["id"])["name"] == "Bob"
    assert asked(cast.bob) == [table]
    cast.bob.post(at(table, "seats"), {})
    bobs = follow(cast.bob, cast.carol, met)
    refused(cast.alice, table, "not-found", follow=bobs["id"])


def test_only_people_who_follow_the_inviter_get_a_mail(cast, office, met, table):
    follow(cast.carol, cast.alice, met)
    invite(cast.alice, table, handle="bob")
    invite(cast.alice, table, handle="carol")
    (mail,) = office.deliver()
    assert mail["To"] == "carol@example.org"
    assert mail["Subject"] == "A game of Boomerang Auction with Alice?"
    assert "Alice invites you to play Boomerang Auction" in part(mail).replace("\n", " ")
    (mine,) = cast.carol.get(INVITED)["invitations"]
    cast.carol.delete(f"{INVITED}/{mine['id']}")
    office.deliver()
    invite(cast.alice, table, 200, handle="carol")
    assert office.deliver() == []


def test_who_blocks_the_inviter_is_told_nothing_and_the_inviter_neither(cast, office, met, table):
    invite(cast.alice, table, handle="carol")
    carol = cast.alice.get(at(table, "invitations"))["invitations"]
    block(cast.bob, cast.alice, met)
    made = invite(cast.alice, table, handle="bob")
    assert made.keys() == carol[0].keys()
    assert (made["name"], made["declined"]) == ("Bob", False)
    cast.mallory.refused("POST", at(table, "seats"), "table-full", {})
    assert asked(cast.bob) == []
    assert office.deliver() == []


def test_an_invited_player_sees_a_private_table(cast, office):
    table = cast.open(BOOMERANG, private=True)
    cast.bob.refused("GET", f"/api/games/{table}", "not-found")
    invite(cast.alice, table, handle="bob")
    cast.bob.post(at(table, "seats"), {})
    cast.carol.refused("GET", f"/api/games/{table}", "not-found")


@pytest.mark.parametrize("by_another", [False, True])
def test_whoever_was_removed_comes_back_when_the_host_invites_them_again(
    cast, clock, table, by_another
):
    """Also if somebody else at the table has invited them meanwhile, which alone does not let them in."""
    invite(cast.alice, table, handle="bob")
    seat = cast.bob.post(at(table, "seats"), {})["tenure"]
    cast.alice.delete(at(table, f"seats/{seat}"))
    if by_another:
        cast.carol.post(at(table, "seats"), {})
        clock.forward(1)
        invite(cast.carol, table, handle="bob")
    cast.bob.refused("POST", at(table, "seats"), "not-admitted", {})
    clock.forward(1)
    invite(cast.alice, table, 200 if by_another else 201, handle="bob")
    cast.bob.post(at(table, "seats"), {})
