"""The history for readers: with headings for the parts of the game, without lines that a heading or a later line
repeats.
"""

from __future__ import annotations

import html
import re

import pytest

import rules
from service.tables.views import told_history
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.web.support.node import Node

CHOSEN = "has chosen"


def events(person, game_id, query=""):
    return person.get(f"/api/games/{game_id}/events{query}")


def plain(person, game_id, query=""):
    """The plain page of the history: its headings, and its lines."""
    page = person.send("GET", f"/plain/games/{game_id}/history{query}").get_data(as_text=True)
    return [html.unescape(each) for each in re.findall(r"<(?:h2|li)>([^<]*)</", page)]


@sqlite_only
def test_an_event_says_which_parts_of_the_game_begin_in_it(cast):
    game_id = cast.start(BOOMERANG)
    cast.play(game_id, most=5)
    found = events(cast.alice, game_id)["events"]
    (sale,) = found[0]["headings"]
    assert (sale["above"], sale["depth"], sale["name"], sale["number"]) == (1, 0, "sale", 1)
    (lot,) = found[1]["headings"]
    offered = found[1]["lines"][lot["above"]]
    assert (lot["depth"], lot["name"], offered["line"]) == (1, "lot", "offered")
    assert offered["repeats"] and lot["pieces"][1]["card"] == offered["card"]
    assert lot["words"] == "".join(piece["text"] for piece in lot["pieces"])
    assert not any("headings" in event for event in found[2:4]), "nothing begins with a bid"


@sqlite_only
def test_a_page_says_in_which_parts_it_begins(cast):
    game_id = cast.start(BOOMERANG)
    cast.play(game_id, most=2)
    assert "parts" not in events(cast.alice, game_id)
    parts = events(cast.alice, game_id, "?after=3")["parts"]
    assert [part["name"] for part in parts] == ["sale", "lot"]


@sqlite_only
def test_lines_say_which_piece_names_a_seat_and_which_a_card(cast):
    game_id = cast.start(BOOMERANG)
    cast.play(game_id, lambda legal: legal[0], most=1)
    (line,) = events(cast.bob, game_id)["events"][-1]["lines"]
    named = [(piece.get("seat"), piece.get("card")) for piece in line["pieces"]]
    assert (line["seat"], None) in named
    assert {(None, card) for card in line["cards"]} <= set(named)
    assert "".join(piece["text"] for piece in line["pieces"]) == line["words"]


@sqlite_only
def test_the_lines_of_a_moment_that_say_what_it_came_to_are_marked(cast):
    """For a sale, the line names the buyer, not the bid that led to it or the next lot. Other events have no such
    lines.
    """
    game_id = cast.start(BOOMERANG)
    cast.play(game_id, most=12)
    found = [event for event in events(cast.alice, game_id)["events"] if "moment" in event]
    marked = [{line["line"] for line in each["lines"] if "outcome" in line} for each in found]
    assert {each["moment"] for each in found} == {None, "sale"}
    for event, lines in zip(found, marked, strict=True):
        assert lines == ({"sold", "unsold"} & {each["line"] for each in event["lines"]})


def test_the_line_of_a_round_says_what_comes_next_and_stays_in_its_place():
    lines = [{"line": "played"}, {"line": "turned"}, {"line": "shown"}]
    told_history.note_outcomes(rules.load("market-price"), lines)
    assert [line["line"] for line in lines if "outcome" in line] == ["shown"]


@sqlite_only
def test_a_choice_is_told_until_it_is_opened(cast):
    """The plain page tells it, for which nobody need wait, and so does the mail, whose reader may be the last to
    choose.
    """
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=1)
    assert sum(CHOSEN in line for line in plain(cast.nobody, game_id)) == 1
    assert sum(CHOSEN in line for line in plain(cast.nobody, game_id, "?after=0&limit=4")) == 1
    cast.play(game_id, most=2)
    told = plain(cast.nobody, game_id)
    assert not any(CHOSEN in line for line in told)
    opening, trading = told.index("Opening"), told.index("Trading")
    assert ["opens with" in line for line in told[opening + 1 : trading]] == [True, True]
    opened = events(cast.nobody, game_id)["events"][-2]
    assert any(CHOSEN in line["words"] for line in opened["lines"])


@sqlite_only
@pytest.mark.parametrize("slug", rules.slugs())
def test_every_game_is_headed_on_the_plain_page(cast, slug):
    game_id = cast.start(slug, players=rules.load(slug).players[0])
    cast.play(game_id, most=12)
    page = cast.nobody.send("GET", f"/plain/games/{game_id}/history?after=0").get_data(as_text=True)
    assert page.count("<h2>") > 0


SECTIONS = """async ([events, parts, committed]) => {
  const { sectionsOf } = await import("/table/replay/sections.js");
  const told = sectionsOf(events, parts, committed).filter(({ entries }) => entries.length);
  const words = list => list.map(each => each.words);
  return told.map(({ headings, entries }) => [words(headings), entries.flatMap(({ lines }) => words(lines))]);
}"""


@pytest.fixture(scope="module")
def node():
    with Node() as process:
        yield process


@sqlite_only
@pytest.mark.parametrize("slug", rules.slugs())
def test_the_page_and_the_plain_page_tell_the_same(cast, node, slug):
    """What the website leaves out of the events, and where it puts headings, is what the service does for other
    readers.
    """
    game_id = cast.start(slug, players=rules.load(slug).players[0])
    cast.play(game_id, most=13)
    committed = cast.nobody.game(game_id)["view"]["committed"]
    for after in (0, 6):
        query = f"?after={after}&limit=50"
        page = events(cast.nobody, game_id, query)
        found = node.evaluate(SECTIONS, [page["events"], page.get("parts", []), committed])
        read = [each for headed, lines in found for each in [*heading(headed), *lines]]
        assert read == plain(cast.nobody, game_id, query)


def heading(parts):
    """The headings of a section as one, if it has any."""
    return [": ".join(parts)] if parts else []
