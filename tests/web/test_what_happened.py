"""Whoever chooses last sees what that opens, decides or scores, before the next question."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import rules
from rules.kernel import Json, Ruleset
from tests.rules.playouts import Step, codes, playout
from tests.web.conftest import PHONE
from tests.web.support.accessibility import violations
from tests.web.support.last_choice import LastChoice

pytestmark = pytest.mark.browser

GO_ON = "#go-on"
HELD_TIMERS = """
  window.held = [];
  const { setTimeout } = window;
  window.setTimeout = (run, after, ...more) => after === 1500 ? held.push(run) : setTimeout(run, after, ...more);
"""
"""A moment stays for a second and a half, which pass when a test says so."""
TOLD = ".happened .told"


def last_choices(ruleset: Ruleset) -> list[Step]:
    """A choice for each kind of moment that a game comes to."""
    found: dict[str, Step] = {}
    players = ruleset.players[0]
    options: Json = dict(ruleset.looks.lengths(players)[0].options)
    for step in itertools.islice(
        playout(ruleset, players, options, random.Random(3).randrange), 400
    ):
        kind = ruleset.moment(*step)
        if kind and not ruleset.result(step.after):
            found.setdefault(kind, step)
    assert found
    return [*found.values()]


def on_table(page: Any) -> list[str]:
    """The codes of the cards that lie open, apart from the hand."""
    cards: list[str] = page.eval_on_selector_all(
        ".happening [data-code]",
        "all => all.filter(each => each.checkVisibility() && !each.closest('.hand')).map(each => each.dataset.code)",
    )
    return cards


def shown_at(ruleset: Ruleset, step: Step, seat: int) -> set[str]:
    """The cards that lie open at the moment of a step: in tricks and rows, and the choices that it opened."""
    zones = ruleset.moment_view(*step, seat)["zones"]
    faces = [
        face for zone in zones if zone["kind"] in ("trick", "row") for face in zone.get("cards", ())
    ]
    lying = [face["card"] for face in faces if isinstance(face, dict) and "card" in face]
    opened = [[*action.values()] for _, action in ruleset.taken(*step, seat).opened]
    return {*codes([face for face in faces if isinstance(face, str)]), *lying, *codes(opened)}


@pytest.mark.parametrize("slug", rules.slugs())
def test_whoever_chooses_last_sees_what_comes_of_it(slug: str, visit: Any) -> None:
    ruleset = rules.load(slug)
    visitor = visit(PHONE, by="touch", own=True, bypass_csp=True, reduced_motion="reduce")
    visitor.sign_up()
    page = visitor.page
    page.add_init_script(HELD_TIMERS)
    for nth, step in enumerate(last_choices(ruleset)):
        table = LastChoice(visitor, ruleset, step)
        table.begin()
        page.locator("#confirm").tap()
        page.locator(GO_ON).wait_for()
        said = page.locator(TOLD).inner_text()
        lines = [line["words"] for line in table.told["lines"] if line["line"] != "chosen"]
        assert [words for words in lines if words not in said] == []
        assert page.locator("#confirm, .confirm-bar.idle").count() == 0
        assert shown_at(ruleset, step, table.seat) - {*on_table(page)} == set()
        if nth:
            page.locator(GO_ON).tap()
        else:
            assert violations(visitor) == []
            page.evaluate("held.pop()()")
        page.locator(GO_ON).wait_for(state="detached")
        page.locator("#confirm, .confirm-bar.idle").first.wait_for()
