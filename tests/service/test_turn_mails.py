"""Mails about a game: who is written to and when, what stands in it, and what does not."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest

import rules
from service import outbox
from service.database import transaction
from service.keeper import Keeper
from service.letters import HERE, LATER
from service.mail.scene import MOST_CHOICES
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.correspondence import Office, moves, part
from tests.service.dump import execute
from tests.service.hours import hours
from tests.service.test_shown import cards, known

__all__ = ["hours"]

DAY = 86_400_000


@pytest.fixture
def office(app, cast):
    """Everybody's mail: alice reads English in Tokyo, bob Japanese; carol has no address."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.bob, language="ja")
    return office


def to(person: Any) -> str:
    return f"{person.name.lower()}@example.org"


def addressed(letters: Any) -> list[str]:
    return sorted(str(letter["To"]) for letter in letters)


def until_asked(cast: Any, game_id: str, person: Any) -> Any:
    """Plays passes and first choices until this person is waited for; the game as that person sees it."""
    while True:
        asked, game = cast.asked(game_id)
        if asked is person:
            return game
        asked.answer(game)


# Who is written to, and when


def test_whoever_is_asked_and_has_an_address_is_written_to(cast, office):
    game_id = cast.start("joretsu", players=3)
    assert addressed(office.deliver()) == [to(cast.alice), to(cast.bob)]
    assert len(cast.carol.game(game_id)["legal"]) > 1
    assert office.deliver() == []


