"""Rematches with the same people, and nudges for slow players."""

from __future__ import annotations

import pytest

import rules
from service.core.runtime.time_and_random import rfc3339
from service.tables.before_start import table_setup
from tests.service.tables.before_start.test_invitations import DECLINE
from tests.support.cast import CARAVAN, Cast, sqlite_only
from tests.support.clock import DAY, HOUR
from tests.support.closing import close_by_operator
from tests.support.dump import execute
from tests.support.each_game import each_slug
from tests.support.post_office import Office, part
from tests.support.talking import at


@pytest.fixture
def office(app, cast):
    """The mails sent; all three have addresses."""
    office = Office(app)
    office.address(*cast.seated)
    return office


def test_who_sits_down_for_a_rematch_again_and_again_has_to_wait(cast):
    game_id = ended(cast)
    table = again(cast.alice, game_id)
    path = f"/api/games/{table['id']}/seats"
    for _ in range(table_setup.AT_A_TABLE.most):
        seated = again(cast.bob, game_id, 200)
        cast.bob.delete(f"{path}/{seated['tenure']}")
    cast.bob.refused("POST", f"/api/games/{game_id}/rematch", "too-many-requests", {})


def ended(cast: Cast, **wish):
    """A game of three that the operator has closed."""
    game_id = cast.start(**wish)
    finish(cast.app, game_id)
    return game_id


def finish(app, game_id):
    services = app.extensions["tegami"]
    with app.app_context():
        close_by_operator(services, game_id)


def again(person, game_id, status=201, **more):
    return person.post(at(game_id, "rematch"), {"nonce": None}, status, **more)


def asked(person):
    return person.get("/api/me/invitations")["invitations"]


def names(game):
    return [seat["name"] for seat in game["seats"]]


def test_a_rematch_has_the_settings_of_the_game_before(cast, office):
    rest = {"time_zone": "Asia/Tokyo", "days": [7], "open": "08:00-22:00"}
    wish = {"private": True, "pace": "relaxed", "rest": rest, "takeover": 5}
    before = cast.alice.game(ended(cast, **wish))
    game = again(cast.bob, before["id"])
    for name in (
        "ruleset",
        "options",
        "players",
        "private",
        "seating",
        "start",
        "pace",
        "takeover",
    ):
        assert game[name] == before[name], name
    assert (game["status"], names(game)) == ("open", ["Bob"])
    assert game["commitment"] != before["commitment"]


@each_slug
def test_every_ruleset_can_be_played_again(cast, slug):
    ruleset = rules.load(slug)
    if ruleset.live(ruleset.players[0], ruleset.settle(ruleset.players[0], {})):
        pytest.skip("needs everybody to be online at once, which is not offered")
    game = cast.alice.post("/api/games", {"ruleset": slug, "house": ruleset.players[0] - 1})
    cast.alice.post(at(game["id"], "start"), status=200)
    finish(cast.app, game["id"])
    assert again(cast.alice, game["id"])["options"] == game["options"]


def test_the_others_are_invited_and_places_are_kept_for_them(cast, office):
    game = again(cast.alice, ended(cast))
    invited = [
        each["name"] for each in cast.alice.get(at(game["id"], "invitations"))["invitations"]
    ]
    assert sorted(invited) == ["Bob", "Carol"]
    letters = [each for each in office.deliver() if "Another game" in each["Subject"]]
    assert {each["To"] for each in letters} == {"bob@example.org", "carol@example.org"}
    assert f"/offers/{game['id']}." in part(letters[0])
    cast.mallory.refused("POST", at(game["id"], "seats"), "table-full", {})
    (lobby,) = cast.mallory.get("/api/games?status=open")["games"]
    assert (lobby["seated"], lobby["free"]) == (1, 0)
    assert cast.mallory.get("/api/games?status=open&free=1")["games"] == []
    (found,) = asked(cast.bob)
    assert (found["by"], found["game"]["id"], found["game"]["free"]) == ("Alice", game["id"], 1)
    cast.bob.post(at(game["id"], "seats"), {})
    cast.carol.delete(f"/api/me/invitations/{asked(cast.carol)[0]['id']}")
    cast.mallory.post(at(game["id"], "seats"), {})


@pytest.mark.both_databases
def test_players_who_ask_later_sit_down_at_the_same_table(cast, office):
    before = ended(cast)
    game = again(cast.alice, before)
    assert names(again(cast.bob, before, 200)) == ["Alice", "Bob"]
    assert again(cast.bob, before, 200)["id"] == game["id"], "somebody who sits there already stays"
    assert names(again(cast.carol, before, 200)) == ["Alice", "Bob", "Carol"]
    cast.alice.post(at(game["id"], "start"), status=200)
    assert again(cast.bob, before, 200)["id"] == game["id"], "even once it has started"
    cast.carol.post(at(game["id"], "resignation"), status=200)
    assert again(cast.carol, before)["id"] != game["id"], "somebody who has left gets a new table"


