"""For strangers a private table does not exist, unless they have its invitation."""

from __future__ import annotations

import re

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.dump import dump
from tests.support.post_office import Office


@pytest.fixture
def game_id(cast):
    return cast.start(CARAVAN, private=True)


def invited(cast, game_id):
    return {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}


def test_every_route_of_a_private_table_is_404_for_strangers(cast, game_id):
    path = f"/api/games/{game_id}"
    tenure = cast.alice.game(game_id)["tenure"]
    for person in (cast.mallory, cast.nobody, cast.carol):
        for what in ("", "/events", "/record"):
            person.refused("GET", path + what, "not-found")
    for person in (cast.mallory, cast.carol):
        person.refused("POST", f"{path}/seats", "not-found", {})
        person.refused("POST", f"{path}/seats", "not-found", {"house": True})
        person.refused("POST", f"{path}/start", "not-found")
        person.refused(
            "POST", f"{path}/actions", "not-found", {"asked": 1, "action": {"type": "x"}}
        )
        person.refused("DELETE", f"{path}/seats/{tenure}", "not-found")


def test_a_private_table_looks_like_a_missing_one(cast, game_id):
    other = "g_" + "0" * 22
    responses = [cast.mallory.send("GET", f"/api/games/{each}") for each in (game_id, other)]
    assert responses[0].data == responses[1].data
    assert dict(responses[0].headers) == dict(responses[1].headers)


def test_no_etag_gives_access_to_a_private_table(cast, game_id):
    """The shortcut for idle polls checks access, too."""
    path = f"/api/games/{game_id}"
    tags = [person.send("GET", path).headers["ETag"] for person in (cast.alice, cast.bob)]
    guest = cast.carol.send("GET", path, headers=invited(cast, game_id))
    for tag in (*tags, guest.headers["ETag"], "*"):
        for person in (cast.mallory, cast.nobody):
            answer = person.send("GET", path, headers={"If-None-Match": tag})
            assert answer.status_code == 404
    again = {**invited(cast, game_id), "If-None-Match": guest.headers["ETag"]}
    assert cast.carol.send("GET", path, headers=again).status_code == 304


def test_the_invitation_lets_people_see_the_table_and_sit_down(cast):
    game_id = cast.open(private=True)
    invitation = cast.alice.game(game_id)["invitation"]
    assert invitation["url"].endswith(f"/games/{game_id}#invitation={invitation['key']}")
    headers = {"Invitation": invitation["key"]}
    seen = cast.nobody.game(game_id, headers=headers)
    assert seen["invitation"] is None, "spectators are not given the invitation"
    assert cast.nobody.get(f"/api/games/{game_id}/events", headers=headers)["events"] == []
    cast.bob.refused("POST", f"/api/games/{game_id}/seats", "not-found", {})
    game = cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=headers)
    assert game["invitation"] == invitation
    assert cast.bob.game(game_id)["private"] is True


@sqlite_only
def test_an_invitation_is_valid_for_one_table(cast):
    ours, other = cast.open(private=True), cast.open(private=True)
    for wrong in (invited(cast, other)["Invitation"], "", "x" * 22, "ü", "\x7f"):
        headers = {"Invitation": wrong}
        cast.mallory.refused("GET", f"/api/games/{ours}", "not-found", headers=headers)


@sqlite_only
def test_a_player_who_was_removed_is_a_stranger_again(cast):
    game_id = cast.open(private=True)
    bob = cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=invited(cast, game_id))
    cast.alice.delete(f"/api/games/{game_id}/seats/{bob['tenure']}")
    cast.bob.refused("GET", f"/api/games/{game_id}", "not-found")


@sqlite_only
def test_a_public_table_has_no_invitation(cast):
    assert cast.alice.game(cast.open())["invitation"] is None


@pytest.mark.both_databases
def test_a_private_table_is_listed_only_for_the_people_at_it(cast, game_id):
    def listed(person: Person, query: str = "") -> list[str]:
        return [game["id"] for game in person.get(f"/api/games{query}")["games"]]

    assert listed(cast.bob, "?mine=true") == [game_id]
    assert listed(cast.mallory, "?mine=true") == []
    for person in (cast.alice, cast.mallory, cast.nobody):
        assert listed(person) == []


def test_the_record_of_a_private_game_is_private_too(cast, game_id):
    cast.play(game_id)
    path = f"/api/games/{game_id}/record"
    for person in (cast.mallory, cast.nobody, cast.carol):
        person.refused("GET", path, "not-found")
    record = cast.bob.get(path)
    assert record["game"] == game_id
    assert cast.carol.get(path, headers=invited(cast, game_id)) == record


# Changing the key


@pytest.fixture
def office(app, cast):
    """An outbox; alice has an address, so that she can invite by mail."""
    office = Office(app)
    office.address(cast.alice)
    return office


def mailed_key(cast, office, game_id, address="dora@example.org"):
    """The key in the mail of an invitation."""
    cast.alice.post(f"/api/games/{game_id}/invitations", {"address": address})
    (mail,) = office.deliver()
    (key,) = set(re.findall(r"/invited/g_\w+/([\w.]+)", mail.get_body(("plain",)).get_content()))
    return {"Invitation": key}


def assert_shut_out(person, game_id, key):
    person.refused("GET", f"/api/games/{game_id}", "not-found", headers=key)
    person.refused("POST", f"/api/games/{game_id}/seats", "not-found", {}, headers=key)


