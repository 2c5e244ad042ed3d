"""Mails about tables whose game has not started: it is taken away, somebody is removed, an invitation is declined."""

from __future__ import annotations

import pytest

from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.correspondence import Office, part
from tests.service.dump import execute
from tests.service.hours import DAY, SECOND, hours
from tests.service.proposing import addressed, prose, to
from tests.service.talking import at, two
from tests.service.test_invitations import DECLINE, invite

__all__ = ["hours"]


@pytest.fixture
def office(app, cast):
    """alice and bob have verified addresses, bob reads Japanese."""
    office = Office(app)
    office.address(cast.alice)
    office.address(cast.bob, language="ja")
    return office


def sit(person, game_id):
    return person.post(at(game_id, "seats"), {})["tenure"]


# Taken away


def test_those_who_sat_there_are_told_that_a_table_is_taken_away(cast, office, hours):
    game_id = cast.open()
    for person in (cast.bob, cast.carol):
        sit(person, game_id)
    hours.later(14 * DAY - SECOND)
    assert office.deliver() == []
    hours.later(SECOND)
    letters = {str(letter["To"]): letter for letter in office.deliver()}
    assert sorted(letters) == [to(cast.alice), to(cast.bob)]
    mine = letters[to(cast.alice)]
    assert mine["Subject"] == "Your table of Boomerang Auction is closed"
    assert "has not started for 14 days" in prose(mine)
    assert "14日たっても始まらなかった" in part(letters[to(cast.bob)]).replace("\n", "")
    assert str(mine["List-Unsubscribe"]).strip("<>") in part(mine)


def test_the_link_of_such_a_mail_stops_its_kind(client, cast, office, hours):
    for game_id in (cast.open(), cast.open()):
        sit(cast.bob, game_id)
    hours.later(14 * DAY)
    letter = next(each for each in office.deliver() if each["To"] == to(cast.alice))
    link = str(letter["List-Unsubscribe"]).strip("<>").removeprefix("http://localhost")
    assert client.post(link).status_code == 200
    assert "before-start" in cast.alice.get("/api/me/settings")["settings"]["unwanted"]


def test_nobody_is_told_of_a_table_that_all_have_left(app, cast, office):
    game_id = cast.open()
    cast.alice.delete(at(game_id, f"seats/{cast.alice.game(game_id)['tenure']}"))
    assert office.deliver() == []


# Removed


def test_who_is_removed_by_the_host_is_told(cast, office):
    game_id = two(cast, private=False)
    office.deliver()
    cast.alice.delete(at(game_id, f"seats/{cast.bob.game(game_id)['tenure']}"))
    (letter,) = office.deliver()
    assert letter["To"] == to(cast.bob)
    assert str(letter["Subject"]).endswith("のテーブルから外れました")
    assert "主催者があなたを席から外しました" in part(letter).replace("\n", "")


def test_who_gets_up_alone_and_house_players_are_told_nothing(cast, office):
    game_id = cast.open(house=1)
    tenure = sit(cast.bob, game_id)
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    house = next(each for each in cast.alice.game(game_id)["seats"] if each["house"])
    cast.alice.delete(at(game_id, f"seats/{house['tenure']}"))
    assert office.deliver() == []


@sqlite_only
def test_who_has_no_verified_address_is_not_written_to(app, cast, office):
    game_id = cast.open()
    tenure = sit(cast.carol, game_id)
    cast.alice.delete(at(game_id, f"seats/{tenure}"))
    assert execute(app, "SELECT * FROM outbox") == []


# Declined


def test_a_declined_invitation_is_told_to_who_sent_it(client, cast, office):
    game_id = cast.open(BOOMERANG)
    invite(cast.alice, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    for _ in range(2):
        client.post(path)
    (letter,) = office.deliver()
    assert letter["To"] == to(cast.alice)
    assert letter["Subject"] == "An invitation to your table of Boomerang Auction is declined"
    assert "dora@example.org will not play this time" in prose(letter)
    assert "dora" not in str(letter["Subject"]).lower()
    assert f"/#/games/{game_id}" in part(letter)


def test_the_host_is_told_without_the_address_that_a_guest_typed(client, cast, office):
    game_id = cast.open(BOOMERANG)
    sit(cast.bob, game_id)
    invite(cast.bob, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    client.post(path)
    letters = {str(letter["To"]): prose(letter) for letter in office.deliver()}
    assert "somebody who was invited will not play" in letters[to(cast.alice)]
    assert "dora" not in letters[to(cast.alice)].lower()
    assert "dora@example.org" in letters[to(cast.bob)]


def test_it_does_not_tell_whose_the_address_is(client, cast, office):
    """Declined by link or in the list of a registered player: the same mail."""
    told = []
    for declines in ("link", "list"):
        game_id = cast.open(CARAVAN)
        made = invite(cast.alice, game_id, address="bob@example.org")
        (letter,) = office.deliver()
        if declines == "link":
            client.post(DECLINE.search(part(letter))[1])
        else:
            cast.bob.delete(f"/api/me/invitations/{made['id']}")
        (letter,) = office.deliver()
        told.append(prose(letter).partition("http")[0])
    assert told[0] == told[1]
    assert "Bob" not in told[0]


def test_who_has_left_the_table_is_not_told(client, cast, office):
    game_id = cast.open(BOOMERANG)
    tenure = sit(cast.bob, game_id)
    invite(cast.bob, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    cast.bob.delete(at(game_id, f"seats/{tenure}"))
    client.post(path)
    assert addressed(office.deliver()) == [to(cast.alice)]


def test_once_the_game_has_started_it_no_longer_matters(client, cast, office):
    game_id = cast.open(CARAVAN)
    invite(cast.alice, game_id)
    path = DECLINE.search(part(office.deliver()[0]))[1]
    client.post(path)
    cast.alice.post(at(game_id, "start"), {"house": True}, status=200)
    assert not any("declined" in str(letter["Subject"]) for letter in office.deliver())


def test_it_can_be_stopped_in_the_settings(cast, office):
    game_id = two(cast)
    cast.bob.send("PATCH", "/api/me/settings", json={"unwanted": ["before-start"]})
    cast.alice.delete(at(game_id, f"seats/{cast.bob.game(game_id)['tenure']}"))
    assert office.deliver() == []
