"""Circles: who founds, joins, leaves, hands over and ends them, and who knows of them."""

from __future__ import annotations

import pytest

from tests.support.cast import CARAVAN
from tests.support.circles import found, join, key_of, member, names, path
from tests.support.clock import DAY
from tests.support.dump import dump, execute
from tests.support.proposing import registered
from tests.support.talking import two

EVERYTHING = ("", "messages", "games", "results")
"""What members read of a circle."""


@pytest.fixture
def people(cast):
    """All four, with verified addresses."""
    registered(*cast.everybody)
    return cast.everybody


@pytest.fixture
def circle_id(cast, people):
    """A circle of Alice, with Bob."""
    return found(cast.alice, cast.bob)


def shown(person, circle_id):
    return person.get(path(circle_id))


def refused(person, circle_id, circle):
    """Joining with the link of `circle` is refused as if there were no such circle."""
    headers = key_of(circle)
    told = person.refused("POST", path(circle_id, "members"), "not-found", headers=headers)
    person.refused("GET", path(circle_id, "invitation"), "not-found", headers=headers)
    unknown = path("c_0123456789abcdef0123", "members")
    assert told == person.refused("POST", unknown, "not-found", headers=headers)


@pytest.mark.both_databases
def test_a_circle_is_founded_and_joined_with_its_link(cast, people):
    made = cast.alice.post("/api/circles", {"name": "Monday club", "about": "Slow games."})
    assert (made["name"], made["about"], made["host"]) == ("Monday club", "Slow games.", True)
    assert made["link"]["url"].endswith(f"/circles/{made['id']}#join={made['link']['key']}")
    looked = cast.bob.get(path(made["id"], "invitation"), headers=key_of(made))
    assert (looked["name"], looked["host"], looked["members"]) == ("Monday club", "Alice", 1)
    assert not looked["yours"]
    joined = join(cast.bob, made)
    assert (names(joined), joined["host"]) == (["Alice", "Bob"], False)
    assert join(cast.bob, made, 200) == joined
    assert [each["name"] for each in cast.bob.get("/api/me/circles")["circles"]] == ["Monday club"]
    assert cast.carol.get("/api/me/circles") == {"circles": []}


def test_guests_neither_found_nor_join_circles(cast):
    registered(cast.alice)
    made = cast.alice.post("/api/circles", {"name": "Monday club"})
    cast.mallory.refused("POST", "/api/circles", "not-for-guests", {"name": "Mine"})
    headers = key_of(made)
    cast.mallory.refused("POST", path(made["id"], "members"), "not-for-guests", headers=headers)
    assert cast.nobody.get(path(made["id"], "invitation"), headers=headers)["host"] == "Alice"
    cast.nobody.refused("POST", path(made["id"], "members"), "not-signed-in", headers=headers)


@pytest.mark.both_databases
def test_nobody_else_learns_that_there_is_a_circle(cast, circle_id):
    unknown = "c_0123456789abcdef0123"
    for more in EVERYTHING:
        told = cast.mallory.refused("GET", path(circle_id, more), "not-found")
        assert told == cast.mallory.refused("GET", path(unknown, more), "not-found")
    cast.mallory.refused("GET", path(circle_id, "invitation"), "not-found")
    for method, more, body in (
        ("PATCH", "", {"name": "Mine"}),
        ("DELETE", "", None),
        ("POST", "link", None),
        ("PUT", "host", {"member": "u_0123456789abcdef0123"}),
        ("POST", "messages", {"text": "Hello"}),
        ("PUT", "mark", {"number": 1}),
        ("POST", "games", {"ruleset": CARAVAN}),
        ("DELETE", f"members/{member(shown(cast.alice, circle_id), 'Bob')}", None),
    ):
        cast.mallory.refused(method, path(circle_id, more), "not-found", body)
    assert names(shown(cast.alice, circle_id)) == ["Alice", "Bob"]


def test_a_link_that_was_guessed_or_changed_does_not_work(cast, circle_id):
    old = shown(cast.alice, circle_id)
    other = cast.alice.post("/api/circles", {"name": "Other"})
    refused(cast.carol, circle_id, other)
    refused(cast.carol, circle_id, {"link": {"key": "x" * 22}})
    cast.bob.refused("POST", path(circle_id, "link"), "not-host")
    new = cast.alice.post(path(circle_id, "link"))
    refused(cast.carol, circle_id, old)
    assert join(cast.carol, new)


