"""Once more with the same people, and a nudge for whoever is slow."""

from __future__ import annotations

import pytest

import rules
from service import seats
from tests.service.cast import CARAVAN, Cast
from tests.service.correspondence import Office, part
from tests.service.dump import execute
from tests.service.hours import DAY, HOUR
from tests.service.talking import at


@pytest.fixture
def office(app, cast):
    """All three have addresses."""
    office = Office(app)
    office.address(*cast.seated)
    return office


def ended(cast: Cast, **wish):
    """A game of three that the operator ended."""
    game_id = cast.start(**wish)
    finish(cast.app, game_id)
    return game_id


def finish(app, game_id):
    kit = app.extensions["tegami"]
    with app.app_context():
        seats.remove(kit.outside, kit.states, game_id)


def again(person, game_id, status=201, **more):
    return person.post(at(game_id, "rematch"), {}, status, **more)


def asked(person):
    return person.get("/api/me/invitations")["invitations"]


def names(game):
    return [seat["name"] for seat in game["seats"]]


def test_a_rematch_is_a_table_like_the_one_before(cast, office):
    wish = {"private": True, "pace": "relaxed", "takeover": 5}
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


@pytest.mark.parametrize("slug", rules.slugs())
def test_every_ruleset_can_be_played_again(cast, slug):
    ruleset = rules.load(slug)
    if ruleset.live(ruleset.players[0], ruleset.settle(ruleset.players[0], {})):
        pytest.skip("not played here yet")
    game = cast.alice.post("/api/games", {"ruleset": slug, "house": ruleset.players[0] - 1})
    cast.alice.post(at(game["id"], "start"), status=200)
    finish(cast.app, game["id"])
    assert again(cast.alice, game["id"])["options"] == game["options"]


def test_the_others_are_invited_and_have_a_place_kept(cast, office):
    game = again(cast.alice, ended(cast))
    told = [each["name"] for each in cast.alice.get(at(game["id"], "invitations"))["invitations"]]
    assert sorted(told) == ["Bob", "Carol"]
    letters = [each for each in office.deliver() if "play" in each["Subject"]]
    assert {each["To"] for each in letters} == {"bob@example.org", "carol@example.org"}
    assert f"/#/games/{game['id']}" in part(letters[0])
    cast.mallory.refused("POST", at(game["id"], "seats"), "table-full", {})
    (lobby,) = cast.mallory.get("/api/games?status=open")["games"]
    assert (lobby["seated"], lobby["free"]) == (1, 0)
    assert cast.mallory.get("/api/games?status=open&free=1")["games"] == []
    (found,) = asked(cast.bob)
    assert (found["by"], found["game"]["id"], found["game"]["free"]) == ("Alice", game["id"], 1)
    cast.bob.post(at(game["id"], "seats"), {})
    cast.carol.delete(f"/api/me/invitations/{asked(cast.carol)[0]['id']}")
    cast.mallory.post(at(game["id"], "seats"), {})


def test_who_asks_later_sits_down_at_the_same_table(cast, office):
    before = ended(cast)
    game = again(cast.alice, before)
    assert names(again(cast.bob, before, 200)) == ["Alice", "Bob"]
    assert again(cast.bob, before, 200)["id"] == game["id"], "who sits there already stays"
    assert names(again(cast.carol, before, 200)) == ["Alice", "Bob", "Carol"]
    cast.alice.post(at(game["id"], "start"), status=200)
    assert again(cast.bob, before, 200)["id"] == game["id"], "also once it has started"
    cast.carol.post(at(game["id"], "resignation"), status=200)
    assert again(cast.carol, before)["id"] != game["id"], "who sits there no more plays another one"


def test_of_a_private_game_the_invited_see_the_rematch(cast, office):
    game = again(cast.alice, ended(cast, private=True))
    assert cast.bob.game(game["id"])["seat"] is None
    cast.mallory.refused("GET", f"/api/games/{game['id']}", "not-found")
    cast.bob.post(at(game["id"], "seats"), {})


