"""A table as the database has it: the game's row and the people who sit there, in two SELECTs."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam, select

import rules
from service import offers
from service.chance import commitment
from service.database import db
from service.models import Game, Player, Seat, Tenure
from service.outside import base62
from service.problems import NotFound, NotSeated

# Every request reads these: made once, of tables, they cost a fifth of what they would as new ones of entities.
_game, _tenure = Game.__table__, Tenure.__table__
_player, _seat = Player.__table__, Seat.__table__
_GAME = select(_game).where(_game.c.id == bindparam("id"))
_LOCKED = _GAME.with_for_update()
_PEOPLE = (
    select(
        _tenure.c.id.label("tenure"),
        *(_tenure.c[name] for name in ("player_id", "place", "seat", "nonce", "erased")),
        *(_player.c[name] for name in ("name", "away_from", "away_until")),
        *(_seat.c[name] for name in ("asked", "waiting", "since", "due")),
        *(_seat.c[name] for name in ("reserve", "extra", "spent", "misses")),
    )
    .select_from(_tenure)
    .outerjoin(_player, _player.c.id == _tenure.c.player_id)
    .outerjoin(_seat, _seat.c.tenure_id == _tenure.c.id)
    .where(_tenure.c.game_key == bindparam("game"), _tenure.c.ended_at.is_(None))
    .order_by(_tenure.c.seat, _tenure.c.place)
)


@dataclass(frozen=True)
class Table:
    """One game with the people at its table, in seat order (before the start in order of sitting)."""

    game: Any
    """Row of `games`."""
    people: tuple[Any, ...]
    """Rows of tenure, player_id, place, seat, nonce and erased; of the player name and vacation; of the seat its
    question and its time."""

    @cached_property
    def ruleset(self) -> rules.Ruleset:
        """The ruleset in the version that the game is pinned to."""
        return rules.load(self.game.ruleset, self.game.version)

    @cached_property
    def sat(self) -> tuple[Any, ...]:
        """The people in order of sitting."""
        return tuple(sorted(self.people, key=lambda person: person.place))

    @property
    def host(self) -> Any | None:
        """The person who has sat here longest."""
        return next((person for person in self.sat if person.player_id), None)

    @property
    def full(self) -> bool:
        """Whether nobody else can sit down."""
        return bool(len(self.people) == self.game.players)

    @property
    def free(self) -> int:
        """How many places nobody has taken."""
        return int(self.game.players) - len(self.people)

    @property
    def nonces(self) -> list[str | None]:
        """What the players' clients brought, in order of sitting."""
        return self.game.nonces or [person.nonce for person in self.sat]

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed."""
        return commitment(self.game.seed)

    def person(self, player_id: str | None) -> Any | None:
        """The row of this player, if seated here."""
        seated = (person for person in self.people if person.player_id == player_id)
        return next(seated, None) if player_id else None

    def seated(self, player_id: str | None) -> Any:
        """The row of this player. Raises NotSeated."""
        person = self.person(player_id)
        if person is None:
            raise NotSeated
        return person


def find(game_id: str, *, lock: bool = False) -> Table:
    """The table of this id; `lock` holds its row until the commit. Raises NotFound."""
    game = db.session.execute(_LOCKED if lock else _GAME, {"id": game_id}).one_or_none()
    if game is None:
        raise NotFound
    return Table(game, tuple(db.session.execute(_PEOPLE, {"game": game.key})))


def find_visible(game_id: str, player_id: str | None, key: str | None, secret: bytes) -> Table:
    """The table, if this caller may see it: public, seated there now or once, or invited. Raises NotFound."""
    table = find(game_id)
    if table.game.private and not table.person(player_id) and not invites(key, game_id, secret):
        _held_or_not_found(table, player_id)
    return table


def _held_or_not_found(table: Table, player_id: str | None) -> None:
    if player_id is None:
        raise NotFound
    if not held(table, player_id) and not offers.is_asked(table.game.key, player_id):
        raise NotFound


def held(table: Table, player_id: str) -> bool:
    """Whether this person has held a seat of the game: its past stays theirs, and they may come back."""
    mine = select(_tenure.c.id).where(
        _tenure.c.game_key == table.game.key,
        _tenure.c.player_id == player_id,
        _tenure.c.ended.is_not(None),
    )
    return db.session.execute(mine.limit(1)).first() is not None


def invitation(game_id: str, secret: bytes) -> str:
    """The key of a private table's invitation link: not stored, but derived."""
    return base62(hmac.digest(secret, b"invitation " + game_id.encode(), "sha256"))


def invites(key: str | None, game_id: str, secret: bytes) -> bool:
    """Whether `key` is the invitation to this game."""
    expected = invitation(game_id, secret)
    return key is not None and hmac.compare_digest(key.encode(), expected.encode())
