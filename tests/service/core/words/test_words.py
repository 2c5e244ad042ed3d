"""Numbers in words: the form of a noun fits its number."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY, HOUR
from service.core.words.words import Reader, duration, phrases


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 points"), (1, "1 point"), (-1, "\N{MINUS SIGN}1 point"), (2, "2 points")],
)
def test_a_noun_takes_the_form_that_fits_its_number(value, text):
    assert phrases("en", "joretsu").say("score", {"score": value}) == text


def test_several_numbers_take_the_general_form():
    words = phrases("en", "boomerang-auction")
    assert words.say("score", {"score": 1}) == "1 point"
    listed = {"values": [1, 1], "extra": 0, "of": 0}
    assert "1 and 1 points" in words.say("fact.sum", listed, Reader(["Aki"]))


def test_a_language_without_plurals_has_one_form():
    words = phrases("ja", "joretsu")
    assert [words.say("score", {"score": n}) for n in (1, 2)] == ["1点", "2点"]


def test_cards_and_times_are_counted():
    english, japanese = phrases("en"), phrases("ja")
    assert [english.card(n) for n in (0, 1, 2)] == ["no cards", "1 card", "2 cards"]
    assert duration(DAY + 2 * HOUR, english) == "1 day 2 hours"
    assert duration(0, english) == "0 seconds"
    assert duration(DAY, japanese) == "1日"


def test_everybody_in_a_list_is_called_politely():
    words = phrases("ja", "auction-draw")
    told = {"seats": [0, 1], "chips": 6, "rest": 0}
    said = words.say("line.shared", told, Reader(["アキ", "ボー"]))
    assert said == "アキさん、ボーさんがポットから6枚ずつ取りました。ポットの残りは0枚です。"
    english = phrases("en", "auction-draw").say("line.shared", told, Reader(["Aki", "Bo"]))
    assert english.startswith("Aki and Bo take 6 each")


def test_somebody_who_has_left_gets_no_honorific():
    words = phrases("ja")
    gone = words.say("person.gone")
    assert words.say("line.chosen", {"seat": 0}, Reader([gone])) == f"{gone}が選び終えました。"
    assert words.say("event.handover.returned", {"new": gone}) == f"{gone}が戻りました。"
    assert words.say("event.handover.returned", {"new": "アキ"}) == "アキさんが戻りました。"


@pytest.mark.parametrize(
    ("bid", "english", "japanese"),
    [
        ({"kind": "flush"}, "a flush", "フラッシュ"),
        ({"kind": "single", "rank": "9"}, "a single 9", "9のカード1枚"),
        ({"kind": "single", "rank": "9", "suit": "h"}, "the 9 of hearts", "ハートの9"),
        ({"kind": "pair", "rank": "K"}, "a pair of kings", "Kのワンペア"),
        ({"kind": "three", "rank": "7"}, "three sevens", "7のスリーカード"),
        ({"kind": "straight", "rank": "A"}, "a straight, ace high", "Aのストレート"),
        ({"kind": "four", "rank": "joker"}, "four jokers", "ジョーカーのフォーカード"),
    ],
)
def test_a_value_is_worded_with_the_fields_beside_it(bid, english, japanese):
    told, reader = {"seat": 0, **bid}, Reader(["Aki"])
    said = [
        phrases(language, "abbott-auction").say_most_specific("line.bid", told, reader)
        for language in ("en", "ja")
    ]
    assert said == [f"Aki bids {english}.", f"Akiさんが{japanese}をビッドしました。"]
    named = phrases("en", "abbott-auction").below("value.kind.")
    assert named["pair"] == "a pair"
    assert "pair+rank" not in named
