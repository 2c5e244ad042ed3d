"""Replies other than choices: an order left by its words or its number, and a move taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.notifications.incoming_mail.answers import Outcome
from tests.service.notifications.incoming_mail.test_replies_that_play import (
    PASSES,
    SERVER,
    Table,
    numbers,
)
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.post_office import part

WORDS = "Pass for the rest of this lot"


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example", authserv_id=SERVER)


@pytest.fixture
def auction(app, cast):
    return Table(app, cast, BOOMERANG)


def left(table):
    """The orders of alice, in words."""
    return [each["order"]["words"] for each in table.cast.alice.get("/api/me/orders")["orders"]]


@sqlite_only
@pytest.mark.parametrize(
    "said",
    [
        WORDS,
        "pass, for the rest of this lot!",
        f"{WORDS}, please\n\nCheers,\nAlice",
        "この競りが終わるまで、パスする",
    ],
)
def test_an_order_is_left_by_its_words_in_any_language(auction, said):
    if not said.isascii():
        auction.cast.alice.send("PATCH", "/api/me/settings", json={"language": "ja"})
        path = f"/api/games/{auction.id}/orders"
        headers = {"Accept-Language": "ja"}
        shown = auction.cast.alice.send("GET", path, headers=headers).json
        auction.cast.alice.send("PATCH", "/api/me/settings", json={"language": "en"})
        said = shown["offers"][0]["words"]
    before = auction.number()
    assert auction.reply(said) == Outcome.ANSWERED
    assert left(auction) == [WORDS]
    assert "This order is now in force" in part(auction.answered())
    assert (auction.number(), auction.heard()) == (before, [])


@sqlite_only
def test_an_order_is_left_by_its_number_once(auction):
    offered = {words: number for number, words in numbers(auction.mail).items()}
    for _ in range(2):
        assert auction.reply(str(offered[WORDS]), id="<same@example.org>") == Outcome.ANSWERED
    assert left(auction) == [WORDS]


@sqlite_only
@pytest.mark.parametrize(
    "said",
    [f"{WORDS}\n\nno, wait", f"{WORDS}?", f"{WORDS}\n\n2", f"Shall I {WORDS}, what do you think"],
)
def test_what_only_speaks_of_an_order_leaves_none(auction, said):
    auction.reply(said)
    assert left(auction) == []


@sqlite_only
@pytest.mark.parametrize("said", [WORDS, "take back"])
def test_a_mail_that_may_be_somebody_elses_leaves_nothing_and_takes_nothing_back(auction, said):
    number = auction.number()
    assert auction.reply(said, results=None) == Outcome.ANSWERED
    assert "cannot confirm that this reply is yours" in part(auction.answered())
    auction.cast.alice.send("PATCH", "/api/me/settings", json={"confirm_replies": "always"})
    auction.reply(said)
    assert "cannot confirm" in part(auction.answered())
    assert (left(auction), auction.number()) == ([], number)


@sqlite_only
def test_words_of_an_order_in_answer_to_an_earlier_question_leave_none(auction):
    game = auction.cast.alice.game(auction.id)
    auction.cast.alice.answer(game, {"type": "pass"})
    auction.reply(WORDS)
    assert left(auction) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("to_first", [True, False])
def test_a_choice_is_taken_back_by_a_reply_and_chosen_anew(app, cast, to_first):
    """The reply may be to the mail that asked, or to the one that says what was played."""
    table = Table(app, cast, CARAVAN)
    first, asked = table.mail, cast.alice.game(table.id)
    words = table.legal()[0]
    assert table.reply(words) == Outcome.PLAYED
    played = table.answered()
    number = table.number()
    mail = first if to_first else played
    assert table.reply("Take back", mail, results=PASSES) == Outcome.ANSWERED
    back = table.answered()
    assert "Your move has been taken back." in part(back)
    game = cast.alice.game(table.id)
    assert (game["number"], game["legal"]) == (number + 1, asked["legal"])
    assert table.reply("undo", mail) == Outcome.ANSWERED
    assert "can no longer be taken back" in part(table.answered())
    assert table.reply(words, back) == Outcome.PLAYED
    assert table.heard() == []


@sqlite_only
def test_what_others_have_seen_is_asked_for_by_a_reply(app, cast):
    table = Table(app, cast, BOOMERANG)
    asked = cast.alice.game(table.id)
    bid = next(each["words"] for each in asked["legal"] if each["action"]["type"] == "bid")
    table.reply(bid)
    mail = table.answered()
    assert table.reply("take it back", mail) == Outcome.ANSWERED
    assert "The others have been asked" in part(table.answered())
    (proposal,) = cast.bob.game(table.id)["proposals"]
    assert (proposal["kind"], proposal["asks_you"]) == ("takeback", True)


@sqlite_only
def test_an_older_move_is_not_taken_back_by_an_answer_to_its_mail(app, cast):
    """The mail is about another question than the move that was made last."""
    table = Table(app, cast, CARAVAN)
    first = table.mail
    table.reply(table.legal()[0])
    cast.bob.answer(cast.bob.game(table.id))
    number = table.number()
    table.reply("undo", first)
    assert table.number() == number
    assert cast.alice.game(table.id)["proposals"] == []
