"""Parts of the table with a shape of their own, and a table that stays in place while something is chosen."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Route

import rules
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE
from tests.web.support.in_view import DRAWN, NOT_REACHED, covered
from tests.web.support.legible import unreadable
from tests.web.support.phases import moments
from tests.web.support.staged import ID, Stage, answer
from tests.web.support.walked_table import WalkedTable

pytestmark = pytest.mark.browser

STEPS = (
    "fit-strips fit-unasked fit-abreast fit-small fit-news fit-quiet fit-smaller fit-smallest "
    "fit-tiny fit-least fit-upper fit-bare"
).split()
"""The steps in which a table becomes smaller."""
DRAW_SMALLER = """([steps, taken]) => {
  const play = document.querySelector(".play");
  steps.forEach((step, n) => play.classList.toggle(step, n < taken));
  play.style.setProperty("--fit", "0.34");
}"""
PLACES = """() => [".others", ".middle", ".seat.mine", ".hand"].map(where => {
  const { top, left } = document.querySelector(where).getBoundingClientRect();
  return [where, top, left];
})"""

EDGES = """all => all.map(each => {
  const { left, right, top } = each.getBoundingClientRect();
  return [left, right, top];
})"""

LINES = """each => {
  const range = new Range();
  range.selectNodeContents(each);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


def shaped(stage: Stage, *layout: Any) -> Any:
    """Opens the table of a ruleset with this layout."""

    def changed(route: Route) -> None:
        answer(route, {**route.fetch().json(), "layout": layout})

    stage.page.route("**/api/rulesets/*?*", changed)
    return stage.open()


def area(kind: str, *zones: str, own: str | None = None, **facts: str) -> Any:
    """An area as a ruleset declares it."""
    return {"kind": kind, "zones": zones, "facts": facts, "own": own}


def zone(name: str, cards: Any, index: int | None = None, seat: int | None = None) -> Any:
    """A zone of a view."""
    places = {"index": index, "seat": seat}
    given = {key: value for key, value in places.items() if value is not None}
    shown = {"kind": "row", "count": len(cards), "cards": cards, "words": f"{name} {index}"}
    return {"name": name, **given, **shown}


def fact(name: str, **more: Any) -> Any:
    """A fact of a view."""
    return {"name": name, "words": f"{name} {json.dumps(more)}", **more}


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE, DESK], ids=["phone", "side", "desk"])
def test_nothing_moves_while_something_is_chosen(visit: Any, size: Any) -> None:
    page = Stage(visit(size)).open()
    before = page.evaluate(PLACES)
    page.locator(".hand-card").first.click(position={"x": 6, "y": 12})
    page.locator(".hand-card.up").wait_for()
    after = page.evaluate(PLACES)
    page.keyboard.press("Escape")
    page.locator(".hand-card.up").wait_for(state="detached")
    assert page.evaluate(PLACES) == after
    assert before == after


def test_what_was_laid_lies_around_a_centre_with_the_own_card_below(visit: Any) -> None:
    stage = Stage(visit(DESK))
    for seat, card in ((0, "4h"), (1, "7s")):
        stage.zone("bid", seat).update(cards=[card], count=1)
    page = shaped(stage, area("centre", "bid", "good", lead="dealer"))
    mine = page.locator(".centre .at-near").bounding_box()
    others = [page.locator(f".centre .at-{side}").bounding_box() for side in ("left", "right")]
    assert all(other["y"] < mine["y"] for other in others)
    assert others[0]["x"] < mine["x"] < others[1]["x"]
    assert page.locator(".centre .leads").count() == 1


@pytest.mark.parametrize("called", ["Wilhelmina", "Wolfeschlegelsteinhausenbergerdorff"])
def test_a_name_around_a_centre_is_not_broken_inside_the_word(visit: Any, called: str) -> None:
    """Its column is as narrow as a card, if nothing else lies between the sides."""
    stage = Stage(visit(PHONE))
    for seat in stage.game["seats"]:
        seat["name"] = called
    page = shaped(stage, area("centre", "bid"))
    assert page.locator(".centre .zone-name").count() == len(stage.game["seats"])
    for name in page.locator(".centre .zone-name").all():
        assert name.inner_text() == name.get_attribute("title") == called
        assert name.evaluate(LINES) == 1


