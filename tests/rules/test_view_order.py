"""Zones, facts and cards are in the order that `View` and `Zone` of openapi.yaml promise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from rules.kernel import Json, Ruleset
from tests.rules.playouts import Steps, viewers

Place = tuple[str, object, object]


def place(shown: Json) -> Place:
    """The zone or fact of the table."""
    return shown["name"], shown.get("of", shown.get("seat")), shown.get("index")


def views(ruleset: Ruleset, met: Steps) -> Iterator[Json]:
    """The views of everybody in these steps."""
    for step in met:
        yield from (ruleset.view(step.after, viewer) for viewer in viewers(step.after))


def in_one_order(lists: set[tuple[Place, ...]]) -> bool:
    """Whether common entries of two of the lists are in the same order in both."""
    return all(
        [each for each in one if each in other] == [each for each in other if each in one]
        for one, other in combinations(lists, 2)
    )


def test_zones_are_always_in_the_same_order_and_so_are_the_facts_about_a_seat(
    ruleset: Ruleset, met: Steps
) -> None:
    """Facts with one name can be about the same seat: there are as many as deals, or as cards."""
    seen = list(views(ruleset, met))
    assert in_one_order({tuple(map(place, view["zones"])) for view in seen})
    for seat in (*range(max(ruleset.players)), None):
        facts = {
            tuple(dict.fromkeys(place(each) for each in view["facts"] if each.get("of") == seat))
            for view in seen
        }
        assert in_one_order(facts), seat


def test_everybody_sees_the_same_zones_and_each_once(ruleset: Ruleset, met: Steps) -> None:
    for step in met:
        shown = [ruleset.view(step.after, viewer)["zones"] for viewer in viewers(step.after)]
        places = [list(map(place, zones)) for zones in shown]
        assert all(each == places[0] for each in places)
        assert len(set(places[0])) == len(places[0])


def test_a_hand_is_sorted_for_its_owner(ruleset: Ruleset, met: Steps) -> None:
    """Of two cards the same one always comes first in a hand that others do not see."""
    before = defaultdict[str, set[tuple[str, str]]](set)
    for step in met:
        public = ruleset.view(step.after, None)["zones"]
        hidden = [at for at, zone in enumerate(public) if "cards" not in zone]
        for seat in range(step.after.players):
            own = ruleset.view(step.after, seat)["zones"]
            for zone in (own[at] for at in hidden if own[at]["kind"] == "hand"):
                before[zone["name"]] |= set(combinations(zone.get("cards", ()), 2))
    for name, pairs in before.items():
        assert [each for each in pairs if each[::-1] in pairs and len(set(each)) > 1] == [], name
