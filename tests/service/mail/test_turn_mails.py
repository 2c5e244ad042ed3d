"""Mails about a game: who gets one and when, what it shows, and what it does not."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest

from service.core.database import transaction
from service.drawing.text import WIDTH, columns
from service.mail.game_for_reader import MOST_CHOICES
from service.outbox import queue
from service.outbox.after_move import ONLINE_DELAY, ONLINE_FOR
from service.worker.deadlines import Deadlines
from tests.rules.playouts import IDS, RULESETS
from tests.service.play.test_hidden_information import cards, known
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import hours
from tests.support.dump import execute
from tests.support.post_office import Office, moves, part

__all__ = ["hours"]

DAY = 86_400_000


@pytest.fixture
def office(app, cast):
    """alice reads English in Tokyo, bob Japanese; carol has no address."""
    office = Office(app)
    office.address(cast.alice, zone="Asia/Tokyo")
    office.address(cast.bob, language="ja")
    return office


def to(person: Any) -> str:
    return f"{person.name.lower()}@example.org"


def addressed(mails: Any) -> list[str]:
    return sorted(str(mail["To"]) for mail in mails)


def until_asked(cast: Any, game_id: str, person: Any) -> Any:
    """Play first choices until it is this person's turn; the game as that person sees it."""
    while True:
        asked, game = cast.asked(game_id)
        if asked is person:
            return game
        asked.answer(game)


# Who gets a mail, and when


def test_everybody_with_an_address_whose_turn_it_is_gets_a_mail(cast, office):
    game_id = cast.start("joretsu", players=3)
    assert addressed(office.deliver()) == [to(cast.alice), to(cast.bob)]
    assert len(cast.carol.game(game_id)["legal"]) > 1
    assert office.deliver() == []


def test_each_question_is_mailed_once(app, cast, office):
    game_id = cast.start("joretsu", players=3)
    cast.carol.answer(cast.carol.game(game_id))  # for the others this is no new question
    tenures = [row.tenure_id for row in office.due()]
    assert len(tenures) == len(set(tenures)) == 2


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
        again = row.player_id == person_of(cast, mail).id
        assert row.run_at == clock() + (ONLINE_DELAY if again else 0)
        if again:
            return
        (mail,) = office.deliver()
    pytest.fail("nobody was asked twice running")


def person_of(cast: Any, mail: Any) -> Any:
    return next(person for person in cast.seated if to(person) == mail["To"])


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
    assert f"{name} (program)" in " ".join(str(mail["Subject"]).split())
    for kind in ("plain", "html"):
        text = " ".join(part(mail, kind).split())
        assert f"{name} (program)" in text and "program, strong" in text


def test_somebody_who_loses_the_seat_by_time_outs_is_told(app, cast, clock, office):
    pace = {"kind": "decision", "seconds": 60}
    game_id = cast.start("joretsu", players=3, pace=pace, takeover=1)
    cast.carol.answer(cast.carol.game(game_id))
    cast.bob.answer(cast.bob.game(game_id))
    office.deliver()
    clock.forward(61_000)
    services = app.extensions["tegami"]
    with app.app_context():
        Deadlines(services.runtime, services.states).meet_all()
    mails = {str(mail["To"]): mail for mail in office.deliver()}
    mine, others = mails[to(cast.alice)], mails[to(cast.bob)]
    assert str(mine["Subject"]).startswith("A computer player has taken your seat")
    assert moves(mine) == [] and not cards([part(mine), part(mine, "html")])
    assert "http://localhost/seats/" in part(mine), "the way back"
    assert "Alice" in part(others)


# What it shows


def test_a_turn_mail_shows_the_game_and_a_link_for_each_choice(app, cast, office):
    game_id = cast.start(BOOMERANG)
    game = until_asked(cast, game_id, cast.alice)
    mail = office.deliver()[-1]
    assert mail["To"] == to(cast.alice)
    text, html = part(mail), part(mail, "html")
    for each in game["legal"]:
        assert each["words"] in text
    assert len(moves(mail)) == len(game["legal"]) <= MOST_CHOICES
    assert all(path in html for path in moves(mail))
    assert f"http://localhost/games/{game_id}" in text
    assert game["view"]["prompt_words"] in " ".join(text.split())
    assert "Since your last turn" in text or "So far" in text


