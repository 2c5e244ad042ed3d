"""Dominoes: their codes and their order."""

from __future__ import annotations

from rules.common.dominoes import canonical, double_set, ends, other_end, pips, shows


def tiles(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_dominoes() -> None:
    assert (ends("12-0"), pips("6-3"), len(double_set(15))) == ((12, 0), 9, 136)
    assert double_set(2) == tiles("0-0 1-0 1-1 2-0 2-1 2-2")
    assert canonical(tiles("12-0 2-2 10-3")) == tiles("2-2 10-3 12-0")
    assert (other_end("6-3", 6), other_end("6-3", 3), other_end("4-4", 4)) == (3, 6, 4)
    assert shows("6-3", (3, 5))
    assert not shows("6-3", (4, 5))
