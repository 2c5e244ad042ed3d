"""News, and the moments at which the table pauses: in the API and in looking back."""

from __future__ import annotations

import pytest

import rules
from service.tables.views.news import is_news
from tests.support.cast import CARAVAN, sqlite_only

OWN = {"kind": "action", "seat": 0, "by": "seat"}
BID = {"type": "bid", "card": "7h"}


@pytest.mark.parametrize(
    ("event", "lines", "news"),
    [
        (OWN, [{"line": "bid", "seat": 0, "card": "7h", "value": 7, "words": "You bid."}], False),
        (OWN, [{"line": "chosen", "seat": 0, "words": "You have chosen."}], False),
        (OWN, [{"line": "drew", "seat": 0, "card": "8h", "words": "You draw."}], True),
        (OWN, [{"line": "bid", "seat": 0}, {"line": "sold", "seat": 1}], True),
        ({**OWN, "by": "timeout"}, [{"line": "chosen", "seat": 0}], True),
        ({**OWN, "by": "house"}, [{"line": "chosen", "seat": 0}], True),
        ({**OWN, "seat": 1}, [{"line": "chosen", "seat": 1}], True),
        ({"kind": "chance"}, [{"line": "shuffled", "count": 5}], True),
        ({"kind": "chance"}, [], False),
    ],
)
def test_only_what_somebody_chose_is_no_news_to_them(event, lines, news) -> None:
    assert is_news(event, BID, lines, 0) is news


def events(person, game_id):
    return person.get(f"/api/games/{game_id}/events")["events"]


@sqlite_only
def test_an_event_belongs_to_everybody_whom_it_changed(cast):
    """The last to choose is told what that opened, as everybody else is; the first learns nothing from it."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=2)
    for person in (*cast.holders(game_id).values(), cast.nobody):
        first, last = events(person, game_id)[-2:]
        assert (first["news"], first["moment"]) == (
            person.game(game_id)["seat"] != first["seat"],
            None,
        )
        assert (last["news"], last["moment"]) == (True, "opened")


@sqlite_only
@pytest.mark.parametrize("slug", rules.slugs())
def test_looking_back_shows_what_lay_there_at_a_moment(cast, slug):
    """It is shown only then, as facts like those of one's own choice, but never what only its seat may know."""
    game_id = cast.start(slug)
    cast.play(game_id, most=25)
    person = next(iter(cast.holders(game_id).values()))
    stops = {each["number"]: each for each in events(person, game_id) if each.get("moment")}
    views = person.get(f"/api/games/{game_id}/views?limit=50")["views"]
    assert {each["number"] for each in views if each["moment"]} == {*stops} & {
        each["number"] for each in views
    }
    for each in views:
        if each["moment"]:
            assert each["moment"]["zones"]
            assert each["moment"]["prompt"] == {}
