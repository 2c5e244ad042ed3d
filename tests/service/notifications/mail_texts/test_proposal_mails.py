"""Mails about proposals: who is asked to vote, when, and who is told the outcome."""

from __future__ import annotations

import pytest

from service.outbox.causes.after_move import ONLINE_DELAY, ONLINE_FOR
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import HOUR, hours
from tests.support.post_office import Office, addressed, part, to
from tests.support.proposing import DRAW, PAUSE, last, links, propose, prose, vote

__all__ = ["hours"]

EXTEND = {"kind": "extend", "seconds": 7200, "seat": 0}


@pytest.fixture
def office(app, cast):
    """alice lives in Tokyo, bob reads Japanese, carol has UTC and English."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.bob, language="ja")
    office.address(cast.carol)
    return office


@pytest.fixture
def game_id(cast, office):
    """A game with a clock, whose first mails have been sent."""
    game_id = cast.start(pace="daily")
    office.deliver()
    return game_id


# Who is asked to vote, and when


@pytest.mark.both_databases
@pytest.mark.parametrize("wish", [PAUSE, DRAW, EXTEND], ids=lambda wish: wish["kind"])
def test_everybody_who_has_to_vote_gets_a_mail(cast, office, game_id, wish):
    propose(cast.alice, game_id, wish)
    mails = office.deliver()
    assert addressed(mails) == [to(cast.bob), to(cast.carol)]
    english = next(mail for mail in mails if mail["To"] == to(cast.carol))
    assert last(cast.carol, game_id)["words"] in prose(english)
    assert "Alice" in prose(english)
    assert sorted(links(english)) == ["agree", "refuse"]
    assert "http://localhost/tables/" in part(english)
    assert all(path in part(english, "html") for path in links(english).values())
    assert office.deliver() == []


def test_the_deadline_is_in_the_recipients_time_zone(cast, office, game_id):
    propose(cast.bob, game_id, PAUSE)
    mails = {str(mail["To"]): prose(mail) for mail in office.deliver()}
    said = "Please answer by {}. If you do not answer by then, that counts as no."
    assert (
        said.format("Tuesday, 24 November 2026, 19:00 (Japan Standard Time)")
        in mails[to(cast.alice)]
    )
    assert "Tuesday, 24 November 2026, 10:00" in mails[to(cast.carol)]


def test_the_mail_is_in_the_recipients_language(cast, office, game_id):
    propose(cast.alice, game_id, DRAW)
    mail = next(each for each in office.deliver() if each["To"] == to(cast.bob))
    assert str(mail["Subject"]).startswith("お返事をお願いします")
    assert "Aliceさんが引き分けを提案しています。" in part(mail).replace("\n", "")
    assert "反対とみなします" in part(mail).replace("\n", "")


def test_resuming_is_put_to_the_vote_too(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    office.deliver()
    propose(cast.bob, game_id, {"kind": "resume"})
    assert addressed([each for each in office.deliver() if links(each)]) == [
        to(cast.alice),
        to(cast.carol),
    ]


def test_people_who_are_online_are_mailed_later_and_not_after_voting(cast, clock, office, game_id):
    clock.forward(ONLINE_FOR)
    cast.bob.game(game_id)
    cast.carol.game(game_id)
    propose(cast.alice, game_id, PAUSE)
    assert office.deliver(now=False) == []
    vote(cast.bob, game_id)
    clock.forward(ONLINE_DELAY)
    assert addressed(office.deliver(now=False)) == [to(cast.carol)]


def test_people_who_are_not_online_are_mailed_at_once(cast, clock, office, game_id):
    clock.forward(ONLINE_FOR)
    propose(cast.alice, game_id, PAUSE)
    assert addressed(office.deliver(now=False)) == [to(cast.bob), to(cast.carol)]


def test_no_mail_about_a_withdrawn_or_decided_proposal(cast, office, game_id):
    made = propose(cast.alice, game_id, PAUSE)
    cast.alice.delete(f"/api/games/{game_id}/proposals/{made['id']}")
    assert office.deliver() == []
    propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id, agrees=False)
    assert not any(links(mail) for mail in office.deliver())


def test_people_who_resign_are_not_asked_until_they_return(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    assert addressed([each for each in office.deliver() if links(each)]) == [to(cast.carol)]
    cast.bob.post(f"/api/games/{game_id}/return", status=200)
    assert addressed([each for each in office.deliver() if links(each)]) == [to(cast.bob)]


def test_no_proposal_mail_without_a_verified_address(app, cast):
    game_id = cast.start(pace="daily")
    propose(cast.alice, game_id, PAUSE)
    assert Office(app).due("proposal") == []


def test_proposal_mails_can_be_turned_off(cast, office, game_id):
    cast.bob.send("PATCH", "/api/me/settings", json={"unwanted": ["proposal"]})
    propose(cast.alice, game_id, PAUSE)
    (mail,) = office.deliver()
    assert mail["To"] == to(cast.carol)
    assert str(mail["List-Unsubscribe"]).strip("<>") in part(mail)
    assert mail["List-Unsubscribe-Post"] and mail["References"]


# The outcome


def told(office):
    """The texts of the announcements, by address."""
    mails = [each for each in office.deliver() if str(each["Subject"]).startswith(("News", "テ"))]
    return {str(mail["To"]): prose(mail) for mail in mails}


def test_a_refusal_is_announced_to_everybody_but_the_refuser(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    vote(cast.bob, game_id)
    office.deliver()
    vote(cast.carol, game_id, agrees=False)
    news = told(office)
    assert sorted(news) == [to(cast.alice), to(cast.bob)]
    assert "You have proposed a pause of up to 1 day." in news[to(cast.alice)]
    assert "Somebody has rejected it, so nothing changes." in news[to(cast.alice)]
    assert "Carol has" not in news[to(cast.alice)]


def test_a_lapsed_proposal_is_announced(cast, office, game_id, hours):
    propose(cast.alice, game_id, DRAW)
    office.deliver()
    hours.later(72 * HOUR)
    news = told(office)
    assert "Not everybody answered in time" in news[to(cast.alice)]
    assert {to(cast.alice), to(cast.carol)} <= set(news)


def test_an_extension_is_announced(cast, office, game_id):
    propose(cast.carol, game_id, EXTEND)
    for person in (cast.alice, cast.bob):
        vote(person, game_id)
    news = told(office)
    assert "You get an extra 2 hours." in news[to(cast.alice)]
    assert "Alice gets an extra 2 hours." in news[to(cast.carol)]


def test_a_pause_is_announced_once(cast, office, game_id):
    propose(cast.alice, game_id, PAUSE)
    office.deliver()
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    mails = office.deliver()
    assert addressed(mails) == [to(cast.alice), to(cast.bob)], "carol has just voted"


def test_a_stranger_who_offers_to_substitute_is_told_the_outcome(cast, office, game_id):
    office.address(cast.mallory)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    office.deliver()
    wish = {"kind": "substitute", "seat": 0}
    propose(cast.mallory, game_id, wish)
    asked = [mail for mail in office.deliver() if links(mail)]
    assert addressed(asked) == [to(cast.bob), to(cast.carol)]
    vote(cast.bob, game_id, agrees=False)
    news = told(office)
    assert "Somebody has rejected it" in news[to(cast.mallory)]
    propose(cast.mallory, game_id, wish)
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert cast.mallory.game(game_id)["seat"] == 0
    assert "Everybody who had to answer has agreed" in told(office)[to(cast.mallory)]


def test_a_new_substitute_is_asked_about_open_proposals(cast, office, game_id):
    office.address(cast.mallory)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    path = f"/api/games/{game_id}/proposals"
    let_in = last(cast.bob, game_id)["id"]
    propose(cast.bob, game_id, DRAW)
    office.deliver()
    for person in (cast.bob, cast.carol):
        person.post(f"{path}/{let_in}/votes", {"agrees": True}, status=200)
    asked = [mail for mail in office.deliver() if links(mail)]
    assert addressed(asked) == [to(cast.mallory)]
    assert "Bob offers a draw." in prose(asked[0])


def test_an_agreed_draw_is_mailed_as_the_end_of_the_game(cast, office):
    game_id = cast.start(CARAVAN, pace="daily")
    office.deliver()
    propose(cast.alice, game_id, DRAW)
    office.deliver()
    vote(cast.bob, game_id)
    mails = office.deliver()
    assert addressed(mails) == [to(cast.alice), to(cast.bob)]
    assert any(str(each["Subject"]).startswith("The game is over") for each in mails)


@sqlite_only
def test_house_players_are_not_mailed(app, cast, office):
    wish = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None, "pace": "daily"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    cast.alice.post(f"/api/games/{game_id}/proposals", PAUSE)
    assert office.due("proposal") == []


@pytest.mark.both_databases
def test_proposals_are_limited_to_ten_a_day(cast, clock, office, game_id):
    path = f"/api/games/{game_id}/proposals"
    for _ in range(10):
        made = propose(cast.alice, game_id, PAUSE)
        cast.alice.delete(f"{path}/{made['id']}")
    answer = cast.alice.send("POST", path, json=DRAW)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "86401")
    propose(cast.bob, game_id, PAUSE)
    clock.forward(24 * HOUR)
    propose(cast.alice, game_id, DRAW)


# News that waits


@pytest.mark.both_databases
def test_news_that_waits_is_one_mail(cast, office, game_id):
    """People who are on the website are mailed a little later, with everything that has happened until then."""
    propose(cast.alice, game_id, DRAW)
    office.deliver()
    for wish in (PAUSE, EXTEND):
        propose(cast.alice, game_id, wish)
        vote(cast.bob, game_id, agrees=False)
    office.change("UPDATE outbox SET run_at = 0", cast.alice, "player_id")
    news = [mail for mail in office.deliver(now=False) if mail["To"] == to(cast.alice)]
    assert len(news) == 1
    assert prose(news[0]).count("New proposal: You") >= 2
    assert office.deliver(now=False) == []