def test_a_turn_mail_tells_what_happened_since_the_last_turn(cast, office):
    game_id = cast.start(BOOMERANG)
    until_asked(cast, game_id, cast.alice)
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    until_asked(cast, game_id, cast.alice)
    cast.alice.game(game_id)
    text = " ".join(part(mail_to(office, cast.alice)).split())
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


def test_somebody_who_returns_is_told_what_the_house_player_did(cast, office, hours):
    """The last turn is one's own, not that of the house player or of a previous holder of the seat."""
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
    text = part(mail_to(office, cast.alice))
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    house = [event for event in events if event.get("by") == "house" and event["seat"] == 0]
    assert house
    first = next(event["number"] for event in events if event.get("seat") == 0)
    told = [line["words"] for event in events[first - 1 :] for line in event["lines"]]
    assert "Since your last turn" in text
    assert len(told) < 30 and any("resigned" in words for words in told)
    assert all(words in " ".join(text.split()) for words in told)


def test_at_most_thirty_lines_are_shown(cast, office, hours):
    """Somebody who takes over a seat late in the game reads the last lines, and that there were more."""
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
    mail = next(each for each in office.deliver() if "Your turn" in each["Subject"])
    assert mail["To"] == to(cast.mallory)
    events = cast.mallory.get(f"/api/games/{game_id}/events?limit=200")["events"]
    told = [line["words"] for event in events for line in event["lines"]]
    assert len(told) > 30
    section = part(mail).partition("So far\n")[2].partition("\nThe table\n")[0]
    assert " ".join(section.split()).endswith(" - ".join(told[-30:]))
    assert "More happened before that" in section and section.count("\n- ") == 30
    html = part(mail, "html").partition(">So far<")[2].partition(">The table<")[0]
    assert html.count("<li") == 30


def mail_to(office: Office, person: Any) -> Any:
    """The newest mail to somebody, even if it is not due yet."""
    return [mail for mail in office.deliver() if mail["To"] == to(person)][-1]


def test_many_choices_share_one_link(cast, office):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=3)
    for _ in range(2):
        person, game = cast.asked(game_id)
        assert len(game["legal"]) > MOST_CHOICES
        mail = mail_to(office, person)
        assert len(moves(mail)) == 1
        person.answer(game)
        assert f"/games/{game_id}" in part(mail)


