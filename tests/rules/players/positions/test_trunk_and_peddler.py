"""The Trunk and the Peddler: the last trick, which just fills a trunk or breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.trunk_and_peddler.phases import Losing, Second, Storing
from rules.kernel import Json
from tests.rules.games.trunk_and_peddler.positions import GAME, at, hands
from tests.rules.players.positions.thinking import is_one_of, thought

LOAD, DISCARD, PASS = {"type": "load"}, {"type": "discard"}, {"type": "pass"}


def last(phase: Any, trunk: str, **fields: Any) -> Any:
    """The last trick; clubs are trump, and seat 1 is slightly ahead."""
    usual = {"trunk": (trunk, "5d"), "down": ((), ("Jh", "Qd")), "junk": ((), ("2h",))}
    coin = {"up": (("Jk",), ()), "joker": ()}
    return at(phase, 8, **{**usual, **coin, **fields})


def losing(trunk: str, junk: str, down: str = "Jh Qd") -> Any:
    """Seat 0 has lost the trick with two hearts."""
    return last(
        Losing,
        trunk,
        winner=1,
        played=(("7h", "8h"), ("9h", "5h")),
        sums=(15, 14),
        junk=(tuple(junk.split()), ("2h",)),
        down=(tuple(down.split()), ("Qd",)),
        hands=hands("", ""),
    )


def storing(trunk: str, down: str, up: str = "Jk") -> Any:
    """Seat 0 has won the trick."""
    return last(
        Storing,
        trunk,
        winner=0,
        played=(("9c",), ("2c",)),
        sums=(9, 2),
        down=(tuple(down.split()), ("Jh", "Qd", "Kd")),
        up=(tuple(up.split()), ()),
        hands=hands("", ""),
    )


POSITIONS = {
    "junk fills the trunk": (losing("5s", "2s"), (LOAD,)),
    "junk would break the trunk": (losing("4s", "2s 3s"), (DISCARD,)),
    "a full trunk takes no junk": (losing("3s", "2s"), (DISCARD,)),
    "nothing is worth doubling: face down": (storing("3s", "Ks"), ({"place": "down"},)),
    "a second card wins the valuable that fills the trunk": (
        last(
            Second,
            "4s",
            played=(("5h",), ("7h",)),
            sums=(5, 7),
            hands=hands("8h", ""),
            down=(("Jh", "Qd"), ("Kd",)),
        ),
        ({"type": "play", "card": "8h"},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_fills_its_trunk(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)
