"""Follows: who may follow whom, who sees it, and what it does."""

from __future__ import annotations

import pytest

from service.people.circles.follows import MOST_FOLLOWED
from tests.support.cast import CARAVAN
from tests.support.dump import dump, execute
from tests.support.proposing import registered
from tests.support.talking import at

FOLLOWS, FOLLOWERS = "/api/me/follows", "/api/me/followers"


@pytest.fixture
def game_id(cast):
    """A game of the three, who have verified addresses."""
    registered(*cast.seated)
    return cast.start()


def reference(person, other, game_id):
    return {"game": game_id, "tenure": other.game(game_id)["tenure"]}


def follow(person, other, game_id, status=201):
    return person.post(FOLLOWS, reference(person, other, game_id), status)


def names(person, path=FOLLOWS):
    return [each["name"] for each in person.get(path)[path.rsplit("/")[-1]]]


@pytest.mark.both_databases
def test_people_who_have_played_together_can_follow_each_other(cast, game_id):
    made = follow(cast.alice, cast.bob, game_id)
    assert (made["name"], made["mutual"]) == ("Bob", False)
    assert follow(cast.alice, cast.bob, game_id, 200) == made
    assert names(cast.alice) == ["Bob"]
    assert names(cast.bob) == []
    follow(cast.bob, cast.alice, game_id)
    assert cast.alice.get(FOLLOWS)["follows"] == [{**made, "mutual": True}]
    cast.alice.delete(f"{FOLLOWS}/{made['id']}")
    assert names(cast.alice) == []
    assert names(cast.alice, FOLLOWERS) == ["Bob"]


def test_somebody_is_followed_from_their_page(cast, game_id):
    page = "/api/players/bob"
    assert cast.alice.get(page)["follow"] == {"id": None}
    made = cast.alice.post(FOLLOWS, {"handle": "bob"}, 201)
    assert cast.alice.get(page)["follow"] == {"id": made["id"]}
    for wrong in ({"handle": "bob", "game": game_id}, {"game": game_id}, {}):
        cast.alice.refused("POST", FOLLOWS, "invalid-body", wrong)
    assert cast.bob.get(page)["follow"] is None
    cast.bob.send("PATCH", "/api/me/settings", json={"page_for": "everyone"})
    assert cast.nobody.get(page)["follow"] is None
    assert cast.mallory.get(page)["follow"] is None, "a guest"
    registered(cast.mallory)
    assert cast.mallory.get(page)["follow"] is None, "a stranger"
    cast.mallory.refused("POST", FOLLOWS, "not-found", {"handle": "bob"})


def test_nobody_is_followed_by_the_handle_of_a_page_that_is_not_shown(cast, game_id):
    cast.bob.send("PATCH", "/api/me/settings", json={"page_for": "nobody"})
    for handle in ("bob", "nobody-at-all"):
        cast.alice.refused("POST", FOLLOWS, "not-found", {"handle": handle})
    cast.bob.send("PATCH", "/api/me/settings", json={"page_for": "played"})
    cast.alice.post("/api/me/blocks", reference(cast.alice, cast.bob, game_id), 201)
    assert cast.alice.get("/api/players/bob")["follow"] is None
    cast.alice.refused("POST", FOLLOWS, "not-found", {"handle": "bob"})


def test_whoever_is_followed_sees_it_and_can_end_it(cast, game_id):
    made = follow(cast.alice, cast.bob, game_id)
    (mine,) = cast.bob.get(FOLLOWERS)["followers"]
    assert (mine["id"], mine["name"]) == (made["id"], "Alice")
    for person in (cast.carol, cast.alice):
        person.refused("DELETE", f"{FOLLOWERS}/{made['id']}", "not-found")
    for person in (cast.carol, cast.bob):
        person.refused("DELETE", f"{FOLLOWS}/{made['id']}", "not-found")
    before = cast.alice.get("/api/me/turns")
    cast.bob.delete(f"{FOLLOWERS}/{made['id']}")
    assert names(cast.alice) == names(cast.bob, FOLLOWERS) == []
    assert cast.alice.get("/api/me/turns") == before


def test_nobody_is_followed_by_a_stranger_a_guest_or_oneself(cast, game_id):
    cast.mallory.refused(
        "POST", FOLLOWS, "not-for-guests", reference(cast.mallory, cast.bob, game_id)
    )
    registered(cast.mallory)
    cast.mallory.refused("POST", FOLLOWS, "not-found", reference(cast.mallory, cast.bob, game_id))
    cast.alice.refused("POST", FOLLOWS, "not-found", reference(cast.alice, cast.alice, game_id))
    cast.nobody.refused("GET", FOLLOWS, "not-signed-in")


def test_a_guest_is_not_followed(cast):
    registered(cast.alice)
    game_id = cast.start()
    cast.alice.refused("POST", FOLLOWS, "not-found", reference(cast.alice, cast.bob, game_id))