@sqlite_only
def test_only_a_rematch_of_that_game_is_joined(cast):
    before, other = ended(cast), cast.open()
    assert again(cast.alice, before)["id"] != other


@sqlite_only
def test_an_open_rematch_comes_before_one_that_one_plays_already(cast):
    before = ended(cast)
    first = again(cast.alice, before)["id"]
    cast.alice.post(at(first, "start"), {"house": True}, status=200)
    second = again(cast.bob, before)["id"]
    assert second != first
    game = again(cast.alice, before, 200)
    assert (game["id"], names(game)) == (second, ["Bob", "Alice"])


@sqlite_only
def test_an_invitation_to_a_rematch_is_declined_by_its_link(client, cast, office):
    again(cast.alice, ended(cast))
    letters = [part(each) for each in office.deliver() if each["To"] == "bob@example.org"]
    (link,) = filter(None, map(DECLINE.search, letters))
    assert "Declined" in client.post(link[1]).text
    assert (asked(cast.bob), len(asked(cast.carol))) == ([], 1)


def test_invited_players_can_see_the_rematch_of_a_private_game(cast, office):
    game = again(cast.alice, ended(cast, private=True))
    assert cast.bob.game(game["id"])["seat"] is None
    cast.mallory.refused("GET", f"/api/games/{game['id']}", "not-found")
    cast.bob.post(at(game["id"], "seats"), {})


def test_house_players_are_added_and_a_full_table_starts_automatically(cast):
    game_id = cast.open(CARAVAN, house=1, start="full")
    finish(cast.app, game_id)
    game = again(cast.alice, game_id)
    assert (game["status"], [seat["house"] for seat in game["seats"]]) == ("running", [False, True])


@pytest.mark.both_databases
def test_two_clicks_open_one_rematch_even_if_it_starts_at_once(cast):
    game_id = cast.open(house=2, start="full")
    finish(cast.app, game_id)
    first = again(cast.alice, game_id)
    assert first["status"] == "running"
    assert again(cast.alice, game_id, 200)["id"] == first["id"]
    finish(cast.app, first["id"])
    assert again(cast.alice, game_id)["id"] != first["id"]


def test_people_who_blocked_the_host_are_not_invited(cast, office):
    before = ended(cast)
    body = {"game": before, "tenure": cast.alice.game(before)["tenure"]}
    cast.bob.post("/api/me/blocks", body)
    game = again(cast.alice, before)
    assert asked(cast.bob) == []
    assert len(asked(cast.carol)) == 1
    cast.mallory.post(at(game["id"], "seats"), {})
    cast.bob.refused("POST", at(before, "rematch"), "table-full", {})