def test_one_mail_a_question(app, cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.carol.answer(cast.carol.game(game_id))  # who has chosen is no new question for the others
    tenures = [row.tenure_id for row in office.due()]
    assert len(tenures) == len(set(tenures)) == 2


def test_the_mail_of_an_answered_question_is_called_back(cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.alice.answer(cast.alice.game(game_id))
    assert [row.player_id for row in office.due()] == [cast.bob.id]
    assert addressed(office.deliver()) == [to(cast.bob)]


def test_only_the_present_question_has_a_mail(cast, office):
    game_id = cast.start(BOOMERANG)
    for move in itertools.islice(cast.moves(game_id, random.Random(3).choice), 12):
        game = move.played["game"]
        asked = {cast.holders(game_id)[each["seat"]] for each in game["waiting"]} - {cast.carol}
        expected = {(each.id, each.game(game_id)["asked"]) for each in asked}
        assert {(row.player_id, row.number) for row in office.due()} == expected


def test_whoever_is_here_is_written_to_later_and_only_if_it_matters(cast, clock, office):
    office.address(cast.carol)
    game_id = cast.open("joretsu", players=3, start="full")
    for person in (cast.bob, cast.carol):  # with the last seat the game begins
        clock.forward(HERE)
        person.game(game_id)
        person.post(f"/api/games/{game_id}/seats", {})
    assert addressed(office.deliver(now=False)) == [to(cast.alice), to(cast.bob)]
    clock.forward(LATER - 1)
    assert office.deliver(now=False) == []
    clock.forward(1)
    assert addressed(office.deliver(now=False)) == [to(cast.carol)]


def test_what_was_answered_meanwhile_is_not_sent(cast, clock, office):
    office.address(cast.carol)
    game_id = cast.start("joretsu", players=3)
    assert office.deliver(now=False) == []
    cast.bob.answer(cast.bob.game(game_id))
    clock.forward(LATER)
    assert addressed(office.deliver(now=False)) == [to(cast.alice), to(cast.carol)]


def test_whoever_has_just_moved_is_not_told_at_once_of_being_asked_again(cast, clock, office):
    office.address(cast.carol)
    cast.start("yours-truly-bozu-mekuri", players=3)
    (letter,) = office.deliver()
    for _ in range(20):
        clock.forward(HERE)
        cast.nobody.http.post(moves(letter)[0])  # whoever follows a link is not seen to be here
        (row,) = office.due()
        again = row.player_id == person_of(cast, letter).id
        assert row.run_at == clock() + (LATER if again else 0)
        if again:
            return
        (letter,) = office.deliver()
    pytest.fail("nobody was asked twice running")


def person_of(cast: Any, letter: Any) -> Any:
    return next(person for person in cast.seated if to(person) == letter["To"])


def test_nobody_is_written_to_who_has_no_address(app, cast):
    cast.play(cast.start(BOOMERANG))
    assert execute(app, "SELECT * FROM outbox") == []


def test_the_mails_of_a_seat_that_changes_hands_stop(cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    assert to(cast.alice) not in addressed(office.deliver())


def test_everybody_is_told_when_a_house_player_takes_a_seat(cast, office):
    game_id = cast.start("joretsu", players=3)
    office.deliver()
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    letters = office.deliver()
    assert addressed(letters) == [to(cast.bob)]
    event = cast.bob.get(
        f"/api/games/{game_id}/events?limit=200", headers={"Accept-Language": "ja"}
    )
    words = event["events"][-1]["lines"][0]["words"]
    assert words in part(letters[0]).replace("\n", "")


def test_whose_time_is_over_is_told_who_sits_there_now(app, cast, clock, office):
    pace = {"kind": "decision", "seconds": 60}
    game_id = cast.start("joretsu", players=3, pace=pace, takeover=1)
    cast.carol.answer(cast.carol.game(game_id))
    cast.bob.answer(cast.bob.game(game_id))
    office.deliver()
    clock.forward(61_000)
    kit = app.extensions["tegami"]
    with app.app_context():
        Keeper(kit.outside, kit.states).look()
    letters = {str(letter["To"]): letter for letter in office.deliver()}
    mine, others = letters[to(cast.alice)], letters[to(cast.bob)]
    assert str(mine["Subject"]).startswith("A house player sits in for you")
    assert moves(mine) == [] and not cards([part(mine), part(mine, "html")])
    assert f"#/games/{game_id}" in part(mine)
    assert "Alice" in part(others)


# What stands in it


def test_a_turn_mail_holds_the_game_and_a_link_for_each_choice(app, cast, office):
    game_id = cast.start(BOOMERANG)
    game = until_asked(cast, game_id, cast.alice)
    letter = office.deliver()[-1]
    assert letter["To"] == to(cast.alice)
    text, html = part(letter), part(letter, "html")
    for each in game["legal"]:
        assert each["words"] in text
    assert len(moves(letter)) == len(game["legal"]) <= MOST_CHOICES
    assert all(path in html for path in moves(letter))
    assert f"http://localhost/#/games/{game_id}" in text
    assert game["view"]["prompt_words"] in " ".join(text.split())
    assert "Since your last turn" in text or "So far" in text


def test_a_turn_mail_tells_what_happened_since_the_last_turn(cast, office):
    game_id = cast.start(BOOMERANG)
    until_asked(cast, game_id, cast.alice)
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    until_asked(cast, game_id, cast.alice)
    cast.alice.game(game_id)
    text = " ".join(part(letter_to(office, cast.alice)).split())
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    told = [
        line["words"] for event in events if event["number"] >= number for line in event["lines"]
    ]
    assert "Since your last turn" in text
    assert all(words in text for words in told[-30:])
    before = [
        line["words"] for event in events if event["number"] < number for line in event["lines"]
    ]
    told_before = [words for words in before if words not in told]
    assert told_before and not any(f"- {words} -" in text for words in told_before)


def test_who_comes_back_is_told_what_the_house_player_did(cast, office, hours):
    """The last turn was one's own: neither the house player's nor that of who held the seat before."""
    game_id = cast.start(BOOMERANG)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    office.deliver()
    for person in (cast.bob, cast.carol, cast.bob, cast.carol):
        hours.look()
        if person.game(game_id)["legal"]:
            person.answer(person.game(game_id))
    hours.look()
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    until_asked(cast, game_id, cast.alice)
    text = part(letter_to(office, cast.alice))
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    house = [event for event in events if event.get("by") == "house" and event["seat"] == 0]
    assert house
    first = next(event["number"] for event in events if event.get("seat") == 0)
    told = [line["words"] for event in events[first - 1 :] for line in event["lines"]]
    assert "Since your last turn" in text
    assert len(told) < 30 and any("resigned" in words for words in told)
    assert all(words in " ".join(text.split()) for words in told)


def test_at_most_thirty_lines_are_told(cast, office, hours):
    """Somebody who takes a seat over late in the game reads the last of them, and that there were more."""
    game_id = cast.start(BOOMERANG)
    cast.play(game_id, random.Random(5).choice, most=20)
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    office.address(cast.mallory)
    path = f"/api/games/{game_id}/proposals"
    made = cast.mallory.post(path, {"kind": "substitute", "seat": 2})["proposals"][0]
    for person in (cast.alice, cast.bob):
        person.post(f"{path}/{made['id']}/votes", {"agrees": True}, status=200)
    people = (cast.alice, cast.bob, cast.mallory)
    while (seat := cast.bob.game(game_id)["waiting"][0]["seat"]) != 2:
        people[seat].answer(people[seat].game(game_id))
    letter = next(each for each in office.deliver() if "Your turn" in each["Subject"])
    assert letter["To"] == to(cast.mallory)
    events = cast.mallory.get(f"/api/games/{game_id}/events?limit=200")["events"]
    told = [line["words"] for event in events for line in event["lines"]]
    assert len(told) > 30
    section = part(letter).partition("So far\n")[2].partition("\nThe table\n")[0]
    assert " ".join(section.split()).endswith(" - ".join(told[-30:]))
    assert "There was more before" in section and section.count("\n- ") == 30
    html = part(letter, "html").partition(">So far<")[2].partition(">The table<")[0]
    assert html.count("<li") == 30


def letter_to(office: Office, person: Any) -> Any:
    """The newest letter to somebody, whenever it is due."""
    return [letter for letter in office.deliver() if letter["To"] == to(person)][-1]


def test_of_many_choices_there_is_one_link(cast, office):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=3)
    for _ in range(2):
        person, game = cast.asked(game_id)
        assert len(game["legal"]) > MOST_CHOICES
        letter = letter_to(office, person)
        assert len(moves(letter)) == 1
        person.answer(game)
        assert f"#/games/{game_id}" in part(letter)
        assert str(len(game["legal"])) in part(letter)


def test_the_time_is_told_where_the_reader_lives(cast, clock, office):
    pace = {"kind": "decision", "seconds": 2 * DAY // 1000}
    cast.start("joretsu", players=3, pace=pace)
    text = part(letter_to(office, cast.alice))
    assert "Monday, 23 November 2026, 19:00 (Japan Standard Time)" in text


def test_the_time_of_whoever_has_told_no_zone_is_utc(cast, office):
    cast.start("joretsu", players=3, pace={"kind": "decision", "seconds": 2 * DAY // 1000})
    text = part(letter_to(office, cast.bob)).replace("\n", "")
    assert "2026年11月23日（月） 10:00（協定世界時）" in text


def test_a_letter_is_in_the_readers_language(cast, office):
    cast.start("joretsu", players=3)
    letter = letter_to(office, cast.bob)
    assert str(letter["Subject"]).startswith("あなたの番です")
    assert '<html lang="ja"' in part(letter, "html")
    assert "選べる手" in part(letter)


@pytest.mark.parametrize("slug", rules.slugs())
@sqlite_only
def test_a_letter_shows_its_reader_what_the_seat_sees_and_nothing_else(app, cast, office, slug):
    game_id = cast.start(slug)
    office.address(cast.carol)
    for _ in itertools.islice(cast.moves(game_id, random.Random(3).choice), 25):
        for letter in office.deliver():
            person = person_of(cast, letter)
            shown = [part(letter), part(letter, "html")]
            assert cards(shown) <= known(app, game_id, person.game(game_id)["seat"])
            assert not cards(str(letter["Subject"]))
            assert not cards(preview(letter))


def preview(letter: Any) -> str:
    """What a locked screen may show: the subject, and the first words of the letter."""
    html = part(letter, "html")
    hidden = re.search(r'<div class="preview"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert hidden is not None
    assert html.index(hidden[0]) < html.index("<h1")
    assert len(re.findall("\u200c|&zwnj;", hidden[1])) > 50
    return hidden[1] + part(letter)[:60]


def test_letters_about_a_game_stand_in_one_thread_and_can_be_stopped(cast, office):
    game_id = cast.start(BOOMERANG)
    seen = []
    for _ in cast.moves(game_id, random.Random(3).choice):
        seen += office.deliver()
    assert len({str(letter["References"]) for letter in seen}) == 1
    assert len({str(letter["Message-ID"]) for letter in seen}) == len(seen) > 3
    for letter in seen:
        stop = str(letter["List-Unsubscribe"]).strip("<>")
        assert stop in part(letter) and letter["List-Unsubscribe-Post"]


def test_a_reminder_is_a_turn_mail_in_other_words(app, cast, office, outside):
    game_id = cast.start("joretsu", players=3)
    game = cast.alice.game(game_id)
    office.deliver()
    key = execute(app, "SELECT key FROM games")[0].key
    with app.app_context(), transaction():
        outbox.put(
            outside,
            "reminder",
            "r",
            run_at=outside.now(),
            player_id=cast.alice.id,
            game_key=key,
            tenure_id=game["tenure"],
            number=game["asked"],
        )
    (letter,) = office.deliver()
    assert str(letter["Subject"]).startswith("Still your turn")
    assert len(moves(letter)) == len(game["legal"])


# The end


def test_a_game_is_played_to_its_end_from_mails_alone(app, cast, office):
    game_id = cast.start(BOOMERANG)
    office.address(cast.carol)
    nobody, played = cast.nobody.http, 0
    first = cast.asked(game_id)
    if first[0] is cast.carol:  # she had no address when she was asked
        cast.carol.answer(first[1])
    letters = office.deliver()
    rng, over = random.Random(11), []
    while len(over) < 3:
        for letter in letters:
            paths = moves(letter)
            if not paths:
                over.append(letter)
                continue
            path = rng.choice(paths)
            assert nobody.get(path).status_code == 200
            assert nobody.post(path).status_code == 200
            played += 1
        letters = office.deliver()
        assert letters or len(over) == 3
    result = cast.alice.game(game_id)["result"]
    mine = next(letter for letter in over if letter["To"] == to(cast.alice))
    assert played > 10
    assert str(mine["Subject"]).startswith("The game is over")
    text = " ".join(part(mine).split())
    assert result["words"] in text
    assert f"/api/games/{game_id}/record" in text and f"/#/games/{game_id}" in text
    for score in filter(None, result["score_words"]):
        assert score in text


# Invitations


def invited(cast: Any, game_id: str, language: str) -> None:
    wish = {"address": "dora@example.org", "language": language}
    cast.alice.post(f"/api/games/{game_id}/invitations", wish)


@pytest.mark.parametrize(
    ("language", "subject"), [("en", "Alice invites you"), ("ja", "Aliceさんから")]
)
def test_an_invitation_leads_to_the_table(cast, office, language, subject):
    game_id = cast.open(BOOMERANG, private=True)
    key = cast.alice.game(game_id)["invitation"]["key"]
    invited(cast, game_id, language)
    (letter,) = office.deliver()
    assert letter["To"] == "dora@example.org"
    assert str(letter["Subject"]).startswith(subject)
    assert f"http://localhost/#/games/{game_id}?invitation={key}" in part(letter)
    assert f"/rules/{BOOMERANG}?lang={language}" in part(letter)


def test_an_invitation_to_a_table_that_has_started_is_not_sent(cast, office):
    game_id = cast.open(CARAVAN)
    invited(cast, game_id, "en")
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert office.deliver() == []
