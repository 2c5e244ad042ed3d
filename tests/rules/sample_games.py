"""Tours: games of a ruleset at every table, one after the other, so that only one of them is in memory."""

from __future__ import annotations

import itertools
import operator
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules.kernel import Ruleset
from tests.rules.pairwise_tables import Table, customs, pairwise
from tests.rules.playouts import Game, Step, Steps, playout

FEW, GAMES, MANY = 10, 60, 200
"""The fewest games of a tour that are played to the end: of any ruleset, of one in full, and with --thorough."""
LONG = 800
"""The number of events after which a short tour abandons a game: a match of dominoes can take 20,000."""
OF_EACH_SORT = 2
"""The number of steps of every sort that are kept, however rare it is."""


def tables(ruleset: Ruleset) -> tuple[Table, ...]:
    """Tables at which every two values of options meet, and every combination of custom rules."""
    return (*pairwise(ruleset), *customs(ruleset))


class Tour:
    """The same games at every iteration. Tour 0 visits every table, later ones play other games.

    A short tour abandons long games and, when it has met every table, plays on where games were short; a tour of few
    games comes to that many tables, evenly spread.
    """

    def __init__(
        self, ruleset: Ruleset, number: int = 0, games: int = GAMES, *, short: bool = True
    ) -> None:
        self._ruleset, self._number, self._short = ruleset, number, short
        self.games = games
        every = tables(ruleset)
        self.tables = every if games >= GAMES else every[:: -(-len(every) // games)]
        """The tables that tour 0 visits."""
        self._met: Steps | None = None

    def __iter__(self) -> Iterator[Game]:
        sorts: Counter[Any] = Counter()
        rare, others = list[Step](), list[Step]()
        for game in self._games():
            yield game
            fresh = [step for step in game.steps if is_new(sorts, step)]
            rare += fresh
            others.append(random.Random(game.name).choice(game.steps))
        self._met = (*rare, *others)

    @property
    def met(self) -> Steps:
        """Steps of these games: some of every sort, then one of each game."""
        if self._met is None:
            for _ in self:
                pass
        return self._met or ()

    def _games(self) -> Iterator[Game]:
        begin = self._number * self.games
        if self._number or not self._short:
            endless = enumerate(itertools.cycle(self.tables))
            end = begin + self.games if self._number else max(self.games, len(self.tables))
            yield from itertools.starmap(self._game, itertools.islice(endless, begin, end))
        else:
            yield from self._short_games()

    def _short_games(self) -> Iterator[Game]:
        finished = []
        for game in itertools.starmap(self._game, enumerate(self.tables)):
            yield game
            if len(game.steps) < LONG:
                finished.append((len(game.steps), (game.players, game.options)))
        short = sorted(finished, key=operator.itemgetter(0))[: len(finished) // 3 + 1]
        begin = len(self.tables)
        more = range(begin, begin + self.games - len(finished))
        yield from map(self._game, more, itertools.cycle(table for _, table in short))

    def _game(self, seed: int, table: Table) -> Game:
        made = playout(self._ruleset, *table, random.Random(seed).randrange)
        steps = tuple(itertools.islice(made, LONG if self._short else None))
        return Game(f"{self._ruleset.slug}, random.Random({seed})", *table, steps)


def is_new(sorts: Counter[Any], step: Step) -> bool:
    """Whether few steps of this sort have been met before."""
    sort = sort_of(step)
    sorts[sort] += 1
    return sorts[sort] <= OF_EACH_SORT


def sort_of(step: Step) -> Any:
    """The kind of event, its phases before and after, and its lines."""
    told = frozenset((line["line"], *line) for line in step.after.told)
    kind = step.event.get("action", {}).get("type")
    return step.before.phase, kind, step.after.phase, told
