"""Boomerang Auction again and again at one table: a long log whose states stay small.

It is registered here alone, as one more version of the ruleset; the service does not know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import rules
from rules import boomerang_auction
from rules.kernel import Ruleset, State

VERSION = 1_000_000


class Endless(Ruleset):
    """Where the game would be over, the next one begins."""

    def act(self, state: State, event: Mapping[str, Any]) -> State:
        after = super().act(state, event)
        if not after.turn().over:
            return after
        return self.start(after.players, {}).change(told=after.told)


@contextmanager
def registered() -> Iterator[None]:
    """New games of Boomerang Auction never end, until the block does."""
    usual = boomerang_auction.ruleset
    fields = {field.name: getattr(usual, field.name) for field in dataclasses.fields(usual)}
    known = rules._rulesets()
    known[usual.slug, VERSION] = Endless(**{**fields, "version": VERSION})
    try:
        yield
    finally:
        del known[usual.slug, VERSION]