@pytest.mark.both_databases
def test_whoever_is_removed_reads_nothing_more_and_comes_back_only_with_leave(cast, circle_id):
    before = shown(cast.bob, circle_id)
    tag = cast.bob.send("GET", path(circle_id)).headers["ETag"]
    cast.bob.refused("DELETE", path(circle_id, f"members/{member(before, 'Alice')}"), "not-host")
    cast.alice.delete(path(circle_id, f"members/{member(before, 'Bob')}"))
    for more in EVERYTHING:
        cast.bob.refused("GET", path(circle_id, more), "not-found", headers={"If-None-Match": tag})
    cast.bob.refused("POST", path(circle_id, "messages"), "not-found", {"text": "Hello"})
    assert cast.bob.get("/api/me/circles") == {"circles": []}
    after = shown(cast.alice, circle_id)
    assert (names(after), names(after, "removed")) == (["Alice"], ["Bob"])
    refused(cast.bob, circle_id, before)
    refused(cast.bob, circle_id, after)
    refused(cast.carol, circle_id, before)  # he may have passed it on
    join(cast.carol, after)
    assert names(shown(cast.carol, circle_id), "removed") == []
    back = path(circle_id, f"removals/{member(after, 'Bob', 'removed')}")
    cast.carol.refused("DELETE", back, "not-host")
    cast.alice.delete(back)
    join(cast.bob, after)
    assert names(shown(cast.bob, circle_id)) == ["Alice", "Carol", "Bob"]


def test_whom_the_host_has_blocked_cannot_join(cast, people):
    game_id = two(cast)
    made = cast.alice.post("/api/circles", {"name": "Monday club"})
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    refused(cast.bob, made["id"], made)


@pytest.mark.both_databases
def test_a_member_leaves_and_may_return_with_the_link(cast, circle_id):
    before = shown(cast.bob, circle_id)
    cast.bob.delete(path(circle_id, f"members/{before['member']}"))
    cast.bob.refused("GET", path(circle_id), "not-found")
    join(cast.bob, before)


@pytest.mark.both_databases
def test_the_host_hands_over_and_whoever_was_removed_stays_so(cast, circle_id):
    circle = shown(cast.alice, circle_id)
    join(cast.carol, circle)
    join(cast.mallory, circle)
    circle = shown(cast.alice, circle_id)
    cast.bob.refused(
        "PUT", path(circle_id, "host"), "not-host", {"member": member(circle, "Carol")}
    )
    cast.alice.delete(path(circle_id, f"members/{member(circle, 'Mallory')}"))
    gone = {"member": member(circle, "Mallory")}
    cast.alice.refused("PUT", path(circle_id, "host"), "not-found", gone)
    handed = cast.alice.put(path(circle_id, "host"), {"member": member(circle, "Carol")})
    assert (handed["host"], handed["removed"]) == (False, [])
    cast.alice.refused("PATCH", path(circle_id), "not-host", {"name": "Still mine"})
    assert cast.carol.send("PATCH", path(circle_id), json={"name": "Carol's"}).status_code == 200
    assert names(shown(cast.carol, circle_id), "removed") == ["Mallory"]


@pytest.mark.both_databases
def test_if_the_host_leaves_the_longest_standing_member_is_the_host_and_then_it_ends(
    app, cast, circle_id
):
    circle = shown(cast.alice, circle_id)
    join(cast.carol, circle)
    cast.alice.delete(path(circle_id, f"members/{circle['member']}"))
    assert shown(cast.bob, circle_id)["host"]
    for person in (cast.bob, cast.carol):
        cast.carol.get(path(circle_id))
        person.delete(path(circle_id, f"members/{shown(person, circle_id)['member']}"))
    assert execute(app, "SELECT * FROM circles") == []


@pytest.mark.both_databases
def test_a_host_who_is_erased_hands_over_and_a_circle_of_nobody_ends(app, cast, circle_id):
    cast.alice.post(path(circle_id, "messages"), {"text": "My secret"})
    cast.alice.post(path(circle_id, "games"), {"ruleset": CARAVAN})
    alone = found(cast.alice)
    cast.alice.post("/api/me/erasure", {}, 204)
    assert names(shown(cast.bob, circle_id)) == ["Bob"]
    assert shown(cast.bob, circle_id)["host"]
    (said,) = cast.bob.get(path(circle_id, "messages"))["messages"]
    assert (said["text"], said["hidden"]) == (None, True)
    assert "secret" not in str(dump(app))
    assert [row.id for row in execute(app, "SELECT id FROM circles")] == [circle_id] != [alone]


