"""A browser walks through each game: its first moves as the page offers them, all its questions, and its end.

The first moves are made at a table of the server; the other moments are shown as the service describes them, the same
in every run. Sizes, languages and ways to choose go round over the games, so that each is met. A game is walked through
if it changed, or the page, or the code that makes its table, and as one of the others that are played in full; in
these, fewer questions are examined, each in one size, and fewer things are done with them.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rules
from tests.support.changed import ROOT, Proof, games_in_full, is_due, of_game, of_page
from tests.web.conftest import DESK, ON_ITS_SIDE, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.endings import LANGUAGES, assert_told, unread
from tests.web.support.in_view import assert_in_view, assert_nothing_moves
from tests.web.support.legible import assert_readable
from tests.web.support.phases import moments, played
from tests.web.support.touching import chosen_on_the_table, plain
from tests.web.support.walked_table import WalkedTable

pytestmark = [pytest.mark.browser, pytest.mark.daily, pytest.mark.timeout(300)]

SIZES = (PHONE, ON_ITS_SIDE, DESK)
WAYS = ("touch", "mouse", "keys")
CLICKED = 2
"""Own moves that are made at a table of the server."""


class Depth(NamedTuple):
    """The depth of a walk."""

    targets: int
    """Actions of each type that are chosen on the table."""
    looked_at: int
    """Moments at which axe looks: the parts of later ones are the same."""
    touched: int
    """The number of moments at which all controls that continue a choice are touched."""
    in_the_dark: bool
    """Whether axe also examines dark colours and the list of keys."""
    sizes: int
    """Sizes in which each question is looked at; fewer than all go round."""
    every: int
    """The interval of the questions that are examined, beginning with the first."""


PAGE = of_page(Path(__file__).relative_to(ROOT).as_posix())
WALKED = Proof("a walk through each game", (*PAGE.paths, "service/tables"))
CHANGED = is_due(WALKED)

WHOLE = Depth(2, 2, 99, in_the_dark=True, sizes=3, every=1)
UNCHANGED = Depth(1, 1, 1, in_the_dark=False, sizes=1, every=4)


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if CHANGED or slug in games_in_full() else pytest.mark.thorough)
        for slug in rules.slugs()
    ],
)
def test_a_walk_through_a_game(
    slug: str, visit: Any, picture: Any, request: pytest.FixtureRequest
) -> None:
    nth, ruleset, rng = rules.slugs().index(slug), rules.load(slug), random.Random(slug)
    visitor = visit(
        SIZES[nth % 3], LANGUAGES[1 - nth % 2], WAYS[(nth + nth // 3) % 3], bypass_csp=True
    )
    _first_moves(visitor, slug, rng)
    table = WalkedTable(visitor, ruleset)
    depth = WHOLE if CHANGED or is_due(of_game(slug)) else UNCHANGED
    _every_question(table, picture, rng, walked_in(request), depth)
    _the_end(table, picture)
    assert set(visitor.refusals) <= {404, 409}  # of a table that the server does not know


def walked_in(request: pytest.FixtureRequest) -> tuple[Any, ...]:
    """The sizes in which all controls that continue a choice are touched."""
    return (DESK, ON_ITS_SIDE, PHONE) if request.config.getoption("--thorough") else (PHONE,)


def _first_moves(visitor: Any, slug: str, rng: random.Random) -> None:
    """Three clicks lead from the first page to the first move."""
    page = visitor.open()
    page.locator(f"[data-play='{slug}']").click()
    visitor.give_name()  # typed, and sent with Enter
    moves = 0
    while moves < CLICKED and visitor.my_turn():
        visitor.choose(rng)
        assert page.locator(".status-line").inner_text().strip()
        assert visitor.wider_than_screen() == 0
        assert unread(visitor) == []
        moves += visitor.confirm()
    assert moves


def _every_question(
    table: WalkedTable, picture: Any, rng: random.Random, walked: tuple[Any, ...], depth: Depth
) -> None:
    """With the most players, everything that can be asked is in view, and can be chosen on the table."""
    visitor, ruleset = table.visitor, table.ruleset
    address = f"{visitor.url}/api/rulesets/{ruleset.slug}"
    headers = {"Accept-Language": table.language}
    types = visitor.context.request.get(address, headers=headers).json()["actions"]
    for number, moment in enumerate(moments(ruleset, max(ruleset.players))[:: depth.every]):
        about = f"{moment.state.__class__.__name__}, seat {moment.seat}"
        table.show(moment.state, moment.seat)
        for size in sizes_of(number, depth):
            assert_in_view(visitor.page, size, about)
            assert_readable(visitor.page, (about, size))
            if size in walked and number < depth.touched:
                assert_nothing_moves(visitor.page, rng, about)
        visitor.page.set_viewport_size(PHONE)
        assert number >= depth.looked_at or violations(visitor) == [], about
        for kind in moment.types:
            _choose_some(table, kind, types[kind], rng, depth.targets)
            picture(visitor, f"{ruleset.slug}-{kind}")
    if depth.in_the_dark:
        visitor.page.set_viewport_size(DESK)
        visitor.page.emulate_media(color_scheme="dark")
        assert violations(visitor) == []
        visitor.page.keyboard.press("?")
        assert violations(visitor) == []


def sizes_of(number: int, depth: Depth) -> tuple[Any, ...]:
    """The sizes in which the question of this number is looked at."""
    each = (PHONE, DESK, ON_ITS_SIDE)
    return tuple(each[(number + more) % 3] for more in range(depth.sizes))


def _choose_some(table: WalkedTable, kind: str, type_: Any, rng: random.Random, most: int) -> None:
    """Choose some actions of a type on the table, on a phone."""
    page, game = table.page, table.game
    offered = [each for each in game["legal"] if each["action"]["type"] == kind]
    for target in rng.sample(offered, min(most, len(offered))):
        if plain(type_, target["action"]):
            chosen_on_the_table(page, type_, game, target)
            assert table.visitor.wider_than_screen() == 0, "the tick lies at the card"
            page.keyboard.press("Escape")


def _the_end(table: WalkedTable, picture: Any) -> None:
    """The result and how the scores came about, of a whole game."""
    visitor, ruleset = table.visitor, table.ruleset
    (game,) = itertools.islice(played(ruleset, max(ruleset.players)), 1)
    table.show_end(game)
    assert_told(visitor, table.game)
    for size in SIZES:
        visitor.page.set_viewport_size(size)
        assert visitor.wider_than_screen() == 0, size
    assert violations(visitor) == []
    picture(visitor, f"{ruleset.slug}-end")