def test_people_blocked_by_the_host_are_not_admitted(cast, office):
    before = ended(cast)
    body = {"game": before, "tenure": cast.bob.game(before)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    again(cast.alice, before)
    assert asked(cast.bob) == []
    cast.bob.refused("POST", at(before, "rematch"), "not-admitted", {})


@pytest.mark.both_databases
def test_opening_a_rematch_repeatedly_queues_one_mail_for_each_player(cast, office):
    before = ended(cast)
    office.deliver()
    for _ in range(3):
        game = again(cast.alice, before)
        cast.alice.delete(at(game["id"], f"seats/{game['tenure']}"))
        cast.alice.refused("GET", f"/api/games/{game['id']}", "not-found")
    assert asked(cast.bob) == []
    assert [row.kind for row in office.due("offer")] == ["offer", "offer"]
    assert office.deliver() == [], "the tables are gone"


def test_only_those_seated_at_the_end_can_open_a_rematch_and_only_after_it(cast):
    game_id = cast.start()
    cast.alice.refused("POST", at(game_id, "rematch"), "not-over", {})
    cast.carol.post(at(game_id, "resignation"), status=200)
    finish(cast.app, game_id)
    cast.carol.refused("POST", at(game_id, "rematch"), "not-seated", {})
    cast.mallory.refused("POST", at(game_id, "rematch"), "not-seated", {})
    cast.nobody.refused("POST", at(game_id, "rematch"), "not-signed-in", {})


# Nudges


def nudge(person, game_id):
    return person.post(at(game_id, "nudge"), status=202)["seat"]


def nudge_from(person, game_id):
    """The times from which each waiting seat may be nudged."""
    return {each["seat"]: each["nudge_from"] for each in person.game(game_id)["waiting"]}


def test_nobody_is_nudged_at_once(cast, clock, office):
    game_id = cast.start()
    told = nudge_from(cast.bob, game_id)[0]
    office.deliver()
    clock.forward(DAY - 1)
    refused = cast.bob.refused("POST", at(game_id, "nudge"), "too-early")
    assert refused["nudge_from"] == told == rfc3339(clock() + 1)
    assert office.deliver() == []
    clock.forward(1)
    assert nudge(cast.bob, game_id) == 0


def test_at_a_fast_table_half_of_the_time_has_to_pass(cast, clock):
    game_id = cast.start(pace={"kind": "decision", "seconds": 3600})
    assert nudge_from(cast.bob, game_id) == {0: rfc3339(clock() + HOUR // 2)}


def test_only_the_others_are_told_from_when_they_may_nudge(cast):
    game_id = cast.start()
    for person in (cast.alice, cast.mallory):
        assert nudge_from(person, game_id) == {0: None}


def test_a_nudge_is_at_once_seen_by_the_others(cast, clock):
    game_id = cast.start()
    clock.forward(DAY)
    shown = cast.carol.game(game_id)
    nudge(cast.bob, game_id)
    assert cast.carol.game(game_id)["revision"] > shown["revision"]
    assert nudge_from(cast.carol, game_id) == {0: rfc3339(clock() + DAY)}


def test_a_nudge_is_mailed_to_the_player_who_is_waited_for(cast, clock, office):
    game_id = cast.start(pace="relaxed")
    office.deliver()
    clock.forward(DAY)
    assert nudge(cast.bob, game_id) == 0
    (letter,) = office.deliver()
    assert letter["To"] == "alice@example.org"
    assert "asks you to play" in part(letter)
    assert "Bob asks" not in part(letter)


@pytest.mark.both_databases
def test_a_person_is_nudged_at_most_once_a_day_at_each_table(cast, clock, office):
    game_id, other = cast.start(), cast.start(CARAVAN)
    clock.forward(DAY)
    nudge(cast.bob, game_id)
    assert nudge(cast.bob, other) == 0
    for later, seconds in ((HOUR, 82_801), (DAY - HOUR - 1, 1)):
        clock.forward(later)
        answer = cast.carol.send("POST", at(game_id, "nudge"))
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(seconds))
    clock.forward(1)
    assert nudge(cast.carol, game_id) == 0


@sqlite_only
def test_a_day_after_a_nudge_it_is_the_new_question_that_is_too_young(cast, clock):
    game_id = cast.start(CARAVAN)
    clock.forward(DAY)
    nudge(cast.bob, game_id)
    clock.forward(HOUR)
    for person in (cast.alice, cast.bob):
        person.answer(person.game(game_id))
    assert cast.alice.game(game_id)["legal"]
    cast.bob.refused("POST", at(game_id, "nudge"), "too-many-requests")
    clock.forward(DAY - HOUR)
    refused = cast.bob.refused("POST", at(game_id, "nudge"), "too-early")
    assert refused["nudge_from"] == rfc3339(clock() + HOUR)


def test_a_nudge_is_not_sent_once_the_player_has_answered(cast, clock, office):
    game_id = cast.start()
    clock.forward(DAY)
    nudge(cast.bob, game_id)
    cast.alice.answer(cast.alice.game(game_id))
    assert not [each for each in office.deliver() if each["To"] == "alice@example.org"]


def test_only_players_can_nudge_and_nobody_nudges_themselves(app, cast, clock, office):
    game_id = cast.start()
    cast.mallory.refused("POST", at(game_id, "nudge"), "not-seated")
    cast.alice.refused("POST", at(game_id, "nudge"), "not-possible")
    now = clock()
    execute(
        app,
        "UPDATE players SET away_from = :a, away_until = :b WHERE id = :id",
        a=now - HOUR,
        b=now + 2 * DAY,
        id=cast.alice.id,
    )
    refused = cast.bob.refused("POST", at(game_id, "nudge"), "too-early")
    assert refused["nudge_from"] == rfc3339(now + 2 * DAY)
    cast.alice.refused("POST", at(cast.open(), "nudge"), "not-running")


def test_a_nudge_from_a_blocked_player_is_silently_dropped(cast, clock, office):
    game_id = cast.start()
    clock.forward(DAY)
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    office.deliver()
    assert nudge(cast.bob, game_id) == 0
    assert office.deliver() == []
