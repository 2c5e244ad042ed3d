"""Positions of any ruleset in the form of the API, without a database, for tests of drawing."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from typing import Any

from rules.kernel import Ruleset, State
from service.log.records.signed_heads import HeadSigner
from service.log.table_rows.table import GameRow, Holder, Table
from service.tables.views.game_view import GameAnswer, Viewer
from tests.rules.pairwise_tables import pairwise
from tests.rules.playouts import RULESETS, Step, Steps, playout
from tests.rules.sample_games import OF_EACH_SORT, sort_of

LONG = 150
"""The number of events after which a game is abandoned."""


@functools.cache
def moments(number: int, count: int, most: int) -> Steps:
    """At most `most` steps of games of `RULESETS[number]`: some of each kind, then any, in no order.

    `count` is the least number of games; there is at least one for each number of players.
    """
    ruleset, met = RULESETS[number], Counter[Any]()
    every, tables = list[Step](), pairwise(RULESETS[number])
    for seed, table in enumerate(
        itertools.islice(itertools.cycle(tables), max(count, len(tables)))
    ):
        every += itertools.islice(playout(ruleset, *table, random.Random(seed).randrange), LONG)
    random.Random(most).shuffle(every)
    rare, others = list[Step](), list[Step]()
    for step in every:
        met[sort_of(step)] += 1
        (rare if met[sort_of(step)] <= OF_EACH_SORT else others).append(step)
    return tuple(rare + others[: max(0, most - len(rare))])


EMPTY = GameRow(*(None,) * len(GameRow._fields))  # type: ignore[arg-type]
"""A game row whose columns are all empty."""
NAMES = ["Alice", "Bob", "Carol", "みなも", "Eve", "Frank", "Gen", "Hana", "Ivy", "Jo"]


def answer(
    ruleset: Ruleset, state: State, viewer: int | None, language: str, **more: Any
) -> GameAnswer:
    """The position as shown to a seat or a spectator; `more` are values of the game's row."""
    row = {
        "id": "g_0000000000000000000000",
        "key": 1,
        "ruleset": ruleset.slug,
        "version": ruleset.version,
        "players": state.players,
        "options": {},
        "status": "running",
        "private": False,
        "seating": "order",
        "start": "host",
        "number": 3,
        "revision": 1,
        "head": None,
        "seed": bytes(32),
        "nonces": [],
        "result": None,
        "created_at": 0,
        "started_at": 0,
        "ended_at": None,
    }
    table = Table(EMPTY._replace(**row | more), people(ruleset, state))
    player = None if viewer is None else f"p{viewer}"
    return GameAnswer(table, state, Viewer(player, language, 2), HeadSigner(bytes(32)))


def people(ruleset: Ruleset, state: State) -> tuple[Holder, ...]:
    """The people at the table."""
    waiting = ruleset.turn(state).waiting
    return tuple(
        Holder(
            tenure=f"t{seat}",
            player_id=f"p{seat}",
            place=seat + 1,
            seat=seat,
            nonce=None,
            began=1,
            ready=False,
            name=NAMES[seat],
            asked=3,
            erased=False,
            away_from=None,
            away_until=None,
            program=False,
            reminders=None,
            quiet=None,
            time_zone=None,
            no_take_backs=False,
            undelivered=None,
            mailed=None,
            listens=False,
            house_name=None,
            house_level=None,
            house_version=None,
            waiting=seat in waiting,
            since=0,
            due=None,
            reserve=0,
            extra=0,
            spent=0,
            moved=0,
            misses=0,
            nudged_at=None,
            acts_alone=False,
            acts_from=None,
            acts_at=None,
        )
        for seat in range(state.players)
    )
