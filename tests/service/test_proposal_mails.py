"""Mails about what the table has to agree on: who is asked, when, and who is told how it ended."""

from __future__ import annotations

import pytest

from service.letters import HERE, LATER
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.correspondence import Office, part
from tests.service.hours import HOUR, hours
from tests.service.proposing import (
    DRAW,
    PAUSE,
    addressed,
    last,
    links,
    propose,
    prose,
    to,
    vote,
)

__all__ = ["hours"]

EXTEND = {"kind": "extend", "seconds": 7200, "seat": 0}


@pytest.fixture
def office(app, cast):
    """alice reads in Tokyo, bob Japanese, carol in English and UTC."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.bob, language="ja")
    office.address(cast.carol)
    return office


@pytest.fixture
def game_id(cast, office):
    """A game with a clock, whose first mails have left."""
    game_id = cast.start(pace="daily")
    office.deliver()
    return game_id


# Who is asked, and when


@pytest.mark.parametrize("wish", [PAUSE, DRAW, EXTEND], ids=lambda wish: wish["kind"])
def test_everybody_who_has_to_answer_is_asked(cast, office, game_id, wish):
    propose(cast.alice, game_id, wish)
    letters = office.deliver()
    assert addressed(letters) == [to(cast.bob), to(cast.carol)]
    english = next(letter for letter in letters if letter["To"] == to(cast.carol))
    assert last(cast.carol, game_id)["words"] in prose(english)
    assert "Alice" in prose(english)
    assert sorted(links(english)) == ["agree", "refuse"]
    assert f"http://localhost/#/games/{game_id}" in part(english)
    assert all(path in part(english, "html") for path in links(english).values())
    assert office.deliver() == []


def test_the_end_of_patience_is_told_where_the_reader_lives(cast, office, game_id):
    propose(cast.bob, game_id, PAUSE)
    letters = {str(letter["To"]): prose(letter) for letter in office.deliver()}
    said = "Please answer by {}. No answer by then counts as no."
    assert (
        said.format("Tuesday, 24 November 2026, 19:00 (Japan Standard Time)")
        in letters[to(cast.alice)]
    )
    assert "Tuesday, 24 November 2026, 10:00" in letters[to(cast.carol)]


def test_it_is_in_the_readers_language(cast, office, game_id):
    propose(cast.alice, game_id, DRAW)
    letter = next(each for each in office.deliver() if each["To"] == to(cast.bob))
    assert str(letter["Subject"]).startswith("お返事をお願いします")
    assert "Aliceさんが引き分けを提案しています。" in part(letter).replace("\n", "")
    assert "反対とみなします" in part(letter).replace("\n", "")


def test_to_go_on_is_asked_too(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    office.deliver()
    propose(cast.bob, game_id, {"kind": "resume"})
    assert addressed([each for each in office.deliver() if links(each)]) == [
        to(cast.alice),
        to(cast.carol),
    ]


def test_whoever_is_here_is_asked_later_and_not_after_answering(cast, clock, office, game_id):
    clock.forward(HERE)
    cast.bob.game(game_id)
    cast.carol.game(game_id)
    propose(cast.alice, game_id, PAUSE)
    assert office.deliver(now=False) == []
    vote(cast.bob, game_id)
    clock.forward(LATER)
    assert addressed(office.deliver(now=False)) == [to(cast.carol)]


def test_whoever_is_away_is_asked_at_once(cast, clock, office, game_id):
    clock.forward(HERE)
    propose(cast.alice, game_id, PAUSE)
    assert addressed(office.deliver(now=False)) == [to(cast.bob), to(cast.carol)]


def test_what_was_taken_back_or_decided_is_asked_no_more(cast, office, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.alice.delete(f"/api/games/{game_id}/proposals/{made['id']}")
    assert office.deliver() == []
    propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id, agrees=False)
    assert not any(links(letter) for letter in office.deliver())


def test_who_gives_up_the_seat_is_asked_no_more_and_who_comes_back_is(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    assert addressed([each for each in office.deliver() if links(each)]) == [to(cast.carol)]
    cast.bob.post(f"/api/games/{game_id}/return", status=200)
    assert addressed([each for each in office.deliver() if links(each)]) == [to(cast.bob)]


def test_nobody_is_asked_without_a_verified_address(app, cast):
    game_id = cast.start(pace="daily")
    propose(cast.alice, game_id, PAUSE)
    assert Office(app).due("proposal") == []


def test_it_can_be_stopped_like_other_mails(cast, office, game_id):
    cast.bob.send("PATCH", "/api/me/settings", json={"unwanted": ["proposal"]})
    propose(cast.alice, game_id, PAUSE)
    (letter,) = office.deliver()
    assert letter["To"] == to(cast.carol)
    assert str(letter["List-Unsubscribe"]).strip("<>") in part(letter)
    assert letter["List-Unsubscribe-Post"] and letter["References"]


# How it ended


def told(office):
    """To whom goes what, of the mails that ask for no answer and no move."""
    letters = [each for each in office.deliver() if str(each["Subject"]).startswith(("News", "テ"))]
    return {str(letter["To"]): prose(letter) for letter in letters}


def test_a_refusal_is_told_to_all_but_who_refused(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id)
    office.deliver()
    vote(cast.carol, game_id, agrees=False)
    news = told(office)
    assert sorted(news) == [to(cast.alice), to(cast.bob)]
    assert "Alice would like to pause for up to 1 day." in news[to(cast.alice)]
    assert "Somebody has refused, so nothing changes." in news[to(cast.alice)]
    assert "Carol has" not in news[to(cast.alice)]


def test_what_nobody_answered_in_time_is_told(cast, office, game_id, hours):
    propose(cast.alice, game_id, DRAW)
    office.deliver()
    hours.later(72 * HOUR)
    news = told(office)
    assert "Not everybody answered in time" in news[to(cast.alice)]
    assert {to(cast.alice), to(cast.carol)} <= set(news)


def test_more_time_is_told(cast, office, game_id):
    propose(cast.carol, game_id, EXTEND)
    for person in (cast.alice, cast.bob):
        vote(person, game_id)
    news = told(office)
    assert "Alice gets 2 hours more." in news[to(cast.alice)]
    assert "Alice gets 2 hours more." in news[to(cast.carol)]


def test_a_pause_is_told_once(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    office.deliver()
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    letters = office.deliver()
    assert addressed(letters) == [to(cast.alice), to(cast.bob), to(cast.carol)]


def test_a_stranger_who_offers_to_play_on_is_told(cast, office, game_id):
    office.address(cast.mallory)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    office.deliver()
    wish = {"kind": "substitute", "seat": 0}
    propose(cast.mallory, game_id, wish)
    asked = [letter for letter in office.deliver() if links(letter)]
    assert addressed(asked) == [to(cast.bob), to(cast.carol)]
    vote(cast.bob, game_id, agrees=False)
    news = told(office)
    assert "Somebody has refused" in news[to(cast.mallory)]
    propose(cast.mallory, game_id, wish)
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert cast.mallory.game(game_id)["seat"] == 0
    assert "Everybody who had to answer has agreed" in told(office)[to(cast.mallory)]


def test_the_substitute_is_asked_what_the_table_is_being_asked(cast, office, game_id):
    office.address(cast.mallory)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    path = f"/api/games/{game_id}/proposals"
    let_in = last(cast.bob, game_id)["id"]
    propose(cast.bob, game_id, DRAW)
    office.deliver()
    for person in (cast.bob, cast.carol):
        person.post(f"{path}/{let_in}/votes", {"agrees": True}, status=200)
    asked = [letter for letter in office.deliver() if links(letter)]
    assert addressed(asked) == [to(cast.mallory)]
    assert "Bob offers a draw." in prose(asked[0])


def test_the_end_of_the_game_is_told_as_such(cast, office):
    game_id = cast.start(CARAVAN, pace="daily")
    office.deliver()
    propose(cast.alice, game_id, DRAW)
    office.deliver()
    vote(cast.bob, game_id)
    letters = office.deliver()
    assert addressed(letters) == [to(cast.alice), to(cast.bob)]
    assert any(str(each["Subject"]).startswith("The game is over") for each in letters)


@sqlite_only
def test_a_table_of_house_players_asks_nobody(app, cast, office):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "pace": "daily"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert office.due("proposal") == []


def test_nobody_floods_the_table_with_proposals(cast, clock, office, game_id):
    path = f"/api/games/{game_id}/proposals"
    for _ in range(10):
        made = propose(cast.alice, game_id, PAUSE)
        cast.alice.delete(f"{path}/{made['id']}")
    answer = cast.alice.send("POST", path, json=DRAW)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "86401")
    propose(cast.bob, game_id, PAUSE)
    clock.forward(24 * HOUR)
    propose(cast.alice, game_id, DRAW)
