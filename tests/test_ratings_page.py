"""docs/ratings.md shows the simulation, which gives the same results again."""

from __future__ import annotations

from benchmarks import ratings
from service.core.settings.config import ROOT


def test_the_page_and_its_picture_show_what_is_simulated() -> None:
    simulated, page = ratings.courses(), (ROOT / ratings.PAGE).read_text("utf-8")
    assert ratings.rewritten(page, ratings.found(simulated)) == page
    assert (ROOT / ratings.PICTURE).read_text("utf-8") == ratings.picture(simulated)
    assert "(pictures/ratings.svg)" in page
    for each in simulated.values():
        assert each.off[-1] < 1.3 * each.deviation[-1]
