"""Lists of games: the lobby, one's own tables, and every game that waits for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, and_, case, exists, func, select

from rules.kernel import Json
from service import offers, paces, times
from service.answers import people_names, summary_of
from service.database import db
from service.models import Game, Player, Seat, Tenure
from service.outside import rfc3339
from service.problems import NotFound
from service.waits import pace_of
from service.words import phrases

NEVER = 2**62
"""Ms UTC: later than any due time."""
MOST_KEY = 2**31 - 1
"""The highest key of a game that the column holds."""


def games(player_id: str | None, language: str, wish: Json) -> tuple[list[Json], str | None]:
    """A page of games, newest first, and the cursor of the next page.

    `wish`: status, ruleset, pace, free, mine, with (a player's id), cursor, limit. Public games; with `mine` those of
    `player_id`, private ones too.
    """
    query = select(Game.__table__).order_by(Game.key.desc()).limit(wish["limit"] + 1)
    mine = _played(player_id) if wish.get("status") == "over" else _seated(player_id)
    query = query.where(mine if wish["mine"] else Game.private.is_(False))
    query = query.where(*_narrowed(wish))
    for name, column in (("status", Game.status), ("ruleset", Game.ruleset)):
        if wish.get(name):
            query = query.where(column == wish[name])
    if wish.get("cursor"):
        query = query.where(Game.key < min(int(wish["cursor"]), MOST_KEY))
    found = db.session.execute(query).all()
    page = found[: wish["limit"]]
    return summaries(page, player_id, language), str(page[-1].key) if found[len(page) :] else None


def _narrowed(wish: Json) -> list[Any]:
    """The conditions that pace, free places and company make."""
    found = []
    if "pace" in wish:
        kind = Game.pace["kind"].as_string()
        found.append(Game.pace.is_(None) if wish["pace"] == "none" else kind == wish["pace"])
    if "free" in wish:
        taken = select(func.count()).where(Tenure.game_key == Game.key, Tenure.ended_at.is_(None))
        free = Game.players - taken.scalar_subquery() - offers.kept_count(Game.key)
        found += [Game.status == "open", free >= wish["free"]]
    if "with" in wish:
        found.append(_played(wish["with"]))
    return found


def holder(tenure_id: str) -> tuple[str, str]:
    """The game of a tenure, and the player whose it is. Raises NotFound."""
    query = select(Game.id, Tenure.player_id).join(Tenure, Tenure.game_key == Game.key)
    whose = query.where(Tenure.id == tenure_id, Tenure.player_id.is_not(None))
    found: Any = db.session.execute(whose).one_or_none()
    if found is None:
        raise NotFound
    return found[0], found[1]


def turns(player_id: str, language: str) -> list[Json]:
    """Every game that waits for this player, the most urgent first; without a due time the longest waiting first."""
    runs = Seat.due.is_not(None) & Game.paused_at.is_(None)
    late = case((runs, Seat.due), else_=NEVER)
    query = (
        _joined()
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Seat.waiting)
        .order_by(late, Seat.since, Seat.game_key)
    )
    found = db.session.execute(query).all()
    told = summaries(found, player_id, language)
    return [
        {"game": game, "seat": row.seat, "asked": row.asked, "since": rfc3339(row.since)}
        | {"due": times.due(row, row)}
        for game, row in zip(told, found, strict=True)
    ]


def summaries(found: Sequence[Any], player_id: str | None, language: str) -> list[Json]:
    """Games as the lists show them."""
    at: dict[int, list[Any]] = {game.key: [] for game in found}
    people = (
        select(Tenure.game_key, Tenure.player_id, Tenure.erased, Player.name, Seat.waiting)
        .outerjoin(Player, Player.id == Tenure.player_id)
        .outerjoin(Seat, Seat.tenure_id == Tenure.id)
        .where(Tenure.game_key.in_(at), Tenure.ended_at.is_(None))
        .order_by(Tenure.seat, Tenure.place)
    )
    for person in db.session.execute(people):
        at[person.game_key].append(person)
    kept = offers.kept((game.key for game in found if game.status == "open"), player_id)
    return [
        _summary(game, at[game.key], player_id, language)
        | {"free": _free(game, len(at[game.key]) + kept.get(game.key, 0))}
        for game in found
    ]


def _free(game: Any, taken: int) -> int:
    return max(0, game.players - taken) if game.status == "open" else 0


def _summary(game: Any, people: list[Any], player_id: str | None, language: str) -> Json:
    words = phrases(language, game.ruleset)
    mine = [person for person in people if player_id and person.player_id == player_id]
    return {
        **summary_of(game, words),
        "pace": paces.shown(pace_of(game), words),
        "seated": len(people),
        "names": people_names(people, words),
        "yours": bool(mine),
        "waiting_for_you": any(person.waiting for person in mine),
    }


def _seated(player_id: str | None) -> Any:
    return exists().where(
        and_(
            Tenure.game_key == Game.key,
            Tenure.player_id == player_id,
            Tenure.ended_at.is_(None),
        )
    )


def _played(player_id: str | None) -> Any:
    """Sits there, or has held a seat of the game once it had started."""
    present = Tenure.ended_at.is_(None) | Tenure.seat.is_not(None)
    return exists().where(Tenure.game_key == Game.key, Tenure.player_id == player_id, present)


def _joined() -> Select[Any]:
    game = Game.__table__.c
    return (
        select(*game, Seat.seat, Seat.asked, Seat.since, Seat.due)
        .join(Seat, Seat.game_key == Game.key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
    )