def test_whoever_is_followed_may_follow_back(app, cast, game_id):
    registered(cast.mallory)
    row = {"id": "f_0123456789abcdef0123", "a": cast.mallory.id, "b": cast.alice.id}
    execute(
        app,
        "INSERT INTO follows (id, player_id, followed_id, created_at) VALUES (:id, :a, :b, 0)",
        **row,
    )
    table = cast.open()
    cast.mallory.post(at(table, "seats"), {})
    assert follow(cast.alice, cast.mallory, table)["mutual"]
    cast.bob.refused("POST", FOLLOWS, "not-found", reference(cast.bob, cast.mallory, table))


@pytest.mark.both_databases
def test_a_block_ends_follows_in_both_directions_and_prevents_them(cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    follow(cast.bob, cast.alice, game_id)
    follow(cast.carol, cast.bob, game_id)
    cast.alice.post("/api/me/blocks", reference(cast.alice, cast.bob, game_id))
    for person in (cast.alice, cast.bob):
        assert names(person) == []
    assert names(cast.bob, FOLLOWERS) == ["Carol"]
    unknown = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    told = cast.bob.refused("POST", FOLLOWS, "not-found", reference(cast.bob, cast.alice, game_id))
    assert told == cast.bob.refused("POST", FOLLOWS, "not-found", unknown)
    cast.alice.refused("POST", FOLLOWS, "not-found", reference(cast.alice, cast.bob, game_id))


def test_follows_are_listed_by_page(cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    follow(cast.alice, cast.carol, game_id)
    first = cast.alice.get(f"{FOLLOWS}?limit=1")
    last = cast.alice.get(f"{FOLLOWS}?limit=1&cursor={first['next']}")
    assert [page["follows"][0]["name"] for page in (first, last)] == ["Carol", "Bob"]
    assert last["next"] is None
    follow(cast.bob, cast.carol, game_id)
    first = cast.carol.get(f"{FOLLOWERS}?limit=1")
    last = cast.carol.get(f"{FOLLOWERS}?limit=1&cursor={first['next']}")
    assert [page["followers"][0]["name"] for page in (first, last)] == ["Bob", "Alice"]


def test_an_unchanged_list_is_not_sent_again(cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    for person, path in ((cast.alice, FOLLOWS), (cast.bob, FOLLOWERS)):
        tag = person.send("GET", path).headers["ETag"]
        assert person.send("GET", path, headers={"If-None-Match": tag}).status_code == 304


def test_nobody_follows_more_people_than_allowed(app, cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    for n in range(1, MOST_FOLLOWED):
        row = {"id": f"p_{n:022}", "follow": f"f_{n:022}", "me": cast.alice.id}
        execute(
            app,
            "INSERT INTO players (id, name, language, created_at) VALUES (:id, 'Ann', 'en', 0)",
            id=row["id"],
        )
        execute(
            app,
            "INSERT INTO follows (id, player_id, followed_id, created_at)"
            " VALUES (:follow, :me, :id, 0)",
            **row,
        )
    follow(cast.alice, cast.bob, game_id, 200)
    told = cast.alice.refused(
        "POST", FOLLOWS, "not-possible", reference(cast.alice, cast.carol, game_id)
    )
    assert told["why"] == "follows"


@pytest.mark.both_databases
def test_tables_of_people_whom_one_follows_come_first_on_every_page(cast, game_id):
    def ids(person, query=""):
        page = person.get(f"/api/games?status=open&limit=2{query}")
        return [each["id"] for each in page["games"]], page["next"]

    bobs = [cast.bob.post("/api/games", {"ruleset": CARAVAN})["id"] for _ in range(2)]
    others = [
        each.post("/api/games", {"ruleset": CARAVAN})["id"] for each in (cast.mallory, cast.carol)
    ]
    fair = [*reversed(others), *bobs[:1], *bobs[1:]]
    first, cursor = ids(cast.alice)
    assert first == fair[:2]
    assert ids(cast.alice, f"&cursor={cursor}") == (fair[2:], None)
    follow(cast.alice, cast.bob, game_id)
    first, cursor = ids(cast.alice)
    assert first == bobs
    assert ids(cast.alice, f"&cursor={cursor}") == ([*reversed(others)], None)
    assert ids(cast.carol)[0] == fair[:2]


def test_a_private_table_of_somebody_whom_one_follows_stays_unseen(cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    cast.bob.post("/api/games", {"ruleset": CARAVAN, "private": True})
    assert cast.alice.get("/api/games?status=open")["games"] == []


def test_follows_are_exported_and_erased(app, cast, game_id):
    follow(cast.alice, cast.bob, game_id)
    follow(cast.carol, cast.alice, game_id)
    told = cast.alice.get("/api/me/export")["follows"]
    assert [(each["name"], each["yours"]) for each in told] == [("Bob", True), ("Carol", False)]
    cast.alice.post("/api/me/erasure", {}, 204)
    assert dump(app)["follows"] == []