@pytest.mark.both_databases
def test_a_circle_that_is_ended_leaves_nothing_but_its_tables(app, cast, circle_id):
    cast.bob.post(path(circle_id, "messages"), {"text": "Hello"})
    table = cast.bob.post(path(circle_id, "games"), {"ruleset": CARAVAN})["id"]
    cast.bob.refused("DELETE", path(circle_id), "not-host")
    cast.alice.delete(path(circle_id))
    for person in (cast.alice, cast.bob):
        person.refused("GET", path(circle_id), "not-found")
    kept = dump(app)
    assert kept["circles"] == kept["circle_members"] == kept["circle_messages"] == []
    assert cast.bob.game(table)["id"] == table
    cast.alice.refused("GET", f"/api/games/{table}", "not-found")


def test_names_are_checked_and_what_is_missing_stays(cast, circle_id):
    cast.alice.refused("POST", "/api/circles", "unusable-name", {"name": "see example.org"})
    cast.alice.refused("PATCH", path(circle_id), "unusable-name", {"name": "Tegami"})
    for body in ({"about": "Slow games."}, {"name": "Tuesday club"}):
        assert cast.alice.send("PATCH", path(circle_id), json=body).status_code == 200
    assert shown(cast.bob, circle_id)["name"] == "Tuesday club"
    assert shown(cast.bob, circle_id)["about"] == "Slow games."
    cast.alice.send("PATCH", path(circle_id), json={"about": None})
    assert shown(cast.bob, circle_id)["about"] is None


def test_nothing_to_change_changes_nothing(cast, circle_id):
    before = cast.alice.get(path(circle_id))
    assert cast.alice.send("PATCH", path(circle_id), json={}).json == before
    assert cast.alice.get(path(circle_id)) == before
    cast.bob.refused("PATCH", path(circle_id), "not-host", {})


def test_an_unchanged_circle_is_not_sent_again(cast, circle_id):
    for more in EVERYTHING:
        tag = cast.bob.send("GET", path(circle_id, more)).headers["ETag"]
        again = cast.bob.send("GET", path(circle_id, more), headers={"If-None-Match": tag})
        assert again.status_code == 304


def test_ten_circles_are_founded_a_day_and_twenty_joined_in_all(cast, clock, people):
    for _ in range(2):
        for _ in range(10):
            found(cast.alice)
        told = cast.alice.send("POST", "/api/circles", json={"name": "One more"})
        assert told.status_code in (409, 429)
        clock.forward(DAY)
    told = cast.alice.refused("POST", "/api/circles", "not-possible", {"name": "One more"})
    assert told["why"] == "circles"


def test_thirty_circles_are_joined_a_day(cast, clock, circle_id):
    circle = shown(cast.bob, circle_id)
    for n in range(30):
        joined = join(cast.carol, circle)
        cast.carol.delete(path(circle_id, f"members/{joined['member']}"))
        clock.forward(120_000 if n % 2 else 0)  # as often as an hour allows
    joining = path(circle_id, "members")
    cast.carol.refused("POST", joining, "too-many-requests", headers=key_of(circle))
    join(cast.mallory, circle)
    clock.forward(DAY)
    join(cast.carol, circle)


def test_a_circle_has_a_hundred_members(app, cast, circle_id):
    for n in range(98):
        row = {"player": f"p_{n:022}", "member": f"u_{n:022}", "circle": circle_id}
        execute(
            app,
            "INSERT INTO players (id, name, language, created_at) VALUES (:id, 'Ann', 'en', 0)",
            id=row["player"],
        )
        execute(
            app,
            "INSERT INTO circle_members (id, circle_key, player_id, joined_at)"
            " SELECT :member, key, :player, 0 FROM circles WHERE id = :circle",
            **row,
        )
    circle = shown(cast.alice, circle_id)
    told = cast.carol.refused(
        "POST", path(circle_id, "members"), "not-possible", headers=key_of(circle)
    )
    assert told["why"] == "members"


def test_circles_are_exported(cast, circle_id):
    cast.bob.post(path(circle_id, "messages"), {"text": "Hello"})
    cast.alice.delete(path(circle_id, f"members/{member(shown(cast.alice, circle_id), 'Bob')}"))
    (told,) = cast.bob.get("/api/me/export")["circles"]
    assert (told["name"], told["host"], told["removed_at"] is None) == ("Monday club", False, False)
    (said,) = cast.bob.get("/api/me/export")["circle_messages"]
    assert (said["circle"], said["text"]) == ("Monday club", "Hello")
    assert cast.alice.get("/api/me/export")["circles"][0]["host"]
