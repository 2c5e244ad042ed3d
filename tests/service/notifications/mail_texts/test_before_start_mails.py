"""Mails about games that have not started: the table expires, somebody is removed, an invitation is declined."""

from __future__ import annotations

import re

import pytest

from tests.service.tables.before_start.test_invitations import DECLINE, invite
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import DAY, SECOND, hours
from tests.support.dump import execute
from tests.support.post_office import Office, addressed, part, to
from tests.support.proposing import prose
from tests.support.talking import at, two

__all__ = ["hours"]

MEANING = "the result counts for the ratings of everybody"


@pytest.fixture
def office(app, cast):
    """alice and bob have verified addresses, bob reads Japanese."""
    office = Office(app)
    office.address(cast.alice)
    office.address(cast.bob, language="ja")
    return office


def sit(person, game_id):
    return person.post(at(game_id, "seats"), {})["tenure"]


# Expired


@pytest.mark.both_databases
def test_people_at_a_table_are_told_that_it_expired(cast, office, hours):
    game_id = cast.open()
    for person in (cast.bob, cast.carol):
        sit(person, game_id)
    hours.later(14 * DAY - SECOND)
    assert office.deliver() == []
    hours.later(SECOND)
    mails = {str(mail["To"]): mail for mail in office.deliver()}
    assert sorted(mails) == [to(cast.alice), to(cast.bob)]
    mine = mails[to(cast.alice)]
    assert mine["Subject"] == "Your Boomerang Auction table is closed"
    assert "had not started after 14 days" in prose(mine)
    assert "14日たっても始まらなかった" in part(mails[to(cast.bob)]).replace("\n", "")
    assert str(mine["List-Unsubscribe"]).strip("<>") in part(mine)


def test_the_link_of_such_a_mail_unsubscribes_from_its_kind(client, cast, office, hours):
    for game_id in (cast.open(), cast.open()):
        sit(cast.bob, game_id)
    hours.later(14 * DAY)
    mail = next(each for each in office.deliver() if each["To"] == to(cast.alice))
    link = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("http://localhost")
    assert client.post(link).status_code == 200
    assert "before-start" in cast.alice.get("/api/me/settings")["settings"]["unwanted"]


def test_no_mail_about_a_table_that_everybody_has_left(app, cast, office):
    game_id = cast.open()
    cast.alice.delete(at(game_id, f"seats/{cast.alice.game(game_id)['tenure']}"))
    assert office.deliver() == []


# Removed


def test_a_person_removed_by_the_host_is_told(cast, office):
    game_id = two(cast, private=False)
    office.deliver()
    cast.alice.delete(at(game_id, f"seats/{cast.bob.game(game_id)['tenure']}"))
    (mail,) = office.deliver()
    assert mail["To"] == to(cast.bob)
    assert str(mail["Subject"]).endswith("のテーブルから外れました")
    assert "主催者があなたを席から外しました" in part(mail).replace("\n", "")


def test_people_who_leave_by_themselves_and_house_players_get_no_mail(cast, office):
    game_id = cast.open(house=1)
    tenure = sit(cast.bob, game_id)
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    house = next(each for each in cast.alice.game(game_id)["seats"] if each["house"])
    cast.alice.delete(at(game_id, f"seats/{house['tenure']}"))
    assert office.deliver() == []


@sqlite_only
def test_no_mail_without_a_verified_address(app, cast, office):
    game_id = cast.open()
    tenure = sit(cast.carol, game_id)
    cast.alice.delete(at(game_id, f"seats/{tenure}"))
    assert execute(app, "SELECT * FROM outbox") == []


# Declined


