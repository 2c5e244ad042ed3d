"""Zones, facts and cards lie in the order that `View` and `Zone` of openapi.yaml promise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from rules.kernel import Json, Ruleset
from tests.rules.playouts import Steps, viewers

Place = tuple[str, object, object]


def place(shown: Json) -> Place:
    """Which zone or fact of the table it is."""
    return shown["name"], shown.get("of", shown.get("seat")), shown.get("index")


def views(ruleset: Ruleset, met: Steps) -> Iterator[Json]:
    """What everybody sees in these steps."""
    for step in met:
        yield from (ruleset.view(step.after, viewer) for viewer in viewers(step.after))


def test_zones_and_facts_are_always_in_the_same_order(ruleset: Ruleset, met: Steps) -> None:
    for kind in ("zones", "facts"):
        seen = {tuple(map(place, view[kind])) for view in views(ruleset, met)}
        for one, other in combinations(sorted(seen, key=str), 2):
            assert [each for each in one if each in other] == [
                each for each in other if each in one
            ]


def test_everybody_sees_the_same_zones_and_each_once(ruleset: Ruleset, met: Steps) -> None:
    for step in met:
        shown = [ruleset.view(step.after, viewer)["zones"] for viewer in viewers(step.after)]
        places = [list(map(place, zones)) for zones in shown]
        assert all(each == places[0] for each in places)
        assert len(set(places[0])) == len(places[0])


def test_a_hand_is_sorted_for_its_owner(ruleset: Ruleset, met: Steps) -> None:
    """Of two cards the same one comes first, wherever both are in a hand that others do not see."""
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
