"""The history: what happened, in the caller's language and as the caller may know it, in pages."""

from __future__ import annotations

import pytest

from tests.support.cast import CARAVAN, sqlite_only


@pytest.fixture
def game_id(cast):
    game_id = cast.start()
    cast.play(game_id, most=5)
    return game_id


def page(person, game_id, query="", **more):
    return person.get(f"/api/games/{game_id}/events{query}", **more)


def test_the_history_begins_with_the_start(cast, game_id):
    history = page(cast.nobody, game_id)
    assert history["next"] is None
    events = history["events"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert [event["kind"] for event in events[:3]] == ["start", "chance", "action"]
    assert events[0]["lines"][0]["words"]
    assert (events[2]["seat"], events[2]["by"]) == (0, "seat")
    assert any("Alice" in line["words"] for line in events[2]["lines"])
    assert events[0]["at"] == "2026-11-21T10:00:00.000Z"


@pytest.mark.both_databases
@pytest.mark.parametrize("limit", [1, 3, 200])
def test_pages_add_up_to_the_whole_history(cast, game_id, limit):
    whole = page(cast.bob, game_id)["events"]
    found, after = [], 0
    while after is not None:
        part = page(cast.bob, game_id, f"?after={after}&limit={limit}")
        assert len(part["events"]) <= limit
        found += part["events"]
        after = part["next"]
    assert found == whole


@pytest.mark.parametrize("after", [7, 8, 2**31 - 1])
def test_a_page_after_the_last_event_is_empty(cast, game_id, after):
    assert cast.alice.game(game_id)["number"] == 7
    assert page(cast.alice, game_id, f"?after={after}") == {"events": [], "next": None}


@sqlite_only
def test_there_is_no_history_before_the_start(cast):
    assert page(cast.alice, cast.open()) == {"events": [], "next": None}


@sqlite_only
def test_a_process_without_cached_states_shows_the_same(app, cast, game_id):
    """The first page comes from the states that the moves have cached, the second from the log alone."""
    warm = page(cast.bob, game_id)
    app.extensions["tegami"].states.__init__()
    assert page(cast.bob, game_id) == warm


@sqlite_only
def test_everybody_is_shown_only_what_they_may_know(cast):
    """Who has chosen is public, but not the choice; each seat sees its own cards."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=2)
    seen = {person: page(person, game_id)["events"] for person in (*cast.seated, cast.nobody)}
    bare = {person: [event["kind"] for event in events] for person, events in seen.items()}
    assert set(map(tuple, bare.values())) == {("start", "chance", "chance", "action", "action")}
    assert seen[cast.carol] == seen[cast.nobody], "a visitor and a player elsewhere see the same"
    assert seen[cast.alice] != seen[cast.nobody]


@sqlite_only
def test_the_history_is_in_the_callers_language(cast, game_id):
    english, japanese = (
        page(cast.alice, game_id, headers={"Accept-Language": language})["events"]
        for language in ("en", "ja")
    )
    assert english != japanese
    for event in (*english, *japanese):
        for told in (*event["lines"], *event.get("headings", [])):
            assert "".join(piece["text"] for piece in told.pop("pieces")) == told.pop("words")
    assert english == japanese


@sqlite_only
def test_an_action_is_shown_as_far_as_the_reader_may_know_it(cast):
    """Both choose their opening in secret; the second choice opens both, and earlier events stay as they are."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, most=1)
    first = {person: page(person, game_id)["events"][-1] for person in (*cast.seated, cast.nobody)}
    chooser = cast.holders(game_id)[first[cast.nobody]["seat"]]
    own = first[chooser]["action"]
    assert own["type"] == "open"
    for person, event in first.items():
        assert event["action"] == (own if person is chooser else None)
        assert event["opened"] == []
    cast.play(game_id, most=1)
    for person, event in first.items():
        *_, before, last = page(person, game_id)["events"]
        assert before == event
        assert [each["seat"] for each in last["opened"]] == [0, 1]
        assert own in [each["action"] for each in last["opened"]]
    cast.play(game_id, most=1)
    shown = [page(person, game_id)["events"][-1]["action"] for person in first]
    assert shown[0] and all(each == shown[0] for each in shown)


@sqlite_only
def test_only_actions_hold_an_action(cast, game_id):
    for event in page(cast.alice, game_id)["events"]:
        assert ("action" in event) == ("opened" in event) == (event["kind"] == "action")


@sqlite_only
def test_zones_say_whose_they_are_by_the_word_of_facts(cast):
    zones = cast.alice.game(cast.start(CARAVAN))["view"]["zones"]
    assert zones
    assert all(zone.get("of") == zone.get("seat") for zone in zones)
