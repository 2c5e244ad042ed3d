"""Analyses: a person asks for one after a game, thinkers make it when nothing else waits for them, and it is kept for a
time.

Each analysis belongs to one person and one game, under one version of the rules and of appraisals. Only that person
sees it, and only once the game is over: it tells what a house player would have done with that person's knowledge.

A person can ask for two analyses of a game: the usual one, and a deep one, which searches TENFOLD times as long at each
decision (rules/players/levels.py). Usual analyses are made before deep ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Select, delete, func, or_, select, update

import rules
from rules.kernel import Json
from rules.players.appraisal import VERSION
from service.core.database.database import (
    changed_rows,
    columns,
    db,
    delete_some,
    insert_unless_there,
    one_row,
    rows,
    transaction,
    write_rows,
)
from service.core.models.analyses import Analysis, AppraisedDecision
from service.core.models.games import Game
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotOver, NotPossible, NotSeated
from service.core.runtime.units import DAY, MINUTE
from service.log.table_rows.table import Table
from service.people import players
from service.tables.play.analyses.decisions import decisions, held_by
from service.tables.services import Services

USUAL, DEEP = DEPTHS = ("usual", "deep")
"""The depths of analyses."""
THINKERS: Mapping[str, str] = MappingProxyType({USUAL: VERSION, DEEP: f"{VERSION} {DEEP}"})
"""The thinker of each depth: the version of appraisals, with the depth if it is not the usual one.

Workers leave out analyses for thinkers that they do not know. So workers of an earlier release make no deep analysis.
"""
KEPT = 180 * DAY
"""How long (ms) an analysis is kept after it was asked for; it can be asked for again."""
MOST_WAITING, MOST_OF_PERSON = 500, 3
"""The most analyses that wait, on a server and for one person."""
MOST_DEEP_WAITING, MOST_DEEP_OF_PERSON = 50, 1
"""The most deep analyses among them."""
MOST_SHOWN = 8
"""The most alternatives of a decision that are kept and shown, besides the action that was played."""
LEASE = 20 * MINUTE
"""How long (ms) a claim lasts: longer than two thoughts take, even deep ones. It starts again with each decision."""

_analysis, _appraised = Analysis.metadata.tables["analyses"], AppraisedDecision.__table__


class AnalysisRow(NamedTuple):
    """An analysis (service/core/models/analyses.py)."""

    id: str
    game_key: int
    player_id: str
    seat: int
    version: int
    thinker: str
    asked_at: int
    decisions: list[int]
    done: int
    lease_until: int
    claims: int
    ended_at: int | None
    failed: bool

    @property
    def depth(self) -> str:
        """The depth: one of DEPTHS."""
        return _depth(self.thinker)

    @property
    def is_done(self) -> bool:
        """Whether all decisions are appraised."""
        return self.ended_at is not None and not self.failed

    @property
    def following(self) -> int | None:
        """The number of the decision to appraise next; None if all are appraised."""
        return self.decisions[self.done] if self.done < len(self.decisions) else None


class Appraised(NamedTuple):
    """An appraised decision (service/core/models/analyses.py)."""

    number: int
    tried: list[Json]
    played: int

    def few(self) -> Self:
        """The decision without the alternatives that are not shown."""
        kept = [n for n in range(len(self.tried)) if n < MOST_SHOWN or n == self.played]
        return self._replace(tried=[self.tried[n] for n in kept], played=kept.index(self.played))


class Found(NamedTuple):
    """A person's analyses of a game; None for a depth at which they have not asked for one."""

    usual: AnalysisRow | None
    deep: AnalysisRow | None

    @property
    def shown(self) -> AnalysisRow | None:
        """The deep analysis once it is done; until then the usual one, unless only a deep one was asked for."""
        if self.deep is None or self.deep.failed:
            return self.usual
        return self.deep if self.deep.is_done or self.usual is None else self.usual

    def answering(self, depth: str) -> AnalysisRow | None:
        """The analysis for this depth, even if it has failed; a deep one that is done is there for both depths."""
        if self.deep is not None and (self.deep.is_done or depth == DEEP):
            return self.deep
        return self.usual if depth == USUAL else None


