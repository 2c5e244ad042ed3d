"""Links that show a seat's table without a sign-in, that explain a handover, and that take the seat back."""

from __future__ import annotations

import re

import pytest

from service.operations.worker.deadlines import Deadlines
from tests.support.cast import sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office, moves, part

HTML = {"Accept": "text/html"}
TABLE, SEAT = (re.compile(rf"http://localhost(/{name}/\S+)") for name in ("tables", "seats"))


@pytest.fixture
def office(app, cast):
    """alice reads English, bob Japanese; carol has no address."""
    office = Office(app)
    office.address(cast.alice)
    office.address(cast.bob, language="ja")
    return office


@pytest.fixture
def game_id(cast, office):
    return cast.start("joretsu", players=3, pace="daily", takeover=1)


@pytest.fixture
def mail(office, game_id):
    """The turn mail to alice."""
    return next(mail for mail in office.deliver() if "alice" in mail["To"])


@pytest.fixture
def late(app, cast, clock, office, game_id, mail):
    """alice has run out of time, and a house player has taken her seat; the mail that tells her."""
    for person in (cast.bob, cast.carol):
        person.answer(person.game(game_id))
    office.deliver()
    clock.forward(86_400_001)
    execute(app, "UPDATE heartbeats SET at = :now", now=clock())
    services = app.extensions["tegami"]
    with app.app_context():
        Deadlines(services).meet_all()
    return next(mail for mail in office.deliver() if "alice" in mail["To"])


def shown(client, path, method="GET", status=200):
    answer = client.open(path, method=method, headers=HTML)
    assert answer.status_code == status, answer.text
    return answer.text


def test_open_the_table_shows_the_readers_own_table(app, cast, client, game_id, mail):
    stored = dump(app)
    page = shown(client, TABLE.search(part(mail))[1])
    prompt = cast.alice.game(game_id)["view"]["prompt_words"]
    assert prompt in page and moves(mail)[0] in page
    assert dump(app) == stored
    cast.alice.answer(cast.alice.game(game_id))
    assert "/moves/" not in shown(client, TABLE.search(part(mail))[1])


def test_a_link_to_a_table_can_neither_be_altered_nor_posted(client, mail, game_id):
    path = TABLE.search(part(mail))[1]
    shown(client, f"{path}1", status=404)
    shown(client, path.replace("/tables/", "/moves/"), status=404)
    assert client.post(path).status_code == 405


def test_the_links_of_a_lost_seat_explain(cast, client, late, mail, game_id):
    for path in (moves(mail)[0], TABLE.search(part(mail))[1]):
        page = shown(client, path)
        assert "/tables/" not in page
        assert "A house player has your seat" in page and 'action="http://localhost/seats/' in page
        assert "Hand" not in page
    assert client.get(moves(mail)[0]).status_code == 404, "programs get the problem as before"
    assert shown(client, moves(mail)[0], "POST") == shown(client, moves(mail)[0])


@pytest.mark.both_databases
def test_the_seat_is_taken_back_by_a_link(app, cast, client, late, game_id):
    path = SEAT.search(part(late))[1]
    stored = dump(app)
    assert "Take your seat back" in shown(client, path)
    assert dump(app) == stored
    page = shown(client, path, "POST")
    assert "The seat is yours again" in page
    table = re.search(r'href="http://localhost(/tables/[^"]+)"', page)[1]
    assert "Joretsu" in shown(client, table) and "/seats/" not in shown(client, table)
    mine = next(each for each in cast.alice.game(game_id)["seats"] if each["you"])
    assert mine["name"] == "Alice" and not mine["house"]
    number = cast.alice.game(game_id)["number"]
    again = shown(client, path, "POST")
    assert "The seat is yours again" in again and "/tables/" not in again
    assert cast.alice.game(game_id)["number"] == number, "a second time changes nothing"


def test_a_vacated_seat_is_taken_back_by_an_earlier_link(cast, client, office, game_id, mail):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    page = shown(client, moves(mail)[0])
    back = re.search('action="http://localhost(/seats/[^"]+)"', page)[1]
    assert "The seat is yours again" in shown(client, back, "POST")


@sqlite_only
def test_a_seat_left_for_good_and_a_finished_game_offer_no_way_back(
    app, cast, client, game_id, mail
):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    execute(app, "UPDATE tenures SET why = 'left' WHERE why = 'resigned'")
    page = shown(client, moves(mail)[0])
    assert "The seat has changed hands" in page and "/seats/" not in page
    execute(app, "UPDATE games SET status = 'over'")
    page = shown(client, moves(mail)[0])
    assert "This game is over" in page and "/seats/" not in page and game_id in page
