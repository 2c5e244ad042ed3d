"""docs/capacity.md shows its stored measurements, and the simulation gives the same results again."""

from __future__ import annotations

import pytest

from benchmarks.capacity import costs, kept, sites_of_all_sizes
from benchmarks.capacity.page import PAGE, PICTURES, pictures, rewritten, tables
from benchmarks.capacity.sites import BUSY, Hour, Site, Slice, planned, simulated
from benchmarks.capacity.usage import HOURS, TOWN, WORLD, Usage, busyness
from service.core.settings.config import ROOT

COSTS, USAGE = costs.load(), Usage()
SMALL = Site("small", 1, Slice(1000, "sqlite", web_machines=1, workers=1, thinkers=1))


def test_the_page_and_its_pictures_show_what_is_kept() -> None:
    days, (trials, _) = kept.days(), kept.trials()
    page = (ROOT / PAGE).read_text("utf-8")
    assert rewritten(page, tables(COSTS, days, trials, USAGE)) == page
    for name, svg in pictures(days, trials).items():
        assert (ROOT / PICTURES / name).read_text("utf-8") == svg
        assert f"(pictures/{name})" in page


def test_the_sites_on_the_page_are_those_that_are_planned_now() -> None:
    assert [site for site, _ in kept.days()] == sites_of_all_sizes(COSTS, USAGE)


def test_no_part_of_a_planned_site_is_busier_than_planned() -> None:
    for site, hours in kept.days():
        if site.slice.database == "postgresql":
            for hour in hours:
                assert (
                    hour.busy.pop("web processes") < BUSY + 0.15
                )  # they wait for the database too
                assert max(hour.busy.values()) < BUSY + 0.05, (site.name, hour.hour)


def test_a_simulated_hour_is_the_same_again() -> None:
    first, again = (simulated(SMALL, COSTS, USAGE, [12]) for _ in range(2))
    assert first == again
    [hour] = first
    assert isinstance(hour, Hour) and hour.jobs > 100
    assert 0 < hour.busy["web cores"] < 0.2


@pytest.mark.parametrize("zones", [WORLD, TOWN])
def test_the_hours_of_a_day_are_a_day(zones: dict[int, float]) -> None:
    assert sum(zones.values()) == pytest.approx(1)
    assert sum(busyness(hour, zones) for hour in range(len(HOURS))) == pytest.approx(24)


def test_more_players_get_more_of_everything() -> None:
    small, large = (planned("x", players, COSTS, USAGE) for players in (1e5, 1e7))
    assert large.slices > small.slices == 1
    for of in ("web_machines", "workers", "thinkers"):
        one, ten = getattr(small.slice, of), getattr(large.slice, of) * large.slices
        assert 10 * one < ten < 200 * one
