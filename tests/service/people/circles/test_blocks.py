"""Blocks: a blocked person cannot sit down or write at the blocker's tables, and learns nothing else."""

from __future__ import annotations

import pytest

from tests.support.cast import CARAVAN, Person
from tests.support.proposing import registered
from tests.support.talking import SEATS, SPECTATORS, at, heard, say, talk, two

PATH = "/api/me/blocks"


def block(person, other, game_id, status=201):
    body = {"game": game_id, "tenure": other.game(game_id)["tenure"]}
    return person.post(PATH, body, status)


def met(cast):
    """alice has blocked bob, whom she met at a table."""
    game_id = two(cast)
    return block(cast.alice, cast.bob, game_id)


@pytest.mark.both_databases
def test_a_blocked_person_cannot_sit_down_at_the_blockers_table(cast):
    made = met(cast)
    assert made["name"] == "Bob"
    mine = cast.open()
    cast.bob.refused("POST", at(mine, "seats"), "not-admitted", {})
    cast.carol.post(at(mine, "seats"), {})
    cast.bob.refused("POST", at(mine, "seats"), "not-admitted", {})
    cast.alice.delete(f"{PATH}/{made['id']}")
    cast.bob.post(at(mine, "seats"), {})


def test_at_the_tables_of_others_both_may_sit_down_if_they_insist(cast):
    met(cast)
    game_id = cast.carol.post("/api/games", {"ruleset": CARAVAN})["id"]
    cast.alice.post(at(game_id, "seats"), {})
    bobs = cast.bob.post("/api/games", {"ruleset": CARAVAN})["id"]
    cast.alice.post(at(bobs, "seats"), {"anyway": True})
    say(cast.bob, bobs, "Welcome.")
    assert heard(cast.alice, bobs) == ["Welcome."]


def test_the_blocks_of_the_present_host_count(cast):
    met(cast)
    game_id = cast.carol.post("/api/games", {"ruleset": "boomerang-auction"})["id"]
    cast.alice.post(at(game_id, "seats"), {})
    cast.carol.delete(at(game_id, f"seats/{cast.carol.game(game_id)['tenure']}"))
    cast.bob.refused("POST", at(game_id, "seats"), "not-admitted", {})
    cast.mallory.post(at(game_id, "seats"), {})
    cast.alice.delete(at(game_id, f"seats/{cast.alice.game(game_id)['tenure']}"))
    cast.bob.post(at(game_id, "seats"), {})


def test_a_blocked_person_cannot_write_at_the_blockers_table(cast):
    game_id = two(cast)
    block(cast.alice, cast.bob, game_id)
    body = {"channel": SEATS, "text": "x"}
    cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    other = cast.open()
    aside = {"channel": SPECTATORS, "text": "x"}
    cast.bob.refused("POST", at(other, "messages"), "may-not-talk", aside)
    assert talk(cast.bob, game_id)[SEATS]["writes"] is False
    say(cast.alice, game_id, "You may still read and play.")
    assert heard(cast.bob, game_id) == ["You may still read and play."]


def test_a_block_and_a_mute_get_the_same_answer(cast):
    game_id = two(cast)
    body = {"channel": SEATS, "text": "x"}
    mute = cast.alice.post(at(game_id, "mutes"), {"tenure": cast.bob.game(game_id)["tenure"]})
    muted = cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body)
    cast.alice.delete(at(game_id, f"mutes/{mute['id']}"))
    block(cast.alice, cast.bob, game_id)
    assert cast.bob.refused("POST", at(game_id, "messages"), "may-not-talk", body) == muted


def test_a_blocked_person_sees_nothing_else_change(cast):
    game_id = two(cast)
    paths = (f"/api/games/{game_id}", "/api/me", "/api/games", PATH, "/api/me/turns")
    before = [cast.bob.get(path) for path in paths]
    block(cast.alice, cast.bob, game_id)
    assert [cast.bob.get(path) for path in paths] == before


def test_a_blocked_person_cannot_become_a_substitute(cast):
    met(cast)
    game_id = cast.open("boomerang-auction", house=1)
    cast.carol.post(at(game_id, "seats"), {})
    cast.alice.post(at(game_id, "start"), status=200)
    body = {"kind": "substitute", "seat": 1}
    registered(cast.mallory)
    cast.bob.refused("POST", at(game_id, "proposals"), "not-possible", body)
    cast.mallory.post(at(game_id, "proposals"), body)


def test_a_spectator_is_blocked_by_a_message(cast):
    game_id = cast.start()
    said = say(cast.mallory, game_id, "x", SPECTATORS)
    other = Person(cast.app, "Dora")
    made = other.post(PATH, {"game": game_id, "message": said["id"]})
    assert made["name"] == "Mallory"
    cast.alice.refused("POST", PATH, "not-found", {"game": game_id, "message": said["id"]})


@pytest.mark.both_databases
def test_blocks_are_listed_by_page_to_their_owner_alone(cast):
    game_id = cast.start()
    made = [block(cast.alice, other, game_id) for other in (cast.bob, cast.carol)]
    assert block(cast.alice, cast.bob, game_id, 200) == made[0]
    first = cast.alice.get(f"{PATH}?limit=1")
    assert first["blocks"] == [made[1]]
    last = cast.alice.get(f"{PATH}?limit=1&cursor={first['next']}")
    assert (last["blocks"], last["next"]) == ([made[0]], None)
    assert cast.bob.get(PATH)["blocks"] == []
    for person in (cast.bob, cast.mallory):
        person.refused("DELETE", f"{PATH}/{made[0]['id']}", "not-found")
    cast.nobody.refused("GET", PATH, "not-signed-in")


def test_nobody_can_be_blocked_by_a_table_that_is_not_visible(cast):
    game_id = cast.start(private=True)
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.mallory.refused("POST", PATH, "not-found", body)
    key = cast.alice.game(game_id)["invitation"]["key"]
    cast.mallory.post(PATH, body, headers={"Invitation": key})
