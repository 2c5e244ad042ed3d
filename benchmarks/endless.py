"""Boomerang Auction played over and over at one table: a long log whose states stay small.

It is registered only in this module, as an additional version of the ruleset.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import rules
from rules.games import boomerang_auction
from rules.kernel import Ruleset, State

VERSION = 1_000_000


class Endless(Ruleset):
    """A game that begins again when it would be over."""

    def act(self, state: State, event: Mapping[str, Any]) -> State:
        after = super().act(state, event)
        if not after.turn().over:
            return after
        return self.start(after.players, {}).change(told=after.told)


@contextmanager
def registered() -> Iterator[None]:
    """A block in which new games of Boomerang Auction never end."""
    usual = boomerang_auction.ruleset
    fields = {field.name: getattr(usual, field.name) for field in dataclasses.fields(usual)}
    known, endless = rules._versions(), Endless(**{**fields, "version": VERSION})
    known[usual.slug, VERSION] = rules.Found(endless, rules.folder(usual.slug))
    try:
        yield
    finally:
        del known[usual.slug, VERSION]
