"""Analyses: a thinker that gives way to everything else appraises decisions of finished games.

It is a separate process, for which house players never wait, and which runs only while there is something to do. One
decision follows the other, so that another worker can continue where this one stops. After each decision of a deep
analysis, the usual analyses that wait by then are made first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from rules.players import levels
from rules.players.appraisal import ITERATIONS
from service.core.database.database import release_connection, rows
from service.core.database.failures import DATABASE_FAILURES, FailedElsewhere, UnreadableLog
from service.core.runtime.backoff import Backoff
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE
from service.log.event_log import read
from service.log.records.cold_storage import ColdStorageOutOfReach
from service.log.table_rows.table import Table, find
from service.operations.thinking.processes import Processes
from service.operations.thinking.questions import Question, ThoughtAnswer
from service.operations.worker.house_players import standing
from service.tables.play.analyses import analyses
from service.tables.play.analyses.analyses import (
    DEEP,
    USUAL,
    AnalysisRow,
    Appraised,
    WaitingAnalysis,
)

MOST_ITERATIONS = 60_000
"""The most iterations of an analysis, which take one or two minutes: in a long game, each decision gets fewer.

A deep analysis makes at most TENFOLD times as many.
"""
LEAST = 100
"""The fewest iterations for a decision."""
IDLE = 5 * MINUTE
"""How long (ms) the thinker is kept with nothing to do: a process costs about 40 MB of memory."""


class Wanted(NamedTuple):
    """The decision about which the thinker is asked: its analysis, which is claimed, and its game."""

    analysis: AnalysisRow
    table: Table
    was_lost: bool = False
    """Whether a thinker ended while it thought about the decision."""


class Analyses:
    """Works through analyses, one after the other, alongside any number of other workers.

    `start` starts the thinker; `often` returns the number of iterations for each of so many decisions at a depth.
    """

    def __init__(
        self,
        runtime: Runtime,
        start: Callable[[], Processes],
        often: Callable[[int, str], int] | None = None,
    ) -> None:
        self._now, self._start, self._often = runtime.now, start, often or iterations
        self._each = Backoff("analysis", runtime.now)
        self._thinking: Processes | None = None
        self._wanted: Wanted | None = None
        self._used_at = 0

    def step(self) -> int:
        """Store the answer, if there is one, and ask about the next decision; returns how many decisions were
        appraised.
        """
        done = 0
        for answer in self._thinking.answers() if self._thinking else []:
            done += self._take(answer)
        if self._wanted is None:
            self._claim()
        self._rest()
        return done

    def end(self) -> None:
        """End the thinker, and leave its question to other workers."""
        if self._wanted is not None:
            analyses.let_go(self._wanted.analysis)
        self._wanted = None
        if self._thinking is not None:
            self._thinking.close()
        self._thinking = None

    def _claim(self) -> None:
        """Begin with the analysis that has waited longest, or with the next one if that cannot be done."""
        query = analyses.waiting_analyses(self._now()).limit(1)
        waiting = rows(WaitingAnalysis, query)
        release_connection()
        if waiting and (claimed := analyses.claim(self._now(), waiting[0].id)) is not None:
            self._attempt(partial(self._begin, waiting[0], claimed), claimed)

    def _attempt(self, work: Callable[[], int], claimed: AnalysisRow) -> int:
        """The result of `work`; 0 if it fails.

        If it fails, the analysis counts as failed, unless the failure was that of the database or of cold storage: then
        it is tried again after its lease.
        """

        def tried() -> int:
            try:
                return work()
            except (*DATABASE_FAILURES, ColdStorageOutOfReach):
                raise
            except Exception:
                analyses.fail(self._now(), claimed)
                raise

        return self._each.attempt(tried, 0, claimed.id)

    def _begin(self, waiting: WaitingAnalysis, claimed: AnalysisRow) -> int:
        with suppress(NoSuchTable):  # the game was deleted, and the analysis with it
            self._ask(Wanted(claimed, find(waiting.game_id)))
        return 0

    def _ask(self, wanted: Wanted) -> None:
        """Ask about the next decision of an analysis. Raises UnreadableLog."""
        if self._thinking is None:
            self._thinking = self._start()
        analysis = wanted.analysis
        thinker = self._thinking.free((analysis.id, analysis.version, analysis.seat))
        if thinker is None:
            analyses.let_go(analysis)  # the thinker has not started yet
            return
        number = analysis.following
        assert number is not None, "an analysis ends with its last decision"
        told = thinker.told_until((analysis.id, analysis.version, analysis.seat)).number
        question = _question(wanted, number, told)
        thinker.give(
            question._replace(iterations=self._often(len(analysis.decisions), analysis.depth))
        )
        self._wanted, self._used_at = wanted, self._now()

    def _take(self, answer: ThoughtAnswer) -> int:
        wanted, self._wanted = self._wanted, None
        if wanted is None or answer.question.game != wanted.analysis.id:
            return 0  # another claim, which has failed since, had asked this question
        return self._attempt(partial(self._keep, wanted, answer), wanted.analysis)

    def _keep(self, wanted: Wanted, answer: ThoughtAnswer) -> int:
        """Store an appraisal, and ask about the following decision; returns how many were stored.

        If the thinker has ended, the question is tried once more; after that, or if the thought failed, it raises
        FailedElsewhere.
        """
        analysis = wanted.analysis
        if answer.appraisal is None and not answer.failure and not wanted.was_lost:
            self._ask(wanted._replace(was_lost=True))
            return 0
        if answer.appraisal is None:
            raise FailedElsewhere(*(answer.failure or ("ThinkerEnded", [])))
        found = Appraised(answer.question.number + 1, **answer.appraisal)
        going_on = analyses.keep(self._now(), analysis, found)
        if going_on is not None and going_on.following is not None:
            self._go_on(Wanted(going_on, wanted.table))
        return 1

    def _go_on(self, wanted: Wanted) -> None:
        """Ask about the following decision; in a deep analysis, let usual analyses go first."""
        if wanted.analysis.depth == DEEP:
            analyses.let_go(wanted.analysis)
        else:
            self._ask(wanted)

    def _rest(self) -> None:
        """End a thinker that has had nothing to do for a long time."""
        is_idle = self._wanted is None and self._thinking is not None
        if is_idle and not 0 <= self._now() - self._used_at < IDLE:
            self.end()


def _question(wanted: Wanted, number: int, after: int) -> Question:
    """The question about the decision in event `number`, for a thinker that knows the events up to `after`. Raises
    UnreadableLog.
    """
    analysis, game = wanted.analysis, wanted.table.game
    logged = read(game.key, after, number - 1)
    (decided,) = read(game.key, number - 1, number)
    if decided["kind"] != "action":
        raise UnreadableLog(game.id)
    return Question(
        game=analysis.id,
        seat=analysis.seat,
        asked=number,
        ruleset=game.ruleset,
        version=analysis.version,
        players=game.players,
        options=game.options,
        after=after,
        number=number - 1,
        head="",
        events=[seen for event in logged if (seen := standing(game, event)) is not None],
        level=levels.USUAL,
        share=1.0,
        seed=seed(game.ruleset, analysis.version, analysis.seat, number, analysis.depth),
        played=decided["action"],
    )


def seed(ruleset: str, version: int, seat: int, number: int, depth: str = USUAL) -> int:
    """The seed for a decision, which reveals nothing: equal positions have equal appraisals of a depth."""
    place = f"analysis {ruleset} {version} {seat} {number}"
    place += f" {DEEP}" if depth == DEEP else ""
    return int.from_bytes(hashlib.sha256(place.encode()).digest()[:16], "big")


def iterations(decisions: int, depth: str = USUAL) -> int:
    """The number of iterations for each of so many decisions, before the two compared actions are tried again."""
    times = levels.TENFOLD if depth == DEEP else 1
    return max(LEAST, times * min(ITERATIONS, MOST_ITERATIONS // (2 * max(1, decisions))))