def is_waiting(*depths: str) -> ColumnElement[bool]:
    """The condition that an analysis waits for this release's thinkers, or that one of them is working on it.

    It has one of these depths; if none is named, any.
    """
    thinkers = [THINKERS[depth] for depth in depths or DEPTHS]
    return _analysis.c.ended_at.is_(None) & _analysis.c.thinker.in_(thinkers)


def _depth(thinker: str) -> str:
    """The depth at which a thinker of any version searches."""
    return thinker.partition(" ")[2] or USUAL


def find(now: int, table: Table, player_id: str) -> Found:
    """The analyses of this person's decisions. Raises whatever `refuse` raises."""
    refuse(now, table, player_id)
    game = table.game
    query = select(*columns(AnalysisRow, _analysis)).where(_analysis.c.game_key == game.key)
    query = query.where(_analysis.c.player_id == player_id, _analysis.c.version == game.version)
    found = {each.thinker: each for each in rows(AnalysisRow, query)}
    return Found(*(found.get(THINKERS[depth]) for depth in DEPTHS))


def refuse(now: int, table: Table, player_id: str) -> None:
    """Raise a problem if this person may not ask for an analysis of the game.

    Raises NotOver while the game is running, or while others may still play the same deal; NotSeated for people who
    never held a seat; NotFound for lessons.
    """
    if table.game.lesson is not None:
        raise NotFound
    if not table.game.has_record(now):
        raise NotOver
    if held_by(table, player_id) is None:
        raise NotSeated


def can_be_asked_for(now: int, table: Table, player_id: str | None) -> bool:
    """Whether this person may ask for an analysis of the game."""
    if player_id is None:
        return False
    try:
        refuse(now, table, player_id)
    except (NotFound, NotOver, NotSeated):
        return False
    return True


def ask(services: Services, table: Table, player_id: str, depth: str = USUAL) -> None:
    """Ask for an analysis, or again for a failed one.

    Raises whatever `refuse` raises, NotPossible if too many analyses wait, UnreadableLog.
    """
    now = services.now()
    refuse(now, table, player_id)
    held = held_by(table, player_id)
    assert held is not None, "it was not refused"
    numbers = decisions(services, table, player_id, held)
    made = AnalysisRow(
        id=services.new_id("a"),
        game_key=table.game.key,
        player_id=player_id,
        seat=held.seat,
        version=table.game.version,
        thinker=THINKERS[depth],
        asked_at=now,
        decisions=numbers,
        done=0,
        lease_until=0,
        claims=0,
        ended_at=None if numbers else now,
        failed=False,
    )
    with transaction():
        players.lock(player_id)  # so that two requests at once are not both the first
        _make_room(made)
        insert_unless_there(_analysis, made._asdict())


def _make_room(made: AnalysisRow) -> None:
    """Delete the failed analysis that a new one replaces. Raises NotPossible if too many others wait already."""
    mine = _analysis.c.player_id == made.player_id
    same = (_analysis.c.game_key == made.game_key) & mine & (_analysis.c.thinker == made.thinker)
    db.session.execute(delete(_analysis).where(same, _analysis.c.failed))
    others, deep = is_waiting() & ~same, is_waiting(DEEP) & ~same
    if _number(others) >= MOST_WAITING:
        raise NotPossible("analyses-full")
    if _number(others & mine) >= MOST_OF_PERSON:
        raise NotPossible("too-many-analyses")
    if made.depth == DEEP and _number(deep) >= MOST_DEEP_WAITING:
        raise NotPossible("analyses-full")
    if made.depth == DEEP and _number(deep & mine) >= MOST_DEEP_OF_PERSON:
        raise NotPossible("deep-analysis-waits")


def _number(condition: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(_analysis).where(condition)) or 0


def ahead_of(analysis: AnalysisRow) -> int:
    """The number of analyses that are made before this one."""
    earlier = is_waiting(analysis.depth) & (_analysis.c.asked_at < analysis.asked_at)
    return _number(earlier | is_waiting(USUAL) if analysis.depth == DEEP else earlier)


def appraised(analysis: AnalysisRow) -> list[Appraised]:
    """The decisions that have been appraised so far, in order."""
    query = select(*columns(Appraised, _appraised))
    query = query.where(_appraised.c.analysis_id == analysis.id).order_by(_appraised.c.number)
    return rows(Appraised, query)


class WaitingAnalysis(NamedTuple):
    """An analysis that nobody works on, with the id of its game."""

    id: str
    game_id: str


