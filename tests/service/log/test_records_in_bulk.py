"""The records of many games: complete, in pages, and without other people's private ones."""

from __future__ import annotations

import json
import re

import pytest

from service.core.runtime.units import DAY
from service.tables.views.record_lists import month
from tests.support.cast import CARAVAN
from tests.support.damaging import poison

PATH = "/api/records"


def finished(cast, **wish):
    """The id of a game that is over."""
    game_id = cast.start(CARAVAN, **wish)
    cast.alice.post(f"/api/games/{game_id}/resignation", {}, 200)
    return game_id


def records(person, query=""):
    """The lines of all pages."""
    lines, path = [], f"{PATH}?{query}"
    while path:
        answer = person.send("GET", path)
        if answer.status_code == 204:
            return lines
        assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
        lines += answer.get_data().splitlines()
        following = re.fullmatch('<(.+)>; rel="next"', answer.headers.get("Link", ""))
        path = following and following[1]
    return lines


def games(person, query=""):
    return [json.loads(line)["game"] for line in records(person, query)]


def test_each_line_is_the_record_byte_for_byte(cast):
    ids = [finished(cast) for _ in range(2)]
    found = records(cast.nobody)
    assert found == [cast.nobody.send("GET", f"/api/games/{i}/record").get_data() for i in ids]


def test_running_games_are_not_among_them(cast):
    cast.start(CARAVAN)
    assert records(cast.alice) == records(cast.alice, "mine=true") == []


def test_private_games_are_for_those_who_played_them(cast):
    public, private = finished(cast), finished(cast, private=True)
    assert games(cast.nobody) == games(cast.mallory) == [public]
    assert games(cast.alice, "mine=true") == games(cast.bob, "mine=true") == [public, private]
    assert games(cast.mallory, "mine=true") == []
    cast.nobody.refused("GET", f"{PATH}?mine=true", "not-signed-in")


def test_a_damaged_game_is_left_out_and_ends_nothing(app, cast):
    ids = [finished(cast) for _ in range(3)]
    poison(app, ids[0])
    assert games(cast.nobody, "limit=1") == ids[1:]


@pytest.mark.both_databases
def test_pages_follow_each_other_and_keep_what_was_asked_for(cast):
    ids = [finished(cast) for _ in range(3)]
    query = f"limit=1&ruleset={CARAVAN}&month=2026-11&mine=true"
    assert games(cast.bob, query) == ids
    assert games(cast.bob, "ruleset=joretsu") == []


@pytest.mark.both_databases
def test_games_are_found_by_the_month_in_which_they_ended(cast, clock):
    first = finished(cast)
    clock.forward(10 * DAY)
    second = finished(cast)
    assert games(cast.nobody, "month=2026-11") == [first]
    assert games(cast.nobody, "month=2026-12") == [second]


@pytest.mark.parametrize("query", ["month=2026-13", "month=11", "limit=51", "cursor=x", "mine=1"])
def test_another_query_is_refused(cast, query):
    cast.bob.refused("GET", f"{PATH}?{query}", "invalid-query")


def test_december_is_followed_by_january():
    begins, ends = month("2026-12")
    assert ends - begins == 31 * DAY
    assert month("2027-01")[0] == ends