def test_the_inviter_is_told_that_an_invitation_was_declined(client, cast, office):
    game_id = cast.open(BOOMERANG)
    invite(cast.alice, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    for _ in range(2):
        client.post(path)
    (mail,) = office.deliver()
    assert mail["To"] == to(cast.alice)
    assert mail["Subject"] == "An invitation to your Boomerang Auction table was declined"
    assert "dora@example.org will not play this time" in prose(mail)
    assert "dora" not in str(mail["Subject"]).lower()
    assert "/tables/t_" in part(mail)


def test_the_host_is_not_shown_the_address_that_somebody_else_entered(client, cast, office):
    game_id = cast.open(BOOMERANG)
    sit(cast.bob, game_id)
    invite(cast.bob, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    client.post(path)
    mails = {str(mail["To"]): prose(mail) for mail in office.deliver()}
    assert "somebody who was invited will not play" in mails[to(cast.alice)]
    assert "dora" not in mails[to(cast.alice)].lower()
    assert "dora@example.org" in mails[to(cast.bob)]


def test_the_mail_does_not_reveal_whose_address_it_is(client, cast, office):
    """Whether it was declined by link or in a registered player's list, the mail is the same."""
    told = []
    for declines in ("link", "list"):
        game_id = cast.open(CARAVAN)
        made = invite(cast.alice, game_id, address="bob@example.org")
        (mail,) = office.deliver()
        if declines == "link":
            client.post(DECLINE.search(part(mail))[1])
        else:
            cast.bob.delete(f"/api/me/invitations/{made['id']}")
        (mail,) = office.deliver()
        told.append(prose(mail).partition("http")[0])
    assert told[0] == told[1]
    assert "Bob" not in told[0]


def test_an_inviter_who_has_left_the_table_is_not_told(client, cast, office):
    game_id = cast.open(BOOMERANG)
    tenure = sit(cast.bob, game_id)
    invite(cast.bob, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    client.post(path)
    assert addressed(office.deliver()) == [to(cast.alice)]


def test_a_declined_invitation_is_irrelevant_once_the_game_has_started(client, cast, office):
    game_id = cast.open(CARAVAN)
    invite(cast.alice, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    client.post(path)
    cast.alice.post(at(game_id, "start"), {"house": True}, status=200)
    assert not any("declined" in str(mail["Subject"]) for mail in office.deliver())


def test_the_settings_can_turn_it_off(cast, office):
    game_id = two(cast)
    cast.bob.send("PATCH", "/api/me/settings", json={"unwanted": ["before-start"]})
    cast.alice.delete(at(game_id, f"seats/{cast.bob.game(game_id)['tenure']}"))
    assert office.deliver() == []


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"pace": "daily"}, ["1 day", "a move is made automatically", "After 3 time-outs"]),
        ({"pace": "weekly", "takeover": 0}, ["7 days", "never take a seat"]),
        ({"pace": "steady", "takeover": 1}, ["When the time runs out, a house player"]),
        ({"pace": "none"}, ["Pace: "]),
    ],
)
def test_an_invitation_names_length_pace_and_what_happens_to_who_is_late(cast, office, wish, said):
    invite(cast.alice, cast.open(BOOMERANG, **wish))
    text = prose(office.deliver()[0])
    assert "Each player makes about" in text
    assert all(each in text for each in said)
    assert ("automatically" in text) == (wish["pace"] != "none")


# Rated


@pytest.mark.parametrize("rated", [True, False])
def test_an_invitation_says_whether_the_result_counts(client, cast, office, rated):
    game_id = cast.open(CARAVAN, rated=rated)
    invite(cast.alice, game_id)
    (mail,) = [each for each in office.deliver() if "Invitation" in str(each["Subject"])]
    for said in (MEANING, "What ratings are", "http://localhost/ratings"):
        assert (said in part(mail).replace("\n", " ")) == rated
        assert (said in part(mail, "html").replace("\n", " ")) == rated


@pytest.mark.parametrize("rated", [True, False])
def test_so_does_the_page_behind_the_link_of_an_invitation(client, cast, office, rated):
    game_id = cast.open(CARAVAN, rated=rated)
    invite(cast.alice, game_id, address=to(cast.bob))
    (mail,) = [each for each in office.deliver() if each["To"] == to(cast.bob)]
    link = re.search(r"http://localhost(/offers/\S+)", part(mail))
    page = client.get(link[1]).text
    assert ("アカウントを持つ人のレーティングに反映されます" in page) == rated
    assert ("/plain/ratings" in page) == rated