def waiting_analyses(now: object) -> Select[*tuple[object, ...]]:
    """The query for analyses that can be claimed at `now` (ms UTC, or a parameter).

    Usual analyses come before deep ones, and in each depth the longest waiting first. The query leaves out analyses
    under rules of a newer release: that release's workers know these rules.
    """
    due = is_waiting() & (_analysis.c.lease_until <= now) & _is_known()
    query = select(_analysis.c.id, Game.id.label("game_id"))
    query = query.join(Game, Game.key == _analysis.c.game_key).where(due)
    return query.order_by(_analysis.c.thinker == THINKERS[DEEP], _analysis.c.asked_at)


def _is_known() -> ColumnElement[bool]:
    """The condition that this release has the rules of the game."""
    known = [(slug, version) for slug in rules.slugs() for version in rules.versions(slug)]
    return or_(*((Game.ruleset == slug) & (_analysis.c.version == at) for slug, at in known))


def claim(now: int, analysis_id: str) -> AnalysisRow | None:
    """Claim an analysis, and return it; None if another worker was first."""
    this = (_analysis.c.id == analysis_id) & is_waiting() & (_analysis.c.lease_until <= now)
    values = {"lease_until": now + LEASE, "claims": _analysis.c.claims + 1}
    with transaction():
        if not changed_rows(update(_analysis).where(this).values(values)):
            return None
        query = select(*columns(AnalysisRow, _analysis)).where(_analysis.c.id == analysis_id)
        return one_row(AnalysisRow, query)


def keep(now: int, analysis: AnalysisRow, found: Appraised) -> AnalysisRow | None:
    """Store the appraisal of the next decision of a claimed analysis, and return the analysis; the last appraisal ends
    it.

    Returns None if this worker no longer has the claim, or the analysis was deleted.
    """
    kept = analysis._replace(done=analysis.done + 1, lease_until=now + LEASE)
    kept = kept._replace(ended_at=now if kept.following is None else None)
    values = {name: getattr(kept, name) for name in ("done", "lease_until", "ended_at")}
    with transaction():
        if not changed_rows(update(_analysis).where(_is_claimed(analysis)).values(values)):
            return None
        write_rows(_appraised, [{"analysis_id": analysis.id, **found.few()._asdict()}])
    return kept


def fail(now: int, analysis: AnalysisRow) -> None:
    """End a claimed analysis as failed, because one of its decisions cannot be appraised."""
    with transaction():
        ended = {"ended_at": now, "failed": True}
        db.session.execute(update(_analysis).where(_is_claimed(analysis)).values(ended))


def let_go(analysis: AnalysisRow) -> None:
    """Give up a claim, so that another worker can continue at once."""
    with transaction():
        free = update(_analysis).where(_is_claimed(analysis)).values(lease_until=0)
        db.session.execute(free)


def _is_claimed(analysis: AnalysisRow) -> ColumnElement[bool]:
    this = (_analysis.c.id == analysis.id) & (_analysis.c.claims == analysis.claims)
    return this & _analysis.c.ended_at.is_(None)


def exported(player_id: str) -> list[Json]:
    """The player's analyses, for the export."""
    names = ("seat", "thinker", "asked_at", "ended_at", "failed")
    query = select(_analysis.c.id, Game.id.label("game"), *(_analysis.c[name] for name in names))
    mine = query.join(Game, Game.key == _analysis.c.game_key)
    mine = mine.where(_analysis.c.player_id == player_id)
    found = exported_rows(mine.order_by(_analysis.c.asked_at, _analysis.c.id))
    for each in found:
        each["depth"] = _depth(each["thinker"])
        each["thinker"] = each["thinker"].partition(" ")[0]
        decided = select(_appraised.c.number, _appraised.c.tried, _appraised.c.played)
        of = decided.where(_appraised.c.analysis_id == each.pop("id"))
        each["decisions"] = exported_rows(of.order_by(_appraised.c.number))
    return found


def erase(player_id: str) -> None:
    """Delete the player's analyses. The caller owns the commit."""
    db.session.execute(delete(_analysis).where(_analysis.c.player_id == player_id))


def purge(now: int, most: int) -> int:
    """Delete at most `most` analyses that were requested long ago; returns their number."""
    return delete_some(_analysis, most, _analysis.c.asked_at <= now - KEPT)