def test_the_deadline_is_in_the_recipients_time_zone(cast, clock, office):
    pace = {"kind": "decision", "seconds": 2 * DAY // 1000}
    cast.start("joretsu", players=3, pace=pace)
    text = part(mail_to(office, cast.alice))
    assert "Monday, 23 November 2026, 19:00 (Japan Standard Time)" in text


def test_the_deadline_is_in_utc_if_the_time_zone_is_unknown(cast, office):
    cast.start("joretsu", players=3, pace={"kind": "decision", "seconds": 2 * DAY // 1000})
    text = part(mail_to(office, cast.bob)).replace("\n", "")
    assert "2026年11月23日（月） 10:00（協定世界時）" in text


def test_a_turn_mail_is_in_the_recipients_language(cast, office):
    cast.start("joretsu", players=3)
    mail = mail_to(office, cast.bob)
    assert str(mail["Subject"]).startswith("あなたの番です")
    assert '<html lang="ja"' in part(mail, "html")
    assert "選べる手" in part(mail)


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
@sqlite_only
def test_a_mail_shows_only_cards_that_the_seat_has_seen(app, cast, office, ruleset):
    game_id = cast.start(ruleset.slug, version=ruleset.version)
    office.address(cast.carol)
    for _ in itertools.islice(cast.moves(game_id, random.Random(3).choice), 25):
        for mail in office.deliver():
            person = person_of(cast, mail)
            shown = [part(mail), part(mail, "html")]
            assert cards(shown) <= known(app, game_id, person.game(game_id)["seat"])
            assert not cards(str(mail["Subject"]))
            assert not cards(preview(mail))


def preview(mail: Any) -> str:
    """What a lock screen may show: the hidden preview and the first words."""
    html = part(mail, "html")
    hidden = re.search(r'<div class="preview"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert hidden is not None
    assert html.index(hidden[0]) < html.index("<h1")
    assert len(re.findall("\u200c|&zwnj;", hidden[1])) > 50
    return hidden[1] + part(mail)[:60]


def test_mails_about_a_game_form_one_thread_and_can_be_unsubscribed_from(cast, office):
    game_id = cast.start(BOOMERANG)
    seen = []
    for _ in cast.moves(game_id, random.Random(3).choice):
        seen += office.deliver()
    assert len({str(mail["References"]) for mail in seen}) == 1
    assert len({str(mail["Message-ID"]) for mail in seen}) == len(seen) > 3
    for mail in seen:
        stop = str(mail["List-Unsubscribe"]).strip("<>")
        assert stop in part(mail) and mail["List-Unsubscribe-Post"]


def test_a_reminder_is_a_turn_mail_with_another_subject(app, cast, office, runtime):
    game_id = cast.start("joretsu", players=3)
    game = cast.alice.game(game_id)
    office.deliver()
    key = execute(app, "SELECT key FROM games")[0].key
    with app.app_context(), transaction():
        queue.put(
            runtime,
            "reminder",
            "r",
            run_at=runtime.now(),
            player_id=cast.alice.id,
            game_key=key,
            tenure_id=game["tenure"],
            number=game["asked"],
        )
    (mail,) = office.deliver()
    assert str(mail["Subject"]).startswith("Still your turn")
    assert len(moves(mail)) == len(game["legal"])


# The end


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
    assert f"/api/games/{game_id}/record" in text and f"/games/{game_id}" in text
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
    assert f"http://localhost/games/{game_id}#invitation=i_" in part(mail)
    assert f"/rules/{BOOMERANG}?version=1&lang={language}" in part(mail)


def test_no_invitation_mail_to_a_game_that_has_started(cast, office):
    game_id = cast.open(CARAVAN)
    invited(cast, game_id, "en")
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert office.deliver() == []


# Talk, the deadline, and where to go from there


def say(person, game_id, text):
    return person.post(f"/api/games/{game_id}/messages", {"channel": "seats", "text": text})


def test_a_turn_mail_tells_what_others_have_written(cast, office):
    game_id = cast.start("joretsu", players=3)
    say(cast.carol, game_id, "Off to the mountains\nuntil Friday, see evil.example")
    say(cast.alice, game_id, "Have fun")
    mail = mail_to(office, cast.alice)
    for text in (part(mail), part(mail, "html")):
        assert "Carol: Off to the mountains until Friday" in " ".join(text.split())
        assert "Have fun" not in text and "evil.example" not in text
    assert "mountains" not in preview(mail) and "mountains" not in str(mail["Subject"])


def test_talk_that_was_read_hidden_or_mailed_is_not_told_again(cast, clock, office):
    game_id = cast.start(BOOMERANG)
    until_asked(cast, game_id, cast.alice)
    read, hidden = say(cast.bob, game_id, "read"), say(cast.bob, game_id, "hidden")
    cast.alice.put(f"/api/games/{game_id}/marks", {"channel": "seats", "number": read["number"]})
    cast.alice.delete(f"/api/games/{game_id}/messages/{hidden['id']}")
    say(cast.bob, game_id, "told once")
    clock.forward(DAY)
    text = part(office.deliver(now=False)[-1])
    assert "Bob: told once" in text and "Bob: read" not in text and "hidden" not in text
    clock.forward(DAY)
    cast.alice.answer(cast.alice.game(game_id))
    until_asked(cast, game_id, cast.alice)
    say(cast.bob, game_id, "told next")
    text = part(mail_to(office, cast.alice))
    assert "told next" in text and "told once" not in text


def test_a_reminder_repeats_the_talk_of_its_turn(app, cast, clock, office):
    pace = {"kind": "decision", "seconds": 3 * DAY // 1000}
    game_id = cast.start("joretsu", players=3, pace=pace)
    clock.forward(ONLINE_DELAY)
    say(cast.carol, game_id, "Back on Friday")
    assert all("Back on Friday" in part(mail) for mail in office.deliver(now=False))
    clock.forward(2 * DAY)
    reminders = office.deliver(now=False)
    assert reminders and all("Back on Friday" in part(mail) for mail in reminders)


def test_talk_of_somebody_who_is_blocked_is_left_out(cast, office):
    game_id = cast.start("joretsu", players=3)
    say(cast.carol, game_id, "you will lose")
    tenure = cast.carol.game(game_id)["tenure"]
    cast.alice.post("/api/me/blocks", {"game": game_id, "tenure": tenure})
    told = {str(mail["To"]): part(mail) for mail in office.deliver()}
    assert "you will lose" not in told[to(cast.alice)]
    assert "you will lose" in told[to(cast.bob)]


def test_at_most_ten_messages_are_told(cast, office):
    game_id = cast.start("joretsu", players=3)
    for number in range(11):
        say(cast.carol, game_id, f"message {number}.")
    text = part(mail_to(office, cast.alice))
    assert "message 0." not in text and "message 1." in text and "message 10." in text
    assert "More was written before" in text


def test_a_turn_mail_says_how_long_and_what_happens_then(app, cast, clock, office):
    pace = {"kind": "decision", "seconds": 2 * DAY // 1000}
    game_id = cast.start(BOOMERANG, pace=pace, takeover=2)
    until_asked(cast, game_id, cast.alice)
    clock.forward(30_000)
    text = " ".join(part(mail_to(office, cast.alice)).split())
    assert "(in 2 days)" in text and "Otherwise this is played for you: " in text
    assert "After 2 time-outs more in a row a computer player takes your seat" in text
    execute(app, "UPDATE seats SET misses = 1")
    execute(app, "UPDATE outbox SET done_at = NULL, attempts = 0, lease_until = 0")
    assert "A computer player then takes your seat" in part(mail_to(office, cast.alice))


def test_the_question_and_one_button_stand_above_the_table(cast, office):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=3)
    person, game = cast.asked(game_id)
    mail = mail_to(office, person)
    text, html = part(mail), part(mail, "html")
    for shown, heading in ((text, "\nThe table\n"), (html, ">The table<")):
        above = shown.partition(heading)[0] if person is cast.alice else shown
        assert above.count("/moves/") == 1
        if person is cast.alice:
            assert game["view"]["prompt_words"] in " ".join(above.split())


def test_a_turn_mail_and_the_pages_behind_it_lead_on(cast, office):
    game_id = cast.start(BOOMERANG)
    until_asked(cast, game_id, cast.alice)
    mail = mail_to(office, cast.alice)
    shown = [part(mail), part(mail, "html"), cast.nobody.get(moves(mail)[0]).decode()]
    for text in shown:
        for link in (
            f"/rules/{BOOMERANG}?version=",
            f"/games/{game_id}?panel=time",
            "/me/vacation",
            "/me/mails",
        ):
            assert f"http://localhost{link}" in text


def test_text_parts_wrap_at_78_columns_and_break_no_link(cast, office):
    game_id = cast.start(BOOMERANG)
    say(cast.carol, game_id, ("a long story about the mountains " * 20).strip())
    seen = []
    for _ in cast.moves(game_id, random.Random(3).choice):
        seen += office.deliver()
    assert {"en", "ja"} == {re.search('lang="(..)"', part(mail, "html"))[1] for mail in seen}
    for mail in seen:
        for line in part(mail).splitlines():
            whole = line.startswith("http://localhost/") or re.fullmatch(r"[0-9]+\.\S+", line)
            assert columns(line) <= WIDTH or whole, line
