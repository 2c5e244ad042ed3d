"""Sets, bids and bars as a layout declares them: in words for everybody, and as pictures next to the words."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import rules
from rules.kernel import Area
from service.core.words.words import phrases
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.drawing.text import draw_sections

SET = Area("set", ("collection",), ranks=("2", "4", "5", "9", "JQK"))
LOAD = Area(
    "load", ("up", "side"), {"total": "load"}, own="trunk", numbers={"2": 2, "9": 9, "side": 3}
)
LANES = Area("lanes", ("row",), {"total": "points"}, numbers={"least": 21, "most": 26})
BID = Area(
    "bid",
    facts={"by": "bidder", "kind": "kind", "rank": "rank", "suit": "suit"},
    sets={"pair": "RR", "straight": "R<<<<", "flush": "Rssss"},
)


def zone(name: str, cards: list[str] | int, seat: int = 0, **more: Any) -> Any:
    """A zone of a seat; a number of cards that nobody sees."""
    seen = {"cards": cards} if isinstance(cards, list) else {}
    count = cards if isinstance(cards, int) else len(cards)
    return {
        "name": name,
        "kind": "row",
        "seat": seat,
        "words": name,
        "count": count,
        **seen,
        **more,
    }


def table(zones: Any = (), facts: Any = (), prompt: Any = None) -> Any:
    """A game of two people, with these things on the table."""
    told = {"you": False, "waiting": False, "program": None}
    view = {"zones": [*zones], "facts": [*facts], "committed": [], "prompt": prompt}
    return {
        "seat": 0,
        "seats": [{"seat": n, "name": f"Seat {n}", **told} for n in (0, 1)],
        "view": {**view, "prompt_words": "", "phase_words": ""},
    }


def drawn(game: Any, area: Area, language: str = "en", slug: str = "caravan") -> Any:
    """The table as text, and as HTML."""
    words = phrases(language, slug)
    made = lay_out(game, words, [area])
    html = draw_html(made, words)
    return draw_sections(made, words), ElementTree.fromstring(html)


def of_class(html: Any, name: str) -> list[Any]:
    """The elements of a class, in order."""
    return [each for each in html.iter() if name in each.get("class", "").split()]


def test_a_set_has_a_place_for_each_card_and_says_what_is_missing() -> None:
    text, html = drawn(table([zone("collection", ["4h", "Qd"])]), SET)
    assert "missing: 2, 5, 9" in text
    places = [(sign.text or "").strip("\ufe0e") for sign in of_class(html, "sign")]
    assert places == ["2", "4♥", "5", "9", "Q♦"]
    assert [vacant.text for vacant in of_class(html, "vacant")] == ["2", "5", "9"]
    assert "missing: 2, 5, 9" in "".join(html.itertext())


def test_of_a_set_that_is_not_seen_only_the_number_is_told() -> None:
    text, html = drawn(table([zone("collection", 3)]), SET)
    assert "missing: 2\n" in text + "\n"
    assert [sign.text for sign in of_class(html, "sign")] == ["?", "?", "?", "–", "–"]


def test_a_complete_set_lacks_nothing_and_hides_no_card() -> None:
    text, html = drawn(table([zone("collection", ["2h", "4h", "5h", "9h", "Jh", "Kh"])]), SET)
    assert "missing" not in text
    assert len(of_class(html, "sign")) == 6


def load(*zones: Any) -> Any:
    """The load of seat 0, 7 in all."""
    return table(
        [*zones], [{"name": "load", "of": 0, "value": 7, "words": "Load 7.", "short": "load 7"}]
    )


@pytest.mark.parametrize(
    ("zones", "said", "kinds"),
    [
        ([zone("trunk", ["9h"])], "load 7, 7 of 9", ["held reached", "free"]),
        ([zone("trunk", ["2h"])], "load 7, 7 of 2", ["held reached", "excess reached"]),
        (
            [zone("trunk", ["2h"]), zone("side", ["Qc", "Js"])],
            "load 7, 7 of 8",
            ["held reached", "free"],
        ),
        ([zone("trunk", 1)], "load 7", ["held reached", "free"]),
    ],
    ids=["room", "too much", "more room", "unknown"],
)
def test_a_load_is_a_bar_of_what_can_be_held(zones: Any, said: str, kinds: list[str]) -> None:
    text, html = drawn(load(*zones), LOAD)
    assert said in text.splitlines()[-1].strip()
    assert ("of" in text.splitlines()[-1]) == (zones[0].get("cards") is not None)
    cells = [cell.get("class").split(" ", 1)[1] for cell in of_class(html, "meter")[0].iter("td")]
    assert cells == kinds


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (13, ["free reached", "free", "goal", "excess"]),
        (23, ["free reached", "goal reached", "goal", "excess"]),
        (40, ["free reached", "goal reached", "excess reached"]),
    ],
)
def test_a_row_says_how_far_it_is_from_what_it_sells_for(value: int, kinds: list[str]) -> None:
    points = {"name": "points", "of": 1, "index": 0, "value": value, "words": "-", "short": "x pts"}
    text, html = drawn(table([zone("row", ["4h"], 1, index=0)], [points]), LANES)
    assert "x pts, sells at 21–26" in text
    bar = of_class(html, "meter")[0]
    assert [cell.get("class").split(" ", 1)[1] for cell in bar.iter("td")] == kinds
    lengths = [int(cell.get("class").split()[0].removeprefix("long-")) for cell in bar.iter("td")]
    assert 19 <= sum(lengths) <= 21, "they fill the bar"


@pytest.mark.parametrize(
    ("bid", "said", "cards"),
    [
        ({"kind": "pair", "rank": "T"}, "a pair of tens", ["10", "10"]),
        ({"kind": "straight", "rank": "5"}, "a straight, 5 high", ["5", "4", "3", "2", "A"]),
        ({"kind": "flush"}, "a flush", ["\u00a0", "♤", "♤", "♤", "♤"]),
    ],
)
def test_the_highest_bid_lies_as_cards_where_its_seat_is_named(
    bid: Any, said: str, cards: Any
) -> None:
    bidder = {"name": "bidder", "seat": 1, "words": "Seat 1 has the highest bid."}
    text, html = drawn(table(facts=[bidder], prompt=bid), BID, slug="abbott-auction")
    assert [line.strip() for line in text.splitlines()][-2:] == [bidder["words"], said]
    (shown,) = of_class(html, "bid")
    assert [(card.text or "").replace("\ufe0e", "") for card in shown] == cards
    assert shown.get("aria-hidden") == "true", "it is said in words"


LIMITED = Area("track", facts={"value": "influence", "limit": "limit"}, numbers={"from": 1})
BOUNDED = Area("track", facts={"value": "influence"}, numbers={"from": 1, "to": 4})


@pytest.mark.parametrize(
    ("area", "limit", "values", "steps"),
    [
        (LIMITED, [3], [3, 9], [("1", 0), ("2", 0), ("3", 1), ("✕", 1)]),
        (LIMITED, [2], [0, 1], [("0", 1), ("1", 1), ("2", 0), ("✕", 0)]),
        (BOUNDED, [], [-1, 5], [("-1", 1), *((str(n), 0) for n in range(5)), ("5", 1)]),
    ],
)
def test_a_track_reaches_as_far_as_somebody_stands_and_marks_what_is_too_much(
    area: Area, limit: list[int], values: list[int], steps: list[tuple[str, int]]
) -> None:
    told = [
        {"name": "influence", "of": seat, "value": value, "words": f"Seat {seat} has {value}."}
        for seat, value in enumerate(values)
    ]
    told += [{"name": "limit", "value": each, "words": f"At most {each}."} for each in limit]
    text, html = drawn(table(facts=told), area._replace(title="influence"), slug="blame-the-magic")
    marks, numbers = of_class(html, "track")[0].iter("tr")
    shown = [(number.text, len(cell)) for cell, number in zip(marks, numbers, strict=True)]
    assert shown == steps
    label = of_class(html, "track")[0].get("aria-label")
    for each in told:
        assert each["words"] in text and each["words"] in label


def test_every_declared_shape_is_drawn() -> None:
    """Everything that the website draws is drawn on plain pages and in mails too, or concerns only places."""
    declared = {area.kind for slug in rules.slugs() for area in rules.load(slug).looks.layout}
    drawn_here = {"token", "suits", "track", "lanes", "set", "bid", "load"}
    placed = {"board", "centre", "heads", "ladder", "cards", "line", "drawn", "record"}
    assert declared <= drawn_here | placed