@sqlite_only
def test_the_host_changes_the_key_and_the_old_one_ends(cast):
    game_id = cast.open(private=True)
    old = invited(cast, game_id)
    cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=old)
    new = cast.alice.post(f"/api/games/{game_id}/invitation-key")["invitation"]
    assert cast.alice.game(game_id)["invitation"] == cast.bob.game(game_id)["invitation"] == new
    assert new["url"].endswith(f"#invitation={new['key']}")
    assert_shut_out(cast.carol, game_id, old)
    cast.carol.post(f"/api/games/{game_id}/seats", {}, headers={"Invitation": new["key"]})


@sqlite_only
def test_only_the_host_of_a_private_table_changes_its_key(app, cast, game_id):
    waiting, public = cast.open(private=True), cast.open()
    cast.bob.post(f"/api/games/{waiting}/seats", {}, headers=invited(cast, waiting))
    before = dump(app)
    for person, at, slug in (
        (cast.bob, waiting, "not-host"),
        (cast.carol, waiting, "not-found"),
        (cast.nobody, waiting, "not-signed-in"),
        (cast.alice, public, "not-possible"),
        (cast.bob, game_id, "not-host"),
    ):
        person.refused("POST", f"/api/games/{at}/invitation-key", slug)
    assert dump(app) == before


@sqlite_only
def test_the_host_of_a_running_game_changes_the_key_and_strangers_no_longer_watch(cast, game_id):
    old = invited(cast, game_id)
    assert cast.carol.game(game_id, headers=old)["status"] == "running"
    new = cast.alice.post(f"/api/games/{game_id}/invitation-key")["invitation"]
    for person in (cast.carol, cast.nobody):
        person.refused("GET", f"/api/games/{game_id}", "not-found", headers=old)
    assert cast.bob.game(game_id)["invitation"] == new
    assert cast.carol.game(game_id, headers={"Invitation": new["key"]})


def block_bob(cast, status=201):
    """Alice blocks bob, at a table that bob hosts."""
    game = cast.bob.post("/api/games", {"ruleset": CARAVAN})
    body = {"game": game["id"], "tenure": game["tenure"]}
    cast.alice.post("/api/me/blocks", body, status)


@pytest.mark.both_databases
@pytest.mark.parametrize("running", [False, True])
def test_to_block_somebody_ends_the_keys_of_the_tables_one_hosts(cast, running):
    game_id = cast.start(CARAVAN, private=True) if running else cast.open(private=True)
    theirs = cast.carol.post("/api/games", {"ruleset": BOOMERANG, "private": True})
    other = {"Invitation": theirs["invitation"]["key"]}
    cast.alice.post(f"/api/games/{theirs['id']}/seats", {}, headers=other)
    old, before = invited(cast, game_id), cast.alice.game(game_id)["revision"]
    block_bob(cast)
    cast.mallory.refused("GET", f"/api/games/{game_id}", "not-found", headers=old)
    new = invited(cast, game_id)
    assert cast.mallory.game(game_id, headers=new)["revision"] > before
    assert cast.mallory.game(theirs["id"], headers=other), "the table of another host"
    block_bob(cast, 200)
    assert invited(cast, game_id) == new, "whoever is blocked already"


@sqlite_only
def test_whoever_was_removed_cannot_come_back_with_the_old_key(cast):
    game_id = cast.open(private=True)
    old = invited(cast, game_id)
    tenure = cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=old)["tenure"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    for person in (cast.bob, Person(cast.app, "Bob's other name")):
        assert_shut_out(person, game_id, old)


@sqlite_only
def test_whoever_was_blocked_cannot_come_in_with_any_key(cast):
    game_id, other = cast.open(private=True), cast.open()
    tenure = cast.bob.post(f"/api/games/{other}/seats", {})["tenure"]
    cast.alice.post("/api/me/blocks", {"game": other, "tenure": tenure})
    key = invited(cast, game_id)
    cast.bob.refused("POST", f"/api/games/{game_id}/seats", "not-admitted", {}, headers=key)


@sqlite_only
def test_a_mailed_invitation_outlives_the_key_of_the_table(cast, office):
    game_id = cast.open(private=True)
    key = mailed_key(cast, office, game_id)
    cast.alice.post(f"/api/games/{game_id}/invitation-key")
    assert cast.nobody.game(game_id, headers=key)["invitation"] is None
    cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=key)
    assert_shut_out(cast.carol, game_id, key)


@sqlite_only
def test_a_mailed_invitation_ends_with_a_removal(cast, office):
    game_id = cast.open(private=True)
    key = mailed_key(cast, office, game_id)
    tenure = cast.bob.post(f"/api/games/{game_id}/seats", {}, headers=key)["tenure"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    assert_shut_out(cast.bob, game_id, key)


@sqlite_only
def test_a_mailed_invitation_ends_when_it_is_withdrawn(cast, office):
    game_id = cast.open(private=True)
    key = mailed_key(cast, office, game_id)
    (made,) = cast.alice.get(f"/api/games/{game_id}/invitations")["invitations"]
    cast.alice.delete(f"/api/games/{game_id}/invitations/{made['id']}")
    assert_shut_out(cast.bob, game_id, key)


@sqlite_only
def test_a_mailed_invitation_is_valid_for_its_table_and_cannot_be_altered(cast, office):
    game_id, other = cast.open(private=True), cast.open(private=True)
    key = mailed_key(cast, office, game_id)["Invitation"]
    assert_shut_out(cast.bob, other, {"Invitation": key})
    invitation, signature = key.split(".")
    for wrong in (invitation, f"{invitation}.", f"{invitation}.{signature[::-1]}"):
        assert_shut_out(cast.bob, game_id, {"Invitation": wrong})
