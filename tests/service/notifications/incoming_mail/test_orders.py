"""The orders in replies, as people write them: certain, possible, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.log.table_rows.table import find
from service.notifications.incoming_mail import answers, orders
from service.notifications.incoming_mail.orders import NOT_CLEAR, Order
from service.notifications.incoming_mail.reading.answer_text import written
from service.notifications.mail_texts.game_for_reader import GameForReader
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.post_office import Office

pytestmark = sqlite_only

THREE = [
    *("3", "3.", "3)", "(3)", "#3", "③", "３", "３番", "３）", "No. 3", "No.3", "Number 3", "№3"),
    *("Ⅲ", "ⅲ", "3\ufe0f\u20e3", "3!", "3 please", "3, please.", "Please 3", "3 thanks!"),
    *("3, thank you", "3です", "3番です。", "3でお願いします", "3番でお願いします。", "３にします"),
    *("3\n\nSee you tomorrow", "3\ntalk: not 4", "3\n\n3", "3\n+81 3 0000 0000"),
]
"""Ways to say 3, and nothing else."""
PERHAPS_THREE = [
    *("3?", "3ですか", "no 3", "I choose 3", "I’ll take 3, please", "option 3", "Choice: 3"),
    *("Let me go with 3", "*3*", "3 👍", "選択肢3", "3を選びます", "やっぱり3", "yes, 3", "-3"),
    *("Hi Bob,\n3\nthanks", "Good game!\n\n3", "3\nno, wait", "3\nNo!", "3\nやめます"),
]
THREE_OR_FOUR = [
    *("3 or 4", "3, 4", "3 4", "3/4", "3\n4", "3\nno wait, 4", "3か4", "3\nI choose 4"),
    *(
        "maybe 3, or rather 4",
        "3それとも4",
        "3\n\n4\n\n3",
        "I think 3 or 4?",
        "should I do 3 or 4?",
    ),
    *("Either 3 or 4, I guess", "3か4かな", "3か4だと思います", "3か4で迷っています"),
]
PASSES = [
    "pass",
    "Pass.",
    "pass!",
    "PASS",
    "Pass, please",
    "パス",
    "パスします",
    "パスでお願いします。",
]
PERHAPS_PASSES = [
    *("Pass?", "pass?!", "I pass, sorry", "don't pass", "No pass", "パスしますか", "パスしません"),
    *("パスしないでください", "Hello Bob\n\npass", "Pass\nno, wait", "Pass\n3", "should I pass?"),
]
TALK = [
    *(
        "See you at 3 o'clock",
        "Back in 3 days",
        "3日後に戻ります",
        "3人で遊ぼう",
        "Gate 3 it is, Bob",
    ),
    *("99 or 100", "2026-11-28", "Thanks!", "yes", "はい", "no", "3 cheers for Bob", "Well played"),
    *("My phone:\n5551", "10:99"),
]


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example")


@pytest.fixture
def ordered(app, cast):
    """The order of somebody who may pass, and has more than four choices."""
    Office(app).address(*cast.seated)
    game_id = cast.start(BOOMERANG)
    first, game = cast.asked(game_id)
    first.answer(game)
    person, _ = cast.asked(game_id)
    with app.app_context():
        services = app.extensions["tegami"]
        question = orders.present(services, GameForReader(services, find(game_id), person.id, "en"))

        def read(text, *, confirms=False):
            found = written(text, answers.marks(services.config))
            return orders.find_order(found, [question], confirms)

        read.passing = next(each.place for each in question.actions if "pass" in each.names)
        yield read


def test_a_number_is_read_as_people_write_it(ordered):
    assert {text: ordered(text) for text in THREE} == dict.fromkeys(THREE, Order((3,)))


def test_a_number_that_may_be_meant_otherwise_is_asked_about(ordered):
    perhaps = Order((3,), surely=False)
    assert {text: ordered(text) for text in PERHAPS_THREE} == dict.fromkeys(PERHAPS_THREE, perhaps)
    either = Order((3, 4), surely=False)
    assert {text: ordered(text) for text in THREE_OR_FOUR} == dict.fromkeys(THREE_OR_FOUR, either)


def test_an_action_in_its_own_words_is_played_unless_they_are_doubtful(ordered):
    surely = Order((), (ordered.passing,))
    assert {text: ordered(text) for text in PASSES} == dict.fromkeys(PASSES, surely)
    for text in PERHAPS_PASSES:
        order = ordered(text)
        assert order is not None and not order.surely, text
        assert ordered.passing in order.places, text


def test_what_names_no_choice_is_talk(ordered):
    assert {text: ordered(text) for text in TALK} == dict.fromkeys(TALK)


def test_yes_is_yes_with_a_courtesy_too(ordered):
    """Text that begins like an answer and says more is neither said nor played: the player is asked again."""
    for text in ("Yes", "yes, please", "OK!", "yes 👍", "はい、お願いします", "Yes.\n\nThanks!"):
        assert ordered(text, confirms=True) == Order(confirmed=True), text
    for text in ("No", "no, thanks", "いいえ", "wait", "Cancel, please"):
        assert ordered(text, confirms=True) == Order(declined=True), text
    for text in ("Yes?", "yes, but Bob first", "No I meant the other", "はい、でも"):
        assert ordered(text, confirms=True) in (NOT_CLEAR, Order((), (), surely=False)), text
    for text in ("Yes\nno, wait", "Yes\n3", "yes, 3"):
        order = ordered(text, confirms=True)
        assert order is not None and not order.surely and not order.confirmed, text
    assert ordered("OK, I will be away until Friday, see you then", confirms=True) is None


def test_a_long_text_is_searched_no_further_than_it_could_be_said(ordered):
    """Its first line still orders."""
    assert ordered("3\n" + "no pass\n" * 100_000) == Order((3,))
    assert ordered("x" * 1_000 + "\n" + "pass\n" * 100_000) is None
