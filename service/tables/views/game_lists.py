"""Lists of games: the lobby, the viewer's own games, and the games that wait for the viewer."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select

from rules.kernel import Json
from service.core.database.database import columns, db, rows
from service.core.database.replica import a_moment_old
from service.core.models.games import Game, Seat, Tenure, has_status, is_listed
from service.core.models.people import Player
from service.core.models.proposals import Proposal, Vote
from service.core.models.returns import may_return, takes_part
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.log.table_rows import invitation_queries
from service.log.table_rows.table import GameRow
from service.people.circles import blocks, follows
from service.tables.clocks import paces, polling
from service.tables.views import clock_view
from service.tables.views.game_view import summary_of
from service.tables.views.people_names import name_in_list

NEVER = 2**62
"""A time later than any deadline, in ms UTC."""


def games(player_id: str | None, language: str, wish: Json) -> tuple[list[Json], str | None]:
    """A page of games, newest first, and the cursor of the next page, if there is one.

    `wish` can have status, ruleset, pace, free, mine, with (a player's id), beside_blocked, cursor and limit, or the
    key of a `circle`, of which the page then has all tables. With `mine`, it has the games of `player_id`, including
    private ones. Otherwise it has all public games, as they are or were a moment ago; open tables where somebody sits
    whom `player_id` has blocked are left out unless `beside_blocked` is true. If only open games are wanted, tables of
    people whom `player_id` follows come first, then everybody's first table before anybody's second.
    """
    if wish["mine"] or "circle" in wish:
        return _games(player_id, language, wish)
    return a_moment_old(lambda: _games(player_id, language, wish))


def _games(player_id: str | None, language: str, wish: Json) -> tuple[list[Json], str | None]:
    only_open = wish.get("status") == "open" or "free" in wish
    mixed = only_open and not wish["mine"]
    query = select(*columns(GameRow, Game.__table__)).limit(wish["limit"] + 1)
    far = _far(player_id) if mixed else None
    query = query.order_by(*_ranks(far) if mixed else [], Game.key.desc())
    query = query.where(*_wanted(player_id, wish))
    if _leaves_out(player_id, wish):
        query = query.where(~_is_avoided(player_id))
    if wish.get("cursor"):
        query = query.where(_later(wish["cursor"], far, mixed=mixed))
    found = rows(GameRow, query)
    page = found[: wish["limit"]]
    following = _after(page[-1], far) if found[len(page) :] else None
    return summaries(page, player_id, language), following


def _far(player_id: str | None) -> ColumnElement[int] | None:
    """An expression that is 1 for tables where nobody sits whom this player follows, otherwise 0; None if the player
    follows nobody.
    """
    if player_id is None or not follows.follows_anybody(player_id):
        return None
    return case((follows.sits_at(Game.key, player_id), 0), else_=1)


def _ranks(far: ColumnElement[int] | None) -> list[ColumnElement[int]]:
    rank = Game.__table__.c.opener_rank
    return [rank] if far is None else [far, rank]


def _after(last: GameRow, far: ColumnElement[int] | None) -> str:
    """The cursor of the page after this game."""
    is_far = 0 if far is None else db.session.scalar(select(far).where(Game.key == last.key))
    return f"{is_far}.{last.opener_rank}.{last.key}"


def are_left_out(player_id: str, wish: Json) -> bool:
    """Whether `games` leaves out tables for this wish because of people whom this player has blocked."""
    if not _leaves_out(player_id, wish):
        return False
    query = select(Game.key).where(*_wanted(player_id, wish), _is_avoided(player_id))
    return a_moment_old(lambda: db.session.scalar(query.limit(1)) is not None)


def _leaves_out(player_id: str | None, wish: Json) -> bool:
    return player_id is not None and not wish["mine"] and not wish.get("beside_blocked")


def _is_avoided(player_id: str | None) -> ColumnElement[bool]:
    """The condition for open tables of others where somebody sits whom this player has blocked."""
    beside = blocks.sits_at(Game.key, player_id)
    return and_(Game.status == "open", beside, ~_seated(player_id))


def _wanted(player_id: str | None, wish: Json) -> list[ColumnElement[bool]]:
    """The conditions of a wish, except the one for the beginning of the page."""
    mine = _played(player_id) if wish.get("status") == "over" else _seated(player_id)
    found = [is_listed(), *_narrowed(wish)]
    if "circle" in wish:
        found.append(Game.circle_key == wish["circle"])
    else:
        found.append(mine if wish["mine"] else Game.private.is_(False))
    if wish.get("status"):
        of_few = wish["mine"] or "with" in wish or "circle" in wish
        found.append(has_status(wish["status"]) if of_few else Game.status == wish["status"])
    if wish.get("ruleset"):
        found.append(Game.ruleset == wish["ruleset"])
    return found


def _later(cursor: str, far: ColumnElement[int] | None, *, mixed: bool) -> ColumnElement[bool]:
    """The condition for games that come after the game with the ranks and the key in this cursor.

    A cursor of the previous release has only one rank.
    """
    *before, rank, key = map(int, cursor.split("."))
    later: ColumnElement[bool] = Game.key < key
    if mixed:
        later = or_(Game.opener_rank > rank, and_(Game.opener_rank == rank, later))
    if far is not None and before:
        later = or_(far > before[0], and_(far == before[0], later))
    return later


def _narrowed(wish: Json) -> list[ColumnElement[bool]]:
    """The conditions for the pace, free places and people of a wish."""
    found = []
    if "pace" in wish:
        kind = Game.pace["kind"].as_string()
        found.append(Game.pace.is_(None) if wish["pace"] == "none" else kind == wish["pace"])
    if "free" in wish:
        taken = select(func.count()).where(Tenure.game_key == Game.key, Tenure.ended_at.is_(None))
        free = (
            Game.players
            - taken.scalar_subquery()
            - invitation_queries.kept_places_expression(Game.key)
        )
        found += [Game.status == "open", free >= wish["free"]]
    if "with" in wish:
        found.append(_played(wish["with"]))
    return found


def holder_of(tenure_id: str) -> tuple[str, str]:
    """The ids of the game and of the player of a tenure. Raises NotFound."""
    query = select(Game.id, Tenure.player_id).join(Tenure, Tenure.game_key == Game.key)
    whose = query.where(Tenure.id == tenure_id, Tenure.player_id.is_not(None))
    found = db.session.execute(whose).one_or_none()
    if found is None:
        raise NotFound
    return found.id, found.player_id


def turns(player_id: str, language: str) -> list[Json]:
    """Every game that waits for this player, the most urgent first; without deadlines, the longest wait first."""
    runs = Seat.due.is_not(None) & Game.paused_at.is_(None)
    late = case((runs, Seat.due), else_=NEVER)
    query = (
        select(*columns(GameRow, Game.__table__), Seat.seat, Seat.asked, Seat.since, Seat.due)
        .join(Seat, Seat.game_key == Game.key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Seat.waiting, is_listed())
        .order_by(late, Seat.since, Seat.game_key)
    )
    own = len(GameRow._fields)
    waiting = [(GameRow._make(row[:own]), row) for row in db.session.execute(query)]
    waiting = [(game, row) for game, row in waiting if game.is_known]
    shown = summaries([game for game, _ in waiting], player_id, language)
    return [
        {
            "game": summary,
            "seat": row.seat,
            "asked": row.asked,
            "since": rfc3339(row.since),
            "due": clock_view.due(game, row.due),
        }
        for summary, (game, row) in zip(shown, waiting, strict=True)
    ]


def standing(player_id: str, now: int, shortest: float) -> Json:
    """The present situation at the tables where this player sits, or may sit again, and whose games are not over.

    It has the `state`, which changes when a table begins or ends, passes to another player, or is replaced by another
    table; the open `proposals` on which the player has to vote; and the seconds after which to ask again.
    """
    query = (
        select(Game.id, Game.status, Game.logged_at, Game.pace, Game.asking, Seat.tenure_id)
        .join(Tenure, Tenure.game_key == Game.key)
        .outerjoin(Seat, Seat.game_key == Game.key)
        .where(takes_part(player_id), Game.status != "over", is_listed())
        .order_by(Game.key, Seat.seat)
    )
    found = db.session.execute(query).all()
    seen = repr([(row.id, row.status, row.tenure_id) for row in found])
    intervals = [
        polling.interval(shortest, row.pace, polling.quietness(now, row.logged_at)) for row in found
    ]
    return {
        "state": hashlib.sha256(seen.encode()).hexdigest()[:20],
        "proposals": _unanswered(player_id) if any(row.asking for row in found) else [],
        "poll_after": min(intervals, default=shortest * max(polling.FACTORS)),
    }


def _unanswered(player_id: str) -> list[Json]:
    """The open proposals on which this player has to vote, oldest first."""
    answered = exists().where(Vote.proposal_key == Proposal.key, Vote.tenure_id == Tenure.id)
    query = (
        select(Game.id.label("game"), Proposal.id.label("proposal"))
        .join(Game, Game.key == Proposal.game_key)
        .join(Tenure, Tenure.game_key == Game.key)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
        .where(Proposal.status == "open", Proposal.player_id.is_distinct_from(player_id), ~answered)
        .order_by(Proposal.key)
    )
    return [{"game": row.game, "proposal": row.proposal} for row in db.session.execute(query)]


class ListedPlayer(NamedTuple):
    """A person or house player at a table, as lists show them."""

    game_key: int
    player_id: str | None
    name: str | None
    house_name: str | None
    house_level: str | None
    program: bool | None
    waiting: bool | None
    seat: int | None


def summaries(found: Sequence[GameRow], player_id: str | None, language: str) -> list[Json]:
    """The games in the form in which lists show them (GameSummary in openapi.yaml)."""
    at: dict[int, list[ListedPlayer]] = {game.key: [] for game in found}
    people = (
        select(*columns(ListedPlayer, Tenure.__table__, Player.__table__, Seat.__table__))
        .outerjoin(Player, Player.id == Tenure.player_id)
        .outerjoin(Seat, Seat.tenure_id == Tenure.id)
        .where(Tenure.game_key.in_(at), Tenure.ended_at.is_(None))
        .order_by(Tenure.seat, Tenure.place)
    )
    for person in rows(ListedPlayer, people):
        at[person.game_key].append(person)
    kept = invitation_queries.kept_places(
        (game.key for game in found if game.status == "open"), player_id
    )
    return [
        _summary(game, at[game.key], kept.get(game.key, 0), player_id, language)
        for game in found
        if game.is_known
    ]


def summaries_by_key(
    keys: Collection[int], player_id: str | None, language: str
) -> dict[int, Json]:
    """The games with these keys in the form in which lists show them, by key, except games whose rules are unknown."""
    query = select(*columns(GameRow, Game.__table__)).where(Game.key.in_(keys))
    known = [game for game in rows(GameRow, query) if game.is_known]
    shown = summaries(known, player_id, language)
    return {game.key: each for game, each in zip(known, shown, strict=True)}


def _summary(
    game: GameRow, people: list[ListedPlayer], kept: int, player_id: str | None, language: str
) -> Json:
    free = game.players - len(people) - kept if game.status == "open" else 0
    words = phrases(language, game.ruleset, game.version)
    mine = [person for person in people if player_id and person.player_id == player_id]
    return {
        **summary_of(game, words),
        "pace": paces.shown(paces.loaded(game.pace), words, game.rest),
        "seated": len(people),
        "names": [name_in_list(person, words) for person in people],
        "yours": bool(mine),
        "waiting_for_you": any(person.waiting for person in mine),
        "outcome": _outcome(game, mine),
        "free": max(0, free),
    }


def _outcome(game: GameRow, mine: list[ListedPlayer]) -> str | None:
    """How the game ended for the player who held a seat at its end; None before the end, and for everybody else."""
    if not game.result or not mine:
        return None
    winners = game.result["winners"]
    if not winners:
        return "nobody"
    return "won" if any(person.seat in winners for person in mine) else "lost"


def _seated(player_id: str | None) -> ColumnElement[bool]:
    """The condition that a player sits at the table, or may take a seat back while the game runs."""
    at = Game.__table__.alias()
    present = Tenure.ended_at.is_(None) | ((at.c.status == "running") & may_return())
    mine = select(Tenure.game_key).join(at, at.c.key == Tenure.game_key)
    mine = mine.where(Tenure.player_id == player_id, present)
    return Game.key.in_(mine)  # found by their tables, since there are more games of others


def _played(player_id: str | None) -> ColumnElement[bool]:
    """The condition that a player sits at the table or held a seat of the game."""
    present = Tenure.ended_at.is_(None) | Tenure.seat.is_not(None)
    return Game.key.in_(select(Tenure.game_key).where(Tenure.player_id == player_id, present))
