"""Taking back moves that others have seen: the table has to agree, and nothing from before a shuffle or a turned-up
card is undone.
"""

from __future__ import annotations

import pytest

from service.log.table_rows.table import find
from service.log.verification.check_game import check_game
from service.log.verification.verify_record import verify
from service.notifications.mail_texts.game_for_reader import GameForReader
from tests.support import record_verifier
from tests.support.cast import BOOMERANG
from tests.support.clock import HOUR
from tests.support.post_office import Office, part, to
from tests.support.proposing import links

PASS = {"type": "pass"}


@pytest.fixture
def game_id(cast):
    """A game of three, in which alice has bid and bob has passed."""
    return bid(cast, cast.start(BOOMERANG))


def bid(cast, game_id):
    shown = cast.alice.game(game_id)
    action = next(e["action"] for e in shown["legal"] if e["action"]["type"] == "bid")
    assert cast.alice.answer(shown, action)["game"]["take_back"]["free"] is False
    return game_id


def ask(person, game_id, status=201):
    event = person.game(game_id)["take_back"]["event"]
    wish = {"kind": "takeback", "event": event}
    return person.post(f"/api/games/{game_id}/proposals", wish, status)


def vote(person, game_id, agrees=True):
    (proposal,) = person.game(game_id)["proposals"]
    at = f"/api/games/{game_id}/proposals/{proposal['id']}/votes"
    return person.post(at, {"agrees": agrees}, 200)


@pytest.mark.both_databases
def test_what_all_agree_on_is_undone_with_what_followed(app, cast, game_id):
    before = cast.alice.game(game_id)
    cast.bob.answer(cast.bob.game(game_id), PASS)
    answered = cast.bob.game(game_id)["asked"]
    asked = ask(cast.alice, game_id)
    (proposal,) = asked["proposals"]
    assert (proposal["kind"], proposal["missing"]) == ("takeback", [1, 2])
    assert "take your last move back" in proposal["words"]
    vote(cast.bob, game_id)
    game = vote(cast.carol, game_id)
    assert game["proposals"] == []
    assert game["number"] == before["number"] + 3, "bob's pass and alice's bid are undone"
    alice = cast.alice.game(game_id)
    assert [wait["seat"] for wait in alice["waiting"]] == [0]
    assert (alice["asked"], alice["take_back"]) == (alice["number"], None)
    assert cast.bob.game(game_id)["asked"] > answered
    bids = [fact for fact in alice["view"]["facts"] if fact["name"] == "bid"]
    assert not bids
    events = cast.carol.get(f"/api/games/{game_id}/events?after={before['number'] - 1}")["events"]
    assert [each["kind"] for each in events] == ["action", "action", "void", "void"]
    assert [len(each["lines"]) for each in events] == [0, 0, 0, 1]
    assert [each.get("undone") for each in events[:2]] == [events[3]["number"], events[2]["number"]]
    with app.app_context():
        assert check_game(game_id) is None


def test_the_game_goes_on_and_its_record_is_right(cast, game_id):
    ask(cast.alice, game_id)
    vote(cast.bob, game_id)
    vote(cast.carol, game_id)
    cast.play(game_id)
    record = cast.bob.send("GET", f"/api/games/{game_id}/record").get_data()
    assert [e["why"] for e in verify(record)["events"] if e["kind"] == "void"] == ["agreed"]
    record_verifier.verify(record)


def test_one_vote_against_it_refuses_it(cast, game_id):
    number = cast.alice.game(game_id)["number"]
    ask(cast.alice, game_id)
    assert vote(cast.bob, game_id, agrees=False)["proposals"] == []
    assert cast.alice.game(game_id)["number"] == number
    assert ask(cast.alice, game_id)["proposals"], "and one may ask again"


def test_a_request_lapses_with_the_move_that_makes_it_impossible(cast, game_id):
    ask(cast.alice, game_id)
    for _ in range(2):
        person, shown = cast.asked(game_id)
        played = person.answer(shown, PASS if PASS in actions(shown) else None)
        assert played["game"] == person.game(game_id)
    assert cast.alice.game(game_id)["take_back"] is None, "the card was sold"
    assert cast.alice.game(game_id)["proposals"] == []
    (proposal,) = cast.alice.get(f"/api/games/{game_id}/proposals")["proposals"]
    assert proposal["status"] == "lapsed"


