"""Mails about a game: who gets one and when, up to its end; invitations."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from service.operations.worker.deadlines import Deadlines
from service.outbox.causes.after_move import ONLINE_DELAY, ONLINE_FOR
from tests.service.tables.play.test_hidden_information import cards
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.clock import hours
from tests.support.dump import execute
from tests.support.post_office import addressed, moves, part, person_of, to

__all__ = ["hours"]

DAY = 86_400_000


# Who gets a mail, and when


def test_everybody_with_an_address_whose_turn_it_is_gets_a_mail(cast, office):
    game_id = cast.start("joretsu", players=3)
    assert addressed(office.deliver()) == [to(cast.alice), to(cast.bob)]
    assert len(cast.carol.game(game_id)["legal"]) > 1
    assert office.deliver() == []


@pytest.mark.both_databases
def test_each_question_is_mailed_once(app, cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.carol.answer(cast.carol.game(game_id))  # for the others this is no new question
    tenures = [row.tenure_id for row in office.due()]
    assert len(tenures) == len(set(tenures)) == 2


@pytest.mark.both_databases
def test_the_mail_about_an_answered_question_is_cancelled(cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.alice.answer(cast.alice.game(game_id))
    assert [row.player_id for row in office.due()] == [cast.bob.id]
    assert addressed(office.deliver()) == [to(cast.bob)]


def test_only_the_present_question_is_mailed(cast, office):
    game_id = cast.start(BOOMERANG)
    for move in itertools.islice(cast.moves(game_id, random.Random(3).choice), 12):
        game = move.played["game"]
        asked = {cast.holders(game_id)[each["seat"]] for each in game["waiting"]} - {cast.carol}
        expected = {(each.id, each.game(game_id)["asked"]) for each in asked}
        assert {(row.player_id, row.number) for row in office.due()} == expected


@pytest.mark.both_databases
def test_people_who_are_online_are_mailed_later_and_only_if_it_still_matters(cast, clock, office):
    office.address(cast.carol)
    game_id = cast.open("joretsu", players=3, start="full")
    for person in (cast.bob, cast.carol):  # with the last seat the game begins
        clock.forward(ONLINE_FOR)
        person.game(game_id)
        person.post(f"/api/games/{game_id}/seats", {})
    assert addressed(office.deliver(now=False)) == [to(cast.alice), to(cast.bob)]
    clock.forward(ONLINE_DELAY - 1)
    assert office.deliver(now=False) == []
    clock.forward(1)
    assert addressed(office.deliver(now=False)) == [to(cast.carol)]


def test_no_mail_about_a_question_answered_in_the_meantime(cast, clock, office):
    office.address(cast.carol)
    game_id = cast.start("joretsu", players=3)
    assert office.deliver(now=False) == []
    cast.bob.answer(cast.bob.game(game_id))
    clock.forward(ONLINE_DELAY)
    assert addressed(office.deliver(now=False)) == [to(cast.alice), to(cast.carol)]


def test_somebody_who_has_just_moved_is_mailed_later_about_the_next_question(cast, clock, office):
    office.address(cast.carol)
    cast.start("yours-truly-bozu-mekuri", players=3)
    (mail,) = office.deliver()
    for _ in range(20):
        clock.forward(ONLINE_FOR)
        cast.nobody.http.post(moves(mail)[0])  # following a link does not count as being online
        (row,) = office.due()
        again = row.player_id == person_of(cast.seated, mail).id
        assert row.run_at == clock() + (ONLINE_DELAY if again else 0)
        if again:
            return
        (mail,) = office.deliver()
    pytest.fail("nobody was asked twice running")


def test_no_turn_mail_without_an_address(app, cast):
    cast.play(cast.start(BOOMERANG))
    assert execute(app, "SELECT * FROM outbox") == []


def test_somebody_who_gives_up_the_seat_gets_no_turn_mail(cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    assert to(cast.alice) not in addressed(office.deliver())


def test_a_handover_to_a_house_player_is_announced_to_the_others(cast, office):
    game_id = cast.start("joretsu", players=3)
    office.deliver()
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    mails = office.deliver()
    assert addressed(mails) == [to(cast.bob)]
    event = cast.bob.get(
        f"/api/games/{game_id}/events?limit=200", headers={"Accept-Language": "ja"}
    )
    words = event["events"][-1]["lines"][0]["words"]
    assert words in part(mails[0]).replace("\r\n", "")


def test_mails_say_who_is_a_program_and_how_well_it_plays(cast, office):
    game_id = cast.start("joretsu", players=4, house=1, level="strong")
    name = next(each["name"] for each in cast.alice.game(game_id)["seats"] if each["house"])
    mail = next(mail for mail in office.deliver() if moves(mail))
    assert f"{name} (house player)" in " ".join(str(mail["Subject"]).split())
    for kind in ("plain", "html"):
        text = " ".join(part(mail, kind).split())
        assert f"{name} (house player)" in text and "house player, strong" in text


def test_somebody_who_loses_the_seat_by_time_outs_is_told(app, cast, clock, office):
    pace = {"kind": "decision", "seconds": 60}
    game_id = cast.start("joretsu", players=3, pace=pace, takeover=1)
    cast.carol.answer(cast.carol.game(game_id))
    cast.bob.answer(cast.bob.game(game_id))
    office.deliver()
    clock.forward(61_000)
    services = app.extensions["tegami"]
    with app.app_context():
        Deadlines(services).meet_all()
    mails = {str(mail["To"]): mail for mail in office.deliver()}
    mine, others = mails[to(cast.alice)], mails[to(cast.bob)]
    assert str(mine["Subject"]).startswith("A house player has taken your seat")
    assert moves(mine) == [] and not cards([part(mine), part(mine, "html")])
    assert "http://localhost/seats/" in part(mine), "the way back"
    assert "Alice" in part(others)


# The end


@pytest.mark.both_databases
def test_a_whole_game_can_be_played_by_mail(app, cast, office):
    game_id = cast.start(BOOMERANG)
    office.address(cast.carol)
    nobody, played = cast.nobody.http, 0
    first = cast.asked(game_id)
    if first[0] is cast.carol:  # she had no address when she was asked
        cast.carol.answer(first[1])
    mails = office.deliver()
    rng, over = random.Random(11), []
    while len(over) < 3:
        for mail in mails:
            paths = moves(mail)
            if not paths:
                over.append(mail)
                continue
            path = rng.choice(paths)
            assert nobody.get(path).status_code == 200
            assert nobody.post(path).status_code == 200
            played += 1
        mails = office.deliver()
        assert mails or len(over) == 3
    result = cast.alice.game(game_id)["result"]
    mine = next(mail for mail in over if mail["To"] == to(cast.alice))
    assert played > 10
    assert str(mine["Subject"]).startswith("The game is over")
    text = " ".join(part(mine).split())
    assert result["words"] in text
    tenure = cast.alice.game(game_id)["tenure"]
    assert f"/records/{tenure}." in text and f"/tables/{tenure}." in text
    for score in filter(None, result["score_words"]):
        assert score in text


# Invitations


def invited(cast: Any, game_id: str, language: str) -> None:
    wish = {"address": "dora@example.org", "language": language}
    cast.alice.post(f"/api/games/{game_id}/invitations", wish)


@pytest.mark.parametrize(
    ("language", "subject"),
    [("en", "Invitation to"), ("ja", "ブーメラン オークションへの招待：Alice")],
)
def test_an_invitation_links_to_the_table(cast, office, language, subject):
    game_id = cast.open(BOOMERANG, private=True)
    invited(cast, game_id, language)
    (mail,) = office.deliver()
    assert mail["To"] == "dora@example.org"
    assert str(mail["Subject"]).startswith(subject)
    assert f"http://localhost/invited/{game_id}/i_" in part(mail)
    assert f"/rules/{BOOMERANG}?version=1&lang={language}" in part(mail)


def test_no_invitation_mail_to_a_game_that_has_started(cast, office):
    game_id = cast.open(CARAVAN)
    invited(cast, game_id, "en")
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert office.deliver() == []