def test_a_long_name_does_not_make_the_page_wider(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["view"]["facts"] += [fact("won", words="W" * 40 + " has won the auction.")]
    stage.open()
    assert stage.visitor.wider_than_screen() == 0


def test_cards_that_do_not_lie_on_one_line_go_on_below_it(visit: Any) -> None:
    """Such as those of an opened discard pile, or of a long auction."""
    stage = Stage(visit(PHONE))
    cards = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
    stage.game["view"]["zones"].append(zone("heap", cards))
    page = stage.open()
    lying = page.locator("[aria-label^='heap'] .card").evaluate_all(EDGES)
    assert len(lying) == len(cards)
    assert max(right for _, right, _ in lying) <= PHONE["width"]
    assert len({round(top) for *_, top in lying}) > 2
    beside = [next_ - left for (left, _, top), (next_, _, below) in pairwise(lying) if top == below]
    assert min(beside) >= 13, "of each its index is seen"


def test_lanes_face_each_other_with_worth_direction_and_who_has_taken_one(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    for seat in (0, 1):
        stage.game["view"]["zones"] += [zone("row", ["4h", "6h"], n, seat) for n in (0, 1)]
    stage.game["view"]["facts"] += [
        fact("points", of=0, index=0, value=10, short="10 pts"),
        fact("direction", of=0, index=0, value="up", short="going up"),
        fact("sold", index=1, seat=1, short="sold by Ken"),
    ]
    page = shaped(stage, area("lanes", "row", total="points", way="direction", taken="sold"))
    worth = page.locator(".lane .near .worth").first
    assert worth.inner_text() == "10↑"
    assert worth.get_attribute("aria-label") == "10 pts, going up"
    assert page.locator(".lane.taken .taken-by").inner_text() == "sold by Ken"
    assert page.locator(".facts", has_text="10 pts").count() == 0, "it is said once"


def test_a_lane_that_is_taken_leaves_the_cards_of_others_together(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    for seat in (0, 1):
        lanes = [zone("row", cards, n, seat) for n, cards in enumerate((["4h"], ["6h"], []))]
        stage.game["view"]["zones"] += lanes
    by = "sold by " + "somebody of many words " * 3
    stage.game["view"]["facts"].append(fact("sold", index=2, seat=1, short=by))
    page = shaped(stage, area("lanes", "row", total="points", taken="sold"))
    far, near = (page.locator(f".lane .{side}").first.bounding_box() for side in ("far", "near"))
    assert near["y"] - far["y"] - far["height"] < 8


def test_a_board_shows_prices_and_what_one_holds(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["view"]["zones"] += [zone("side", ["4s"], n) for n in range(4)]
    stage.game["view"]["zones"].append(zone("share", ["Kh"], seat=0))
    stage.game["view"]["facts"] += [fact("price", index=n, value=n + 3) for n in range(4)]
    page = shaped(stage, area("board", "side", own="share", price="price"))
    assert page.locator(".price").all_inner_texts() == ["3", "4", "5", "6"]
    held = page.locator(".board-column .own .card")
    assert held.count() == 1
    assert page.locator(".board-column").nth(1).locator(".own .card").count() == 1
    assert page.locator(".seat.mine .card[aria-label='king of hearts']").count() == 0


@pytest.mark.parametrize(
    ("locale", "words", "title", "sides"),
    [
        ("en-GB", "Spades, {}", "Spades", ["upper side", "lower side"]),
        ("ja-JP", "スペードの{}", "スペード", ["上側", "下側"]),
    ],
)
def test_what_the_piles_of_a_column_have_in_common_is_said_once(
    visit: Any, locale: str, words: str, title: str, sides: list[str]
) -> None:
    stage = Stage(visit(PHONE, locale=locale))
    stage.game["view"]["zones"] += [
        zone(side, ["4s"], n) | {"words": words.format(side)} for n in range(4) for side in sides
    ]
    page = shaped(stage, area("board", *sides, own="share", price="price"))
    column = page.locator(".board-column").first
    assert column.locator(".column-name").inner_text() == title
    named = column.locator(".zone-name").all_inner_texts()
    assert [name.split("\n")[0].strip() for name in named] == sides


def test_what_is_over_is_folded_away(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["view"]["facts"] += [fact("past", value=n) for n in range(5)]
    page = shaped(stage, area("record", entry="past"))
    assert page.locator(".record summary").inner_text() == 'past {"value": 4}'
    page.locator(".record summary").click()
    assert page.locator(".record li").count() == 5


def test_a_sealed_choice_lies_before_its_seat_and_not_in_its_hand_any_more(visit: Any) -> None:
    stage = Stage(visit(PHONE), legal=[], asked=None)
    stage.game["view"]["committed"] = [0, 1]
    stage.game["view"]["facts"].append(fact("bid", of=0, cards=["3s"]))
    page = stage.open()
    placed = page.locator(".seat.mine .placed .card")
    assert placed.get_attribute("aria-label") == "3 of spades, face down"
    assert page.locator(".hand-card.not-now").evaluate_all(
        "all => all.map(e => e.dataset.card)"
    ) == ["3s"]
    others = page.locator(".others .committed")
    assert others.count() == 1
    assert "has chosen" in (others.text_content() or "")


def test_what_others_have_chosen_lies_face_down_before_them(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["view"] |= {
        "committed": [1, 2],
        "face_down": [face_down(1, 2), face_down(2, None)],
    }
    page = stage.open()
    backs = page.locator(".others .committed .little-back")
    assert backs.count() == 3
    stacks = "all => all.map(each => each.getAttribute('viewBox').startsWith('0 0 12'))"
    assert backs.evaluate_all(stacks) == [False, False, True], "how many is secret"
    assert page.locator(".others .committed").all_text_contents() == ["✓ has chosen"] * 2


def test_what_is_chosen_for_a_zone_lies_face_down_in_it(visit: Any) -> None:
    stage = Stage(visit(PHONE), legal=[], asked=None)
    stage.game["view"]["zones"] += [zone("lot", ["4h"], 0, 1)]
    stage.game["view"]["facts"].append(fact("bid", of=0, cards=["3s"]))
    stage.game["view"] |= {
        "committed": [0, 1],
        "face_down": [
            face_down(0, 1, "laid"),
            face_down(1, 1, "laid"),
            face_down(1, 1, "lot", index=0),
            face_down(2, 0, "laid"),
        ],
    }
    page = shaped(stage, area("centre", "laid"), area("heads", "lot"))
    cards = "all => all.map(each => each.getAttribute('aria-label'))"
    laid = page.locator(".centre .card").evaluate_all(cards)
    assert sorted(laid) == ["3 of spades, face down", "empty place", "face-down card"]
    assert page.locator(".head-column .card").evaluate_all(cards) == [
        "4 of hearts",
        "face-down card",
    ]
    assert page.locator(".others .little-back ~ .check").count() == 0, "it does not lie there too"
    assert page.locator(".placed").count() == 0


def face_down(seat: int, count: int | None, zone: str | None = None, **more: Any) -> Any:
    """Cards of a sealed choice."""
    return {"of": seat, "zone": zone, "count": count, "words": zone, **more}


def test_cards_that_go_to_zones_in_their_order_or_into_one_are_shown_there(visit: Any) -> None:
    page = Stage(visit()).open()
    ghosts = page.evaluate(
        """async zones => {
          const { TableSpots } = await import("/table/choosing/table_spots.js");
          const { EMPTY_DRAFT, readDraft } = await import("/table/choosing/narrowing.js");
          const spotted = by => ({ name: "cards", kind: "sequence", words: "", spot: { zone: "row", by } });
          const given = by => ({ words: "", parameters: [spotted(by)] });
          const types = { open: given("each"), bid: given("into") };
          const shown = (legal, draft) => [...new TableSpots({
            view: { zones, facts: [], committed: [] }, me: 0, legal, types, draft,
            reading: readDraft(legal, types, draft),
            hand: ["2s", "4h"], tapCard: () => null, choose() {},
          }).ghosts];
          const open = (...cards) => ({ action: { type: "open", cards }, words: "" });
          const bid = (...cards) => ({ action: { type: "bid", cards }, words: "" });
          const orders = [open("2s", "4h"), open("4h", "2s"), open("4h", "9c")];
          return [
            shown(orders, { ...EMPTY_DRAFT, picked: ["4h"] }), shown(orders, { ...EMPTY_DRAFT, picked: ["2s", "4h"] }),
            shown([bid("4h"), bid("2s")], { ...EMPTY_DRAFT, picked: ["4h"] }),
          ];
        }""",
        [zone("row", [], n, seat) for seat in (1, 0) for n in (0, 1)],
    )
    first, second = "zone row/0/0", "zone row/0/1"
    assert ghosts == [[[first, "4h"]], [[first, "2s"], [second, "4h"]], [[first, "4h"]]]


@pytest.mark.parametrize(("drawn", "held"), [("Jd", "Kc"), ("4d", "4h"), ("9s", None)])
def test_values_that_mean_a_drawn_card_or_the_one_in_its_place_show_them(
    visit: Any, drawn: str, held: str | None
) -> None:
    page = Stage(visit()).open()
    lying = [{"name": "table", "cards": [None, drawn]}]
    mine = [
        {"name": "own", "seat": seat, "cards": cards}
        for seat, cards in enumerate((["4h", "Kc"], ["9h"]))
    ]
    part = {"kind": "drawn", "own": "own", "ranks": ["4", "9", "JQK"], "facts": {"at": "taken"}}
    meant = page.evaluate(
        """async ([part, parameter, facts]) => {
          const { cardMeant } = await import("/cards/areas/drawn.js");
          return ["drawn", "held"].map(each => cardMeant({ facts }, { areas: [part] }, 0, parameter, each));
        }""",
        [
            {**part, "lying": lying, "beside": mine},
            {"name": "keep", "spot": {"zone": "own", "by": "drawn"}},
            [{"name": "taken", "of": 0, "value": 1}],
        ],
    )
    assert meant == [drawn, held]


def test_a_card_that_was_drawn_lies_beside_those_it_may_join(visit: Any) -> None:
    stage = Stage(visit(PHONE))
    stage.game["view"]["zones"].append({**zone("table", [None, "Jd"]), "kind": "grid"})
    stage.game["view"]["facts"].append(fact("taken", of=0, value=1))
    page = shaped(stage, area("drawn", "table", own="hand", at="taken"))
    assert (
        page.locator(".hands .drawn-card .card").get_attribute("aria-label") == "jack of diamonds"
    )


TRACK = """() => {
  const middle = each => { const { left, right } = each.getBoundingClientRect(); return (left + right) / 2; };
  const marks = [...document.querySelectorAll(".track .seat-mark")].map(middle);
  return [...document.querySelectorAll(".track-step")].map(each => {
    const { left, right } = each.querySelector("rect").getBoundingClientRect();
    return [each.textContent, marks.filter(at => at > left && at < right).length];
  });
}"""
"""The content of each step of a track, and the number of marks above it."""


def test_a_track_is_as_long_as_in_a_mail(visit: Any) -> None:
    """Somebody is above the limit, and somebody below the first number: see tests/.../drawing/test_shapes.py."""
    stage = Stage(visit(PHONE))
    facts = [fact("influence", of=0, value=9), fact("influence", of=1, value=0)]
    stage.game["view"]["facts"] += [*facts, fact("limit", value=2)]
    track = {**area("track", value="influence", limit="limit"), "numbers": {"from": 1}}
    page = shaped(stage, {**track, "title": "Influence"})
    assert page.evaluate(TRACK) == [["0", 1], ["1", 0], ["2", 0], ["✕", 1]]


@pytest.mark.parametrize("players", [3, 4])
def test_the_track_gives_way_last_where_a_phone_lies_on_its_side(visit: Any, players: int) -> None:
    """Cards are cut before it, and arrow keys skip none of those between seats and track."""
    visitor, ruleset = visit(ON_ITS_SIDE), rules.load("blame-the-magic")
    visitor.sign_up()
    table, page = WalkedTable(visitor, ruleset), visitor.page
    for moment in moments(ruleset, players):
        table.show(moment.state, moment.seat)
        page.evaluate(DRAWN)
        assert page.locator(".track").is_visible()
        assert covered(page) == []
        assert page.evaluate(NOT_REACHED) == []
    page.set_viewport_size({**ON_ITS_SIDE, "height": 280})
    page.evaluate(DRAWN)
    assert covered(page) == []


@pytest.mark.parametrize("size", [PHONE, ON_ITS_SIDE], ids=["phone", "side"])
def test_marks_of_what_is_new_lie_on_no_index_of_a_grid(visit: Any, size: Any) -> None:
    """This holds however small the table is drawn, from the step on at which its cards shrink."""
    visitor, ruleset = visit(size), rules.load("2459n")
    visitor.sign_up()
    table, page = WalkedTable(visitor, ruleset), visitor.page
    moment = moments(ruleset, 3)[0]
    table.show(moment.state, moment.seat)
    (grid,) = (each for each in table.game["view"]["zones"] if each["kind"] == "grid")
    grid["cards"][1::7] = ["Jk", "Th", "Qs", "3s", "Ad", "8c", "Kh", "Jd"]
    visitor.open(f"/games/{ID}").locator("#confirm").wait_for()
    for steps in range(STEPS.index("fit-small") + 1, len(STEPS) + 1):
        page.evaluate(DRAW_SMALLER, [STEPS, steps])
        assert unreadable(page) == [], STEPS[steps - 1]