def actions(shown):
    return [each["action"] for each in shown["legal"]]


def test_nobody_is_asked_who_does_not_want_to_be(cast, game_id):
    changed = {"ask_take_backs": False}
    settings = cast.carol.send("PATCH", "/api/me/settings", json=changed).json["settings"]
    assert settings["ask_take_backs"] is False
    event = cast.alice.game(game_id)["take_back"]["event"]
    path, wish = f"/api/games/{game_id}/proposals", {"kind": "takeback", "event": event}
    problem = cast.alice.refused("POST", path, "not-possible", wish)
    assert "does not want to be asked" in problem["detail"]
    assert cast.alice.game(game_id)["proposals"] == []


def test_house_players_agree_at_once(cast):
    game_id = cast.start(BOOMERANG, house=2)
    bid(cast, game_id)
    game = ask(cast.alice, game_id)
    assert (game["proposals"], game["waiting"][0]["seat"]) == ([], 0)


@pytest.mark.parametrize("event", [0, 1, 2, 99])
def test_what_cannot_be_taken_back_is_not_asked_for(cast, game_id, event):
    path = f"/api/games/{game_id}/proposals"
    cast.alice.refused("POST", path, "not-possible", {"kind": "takeback", "event": event})
    cast.bob.refused("POST", path, "not-possible", {"kind": "takeback", "event": event})


def test_bad_requests_change_nothing(cast, game_id):
    cast.mallory.game(game_id)
    before = cast.alice.game(game_id)
    path = f"/api/games/{game_id}/proposals"
    for wish in ({"kind": "takeback"}, {"kind": "takeback", "event": 3, "seat": 0}):
        cast.alice.refused("POST", path, "invalid-body", wish)
    cast.mallory.refused("POST", path, "not-seated", {"kind": "takeback", "event": 3})
    assert cast.alice.game(game_id) == before


def test_clocks_get_back_what_was_undone(cast, clock):
    game_id = bid(cast, cast.start(BOOMERANG, pace={"kind": "decision", "seconds": 36_000}))
    clock.forward(HOUR)
    cast.bob.answer(cast.bob.game(game_id), PASS)
    clock.forward(HOUR)
    ask(cast.alice, game_id)
    vote(cast.bob, game_id)
    vote(cast.carol, game_id)
    entries = cast.alice.get(f"/api/games/{game_id}/clock")["entries"]
    kinds = [(each["seat"], each["kind"], each["seconds"]) for each in entries[:5]]
    assert (0, "asked", 36_000) in kinds and (1, "given-back", 3600) in kinds
    assert (2, "withdrawn", 0) in kinds, "who is asked nothing any more is not charged"


def test_people_are_told_by_mail(app, cast, game_id):
    office = Office(app)
    office.address(*cast.seated)
    turn = cast.bob.game(game_id)["asked"]
    ask(cast.alice, game_id)
    mails = office.deliver()
    assert {each["To"] for each in mails} == {to(cast.bob), to(cast.carol)}
    assert all(sorted(links(each)) == ["agree", "refuse"] for each in mails)
    vote(cast.bob, game_id)
    vote(cast.carol, game_id)
    assert cast.bob.game(game_id)["asked"] != turn
    told = {each["To"]: part(each) for each in office.deliver()}
    words = "takes the last move back with the table’s consent"
    assert words in told[to(cast.bob)], "whose turn it no longer is"
    assert told[to(cast.bob)].count(words) == 1
    assert to(cast.alice) in told, "whose turn it is again"


def test_links_of_what_is_no_longer_asked_show_the_table(app, cast, game_id):
    office = Office(app)
    office.address(*cast.seated)
    with app.app_context():
        game = GameForReader(app.extensions["tegami"], find(game_id), cast.bob.id, "en")
        paths = [each.url.removeprefix("http://localhost") for each in game.choices()]
    ask(cast.alice, game_id)
    vote(cast.bob, game_id)
    vote(cast.carol, game_id)
    number = cast.alice.game(game_id)["number"]
    for method in ("GET", "POST"):
        answer = cast.nobody.send(method, paths[0])
        assert (answer.status_code, "moved on" in answer.text) == (200, True)
    assert cast.alice.game(game_id)["number"] == number
