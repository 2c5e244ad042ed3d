"""The contents of a turn mail, and what it leaves out; the talk of others, and its links."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest

from service.core.database.database import transaction
from service.notifications.mail_texts.mail_links import MOST_CHOICES
from service.outbox import queue
from service.outbox.causes.after_move import ONLINE_DELAY
from service.tables.drawing.text import WIDTH, columns
from tests.service.tables.play.test_hidden_information import cards, known
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import hours
from tests.support.dump import execute
from tests.support.each_game import each_ruleset
from tests.support.post_office import Office, moves, part, person_of, to

__all__ = ["hours"]

DAY = 86_400_000


def until_asked(cast: Any, game_id: str, person: Any) -> Any:
    """Play first choices until it is this person's turn; returns the game as that person sees it."""
    while True:
        asked, game = cast.asked(game_id)
        if asked is person:
            return game
        asked.answer(game)


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
    assert f"http://localhost/tables/{game['tenure']}." in text
    assert game["view"]["prompt_words"] in " ".join(text.split())
    assert "Since your last turn" in text or "So far" in text


def test_a_turn_mail_tells_what_is_news_since_the_last_turn(cast, office):
    """It tells the same as the website above the table: one's own actions are no news."""
    game_id = cast.start(BOOMERANG)
    until_asked(cast, game_id, cast.alice)
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    until_asked(cast, game_id, cast.alice)
    cast.alice.game(game_id)
    text = " ".join(part(mail_to(office, cast.alice)).split())
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    told = [
        line["words"]
        for event in events
        if event["number"] >= number and event["news"]
        for line in event["lines"]
        if not line.get("repeats")  # a heading says it
    ]
    assert "Since your last turn" in text
    assert all(words in text for words in told[-30:])
    (own,) = (event for event in events if event["number"] == number)
    assert not own["news"] and f"- {own['lines'][0]['words']} -" not in text
    before = [
        line["words"] for event in events if event["number"] < number for line in event["lines"]
    ]
    told_before = [words for words in before if words not in told]
    assert told_before and not any(f"- {words} -" in text for words in told_before)


def test_somebody_who_returns_is_told_what_the_house_player_did(cast, office, hours):
    """Their own last turn counts, not that of the house player or of a previous holder of the seat."""
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
    lines = [line for event in events[first - 1 :] if event["news"] for line in event["lines"]]
    told = [line["words"] for line in lines if not line.get("repeats")]  # a heading says it
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
    lines = [line for event in events for line in event["lines"]]
    told = [line["words"] for line in lines if not line.get("repeats")]  # a heading says it
    assert len(told) > 30
    section = part(mail).partition("So far\n")[2].partition("\nThe table\n")[0]
    shown = re.findall(r"^- (.*(?:\n  .*)*)", section, re.M)
    assert [" ".join(line.split()) for line in shown] == told[-30:]
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
        assert f"/tables/{game['tenure']}." in part(mail)


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
    assert str(mail["Subject"]).startswith("あなたの手番です")
    assert '<html lang="ja"' in part(mail, "html")
    assert "選べる手" in part(mail)


@each_ruleset
@sqlite_only
def test_a_mail_shows_only_cards_that_the_seat_has_seen(app, cast, office, ruleset):
    game_id = cast.start(ruleset.slug, version=ruleset.version)
    office.address(cast.carol)
    for _ in itertools.islice(cast.moves(game_id, random.Random(3).choice), 25):
        for mail in office.deliver():
            person = person_of(cast.seated, mail)
            shown = [part(mail), part(mail, "html")]
            assert cards(shown) <= known(app, game_id, person.game(game_id)["seat"])
            assert not cards(str(mail["Subject"]))
            assert not cards(preview(mail))


def preview(mail: Any) -> str:
    """The text that a lock screen may show: the hidden preview and the first words."""
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


# Talk, the deadline, and where to go from there


def say(person, game_id, text):
    return person.post(f"/api/games/{game_id}/messages", {"channel": "seats", "text": text})


@pytest.mark.both_databases
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


def test_the_mail_about_the_end_tells_what_was_said_last(cast, clock, office):
    game_id = cast.start(CARAVAN)
    say(cast.bob, game_id, "told before")
    clock.forward(ONLINE_DELAY)
    told = {str(mail["To"]): part(mail) for mail in office.deliver(now=False)}
    assert "told before" in told[to(cast.alice)]
    clock.forward(DAY)
    say(cast.bob, game_id, "Well played")
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    mail = mail_to(office, cast.alice)
    assert str(mail["Subject"]).startswith("The game is over")
    for text in (part(mail), part(mail, "html")):
        assert "Bob: Well played" in text and "told before" not in text
    assert "Well played" not in preview(mail)


def test_subject_and_preview_say_what_is_asked_and_what_happened_last(cast, clock, office):
    pace = {"kind": "decision", "seconds": 2 * DAY // 1000}
    game_id = cast.start(CARAVAN, pace=pace)
    cast.play(game_id, most=3)
    for _ in range(2):
        person, game = cast.asked(game_id)
        mail = mail_to(office, person)
        english = "Play a card, start a row again, discard a card, or sell"
        asked = english if person is cast.alice else "出す"
        assert asked in " ".join(str(mail["Subject"]).split())
        hidden = " ".join(preview(mail).split())
        assert "November 2026, 19:00" in hidden or "2026年11月23日" in hidden
        last = game["number"] and person.get(f"/api/games/{game_id}/events?limit=200")["events"][-1]
        words = last["lines"][-1]["words"]
        said = re.sub(r"\S+[♠♥♦♣]", "", words)
        assert said.split()[0] in hidden and (said == words or words not in hidden)
        person.answer(game)


@pytest.mark.both_databases
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
    assert "Please play by" in text and "Otherwise this is played for you: " in text
    assert "After a further 2 time-outs in a row, a house player will take your seat" in text
    execute(app, "UPDATE seats SET misses = 1")
    execute(app, "UPDATE outbox SET done_at = NULL, attempts = 0, lease_until = 0")
    assert "A house player will then take your seat" in part(mail_to(office, cast.alice))


def test_the_question_and_one_button_stand_above_the_table(cast, office):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=3)
    person, game = cast.asked(game_id)
    mail = mail_to(office, person)
    text, html = part(mail), part(mail, "html")
    for shown, heading in ((text, "\nThe table\n"), (html, ">The table<")):
        above = shown.partition(heading)[0] if person is cast.alice else shown
        assert len(re.findall(r"/moves/[\w.-]+[\s\"]", above)) == 1
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
            "/extensions/t_",
            "/vacations/t_",
            "/mails/t_",
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
