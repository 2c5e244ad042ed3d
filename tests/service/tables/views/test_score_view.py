"""The origin of scores: nothing is shown while a game runs, everything when it is over."""

from __future__ import annotations

import itertools
import json

import pytest

import rules
from tests.service.tables.play.test_hidden_information import cards
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.each_game import each_slug

MOVES = 4
"""The number of moves that are played in unfinished games."""


def deals(person, game_id, **more):
    return person.get(f"/api/games/{game_id}/deals", **more)


@sqlite_only
@each_slug
def test_nothing_of_it_can_be_had_while_the_game_runs(cast, slug):
    few = next(players for players in rules.load(slug).players if players <= 3)
    game_id = cast.open(slug, players=few)
    for person in (*cast.seated, cast.nobody):
        person.refused("GET", f"/api/games/{game_id}/deals", "not-over")
    game_id = cast.start(slug, players=few)
    for _ in itertools.islice(cast.moves(game_id), MOVES):
        for person in (*cast.seated, cast.nobody):
            problem = person.refused("GET", f"/api/games/{game_id}/deals", "not-over")
            assert not cards(problem)


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_the_entries_of_a_finished_game_add_up_to_its_scores(cast, slug):
    game_id = cast.start(slug)
    cast.play(game_id)
    result = cast.alice.game(game_id)["result"]
    found = deals(cast.nobody, game_id)["deals"]
    sums, seats = [0] * len(result["scores"]), range(len(result["scores"]))
    for deal in found:
        values = [(each["seat"], each["value"]) for each in deal["entries"]]
        assert deal["scores"] == [sum(v for of, v in values if of == seat) for seat in seats]
        sums = [total + score for total, score in zip(sums, deal["scores"], strict=True)]
        assert deal["totals"] == sums
    assert sums == result["scores"]


def test_each_entry_says_what_it_is_for_and_where_it_comes_from(cast):
    game_id = cast.start()
    cast.play(game_id)
    events = cast.alice.get(f"/api/games/{game_id}/events?limit=200")["events"]
    lines = {each["number"]: each["lines"] for each in events}
    entries = [each for deal in deals(cast.alice, game_id)["deals"] for each in deal["entries"]]
    goods = [each for each in entries if each["entry"] == "good"]
    assert goods
    for good in goods:
        [sold] = [line for line in lines[good["event"]] if line["line"] == "sold"]
        told = sold["seat"], sold["card"], sold["value"]
        assert told == (good["seat"], good["card"], good["paid"])
        assert good["words"].endswith(f"bought for {good['paid']}")


def test_it_is_told_in_the_readers_language(cast):
    game_id = cast.start()
    cast.play(game_id)
    in_japanese = deals(cast.alice, game_id, headers={"Accept-Language": "ja"})["deals"]
    assert [deal["words"] for deal in in_japanese][:2] == ["前半の競り", "後半の競り"]
    assert all("落札" in each["words"] for each in in_japanese[0]["entries"])


def test_what_stayed_hidden_is_shown_as_it_lay(cast):
    game_id = cast.start(CARAVAN)
    cast.play(game_id)
    record = cast.alice.get(f"/api/games/{game_id}/record")
    shuffled = [event["outcome"] for event in record["events"] if event["kind"] == "chance"]
    for person, own in ((cast.alice, 0), (cast.bob, 1)):
        zones = deals(person, game_id)["hidden"]
        found = {(zone["name"], zone["seat"]): zone["cards"] for zone in zones}
        assert ("hand", own) not in found, "one's own hand was not hidden from oneself"
        assert ("stock", own) in found
        for (name, seat), lying in found.items():
            if name == "stock":
                assert lying == shuffled[seat][-len(lying) :]


def test_a_game_that_was_given_up_shows_what_was_scored_until_then(cast):
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=4)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    found = deals(cast.bob, game_id)
    assert found["deals"] == []
    assert {zone["name"] for zone in found["hidden"]} >= {"stock"}


def test_strangers_see_nothing_of_a_private_table(cast):
    game_id = cast.start(CARAVAN, private=True)
    cast.play(game_id, most=2)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    for stranger in (cast.nobody, cast.mallory):
        problem = stranger.refused("GET", f"/api/games/{game_id}/deals", "not-found")
        assert game_id not in json.dumps(problem)
    assert deals(cast.bob, game_id)["hidden"]