def test_house_players_come_along_and_a_full_table_starts_by_itself(cast):
    game_id = cast.open(CARAVAN, house=1, start="full")
    finish(cast.app, game_id)
    game = again(cast.alice, game_id)
    assert (game["status"], [seat["house"] for seat in game["seats"]]) == ("running", [False, True])


def test_two_clicks_are_one_rematch_also_if_it_starts_at_once(cast):
    game_id = cast.open(house=2, start="full")
    finish(cast.app, game_id)
    first = again(cast.alice, game_id)
    assert first["status"] == "running"
    assert again(cast.alice, game_id, 200)["id"] == first["id"]
    finish(cast.app, first["id"])
    assert again(cast.alice, game_id)["id"] != first["id"]


def test_who_has_blocked_the_other_is_left_out(cast, office):
    before = ended(cast)
    body = {"game": before, "tenure": cast.alice.game(before)["tenure"]}
    cast.bob.post("/api/me/blocks", body)
    game = again(cast.alice, before)
    assert asked(cast.bob) == []
    assert len(asked(cast.carol)) == 1
    cast.mallory.post(at(game["id"], "seats"), {})
    cast.bob.refused("POST", at(before, "rematch"), "table-full", {})


def test_whom_the_host_has_blocked_is_not_admitted(cast, office):
    before = ended(cast)
    body = {"game": before, "tenure": cast.bob.game(before)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    again(cast.alice, before)
    assert asked(cast.bob) == []
    cast.bob.refused("POST", at(before, "rematch"), "not-admitted", {})


def test_a_rematch_that_is_opened_again_and_again_is_one_mail(cast, office):
    before = ended(cast)
    office.deliver()
    for _ in range(3):
        game = again(cast.alice, before)
        cast.alice.delete(at(game["id"], f"seats/{game['tenure']}"))
        cast.alice.refused("GET", f"/api/games/{game['id']}", "not-found")
    assert asked(cast.bob) == []
    assert [row.kind for row in office.due("offer")] == ["offer", "offer"]
    assert office.deliver() == [], "the tables have gone"


def test_only_who_sat_there_at_the_end_and_only_after_it(cast):
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


def test_a_nudge_is_a_mail_to_whoever_is_waited_for(cast, office):
    game_id = cast.start(pace="relaxed")
    office.deliver()
    assert nudge(cast.bob, game_id) == 0
    (letter,) = office.deliver()
    assert letter["To"] == "alice@example.org"
    assert "asks you to play" in part(letter)
    assert "Bob asks" not in part(letter)


def test_once_a_day_for_each_person_at_a_table(cast, clock, office):
    game_id = cast.start()
    nudge(cast.bob, game_id)
    answer = cast.carol.send("POST", at(game_id, "nudge"))
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) <= 86_401
    other = cast.start(CARAVAN)
    assert nudge(cast.bob, other) == 0
    clock.forward(DAY)
    assert nudge(cast.carol, game_id) == 0


def test_a_nudge_about_what_has_been_answered_is_not_sent(cast, office):
    game_id = cast.start()
    nudge(cast.bob, game_id)
    cast.alice.answer(cast.alice.game(game_id))
    assert not [each for each in office.deliver() if each["To"] == "alice@example.org"]


def test_only_players_nudge_and_only_somebody_else(app, cast, clock, office):
    game_id = cast.start()
    cast.mallory.refused("POST", at(game_id, "nudge"), "not-seated")
    cast.alice.refused("POST", at(game_id, "nudge"), "not-possible")
    now = clock()
    execute(
        app,
        "UPDATE players SET away_from = :a, away_until = :b WHERE id = :id",
        a=now - HOUR,
        b=now + HOUR,
        id=cast.alice.id,
    )
    cast.bob.refused("POST", at(game_id, "nudge"), "not-possible")
    cast.alice.refused("POST", at(cast.open(), "nudge"), "not-running")


def test_who_has_blocked_the_other_is_not_bothered_and_nobody_is_told(cast, office):
    game_id = cast.start()
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    office.deliver()
    assert nudge(cast.bob, game_id) == 0
    assert office.deliver() == []
