"""The tables of games, their seats, their logs and invitations to them. Times are ms since 1970 UTC.

Events name tenures, never people.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from rules.players import levels
from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import HOUR

GameStatus = Literal["open", "running", "over"]
Seating = Literal["order", "random"]
"""The ways to assign seats: at random, or in the order in which people sat down."""
Start = Literal["host", "full"]
"""The ways to start a game: the host starts it, or it starts when the last seat is taken."""


IN_CIRCLE = "circle_key IS NOT NULL"
"""The condition for tables of circles; an index contains only these."""
UNCOUNTED = "counted IS NULL AND ended_at IS NOT NULL"
"""The condition for finished games that are not counted yet; an index contains only these."""


class Game(Base):
    """A table and the game that is played there. `key` is never shown outside the service; `id` is public."""

    __tablename__ = "games"
    __table_args__ = (
        Index(None, "status", "private", "key"),
        partial_index("ix_games_paused", "paused_until IS NOT NULL", "paused_until"),
        partial_index("ix_games_unattended", "unattended_at IS NOT NULL", "unattended_at"),
        partial_index("ix_games_ready", "ready_until IS NOT NULL", "ready_until"),
        partial_index("ix_games_clock", "clock_due IS NOT NULL", "clock_due"),
        partial_index("ix_games_starts", "starts_at IS NOT NULL", "starts_at"),
        partial_index("ix_games_rematch", "rematch_of IS NOT NULL", "rematch_of"),
        partial_index("ix_games_circle", IN_CIRCLE, "circle_key", "key"),
        partial_index("ix_games_lesson", "lesson IS NOT NULL", "created_at"),
        partial_index("ix_games_uncounted", UNCOUNTED, "ended_at"),
        partial_index("ix_games_warm", "cold IS NULL AND ended_at IS NOT NULL", "ended_at"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    players: Mapped[int]
    options: Mapped[Json] = mapped_column(JSON)
    private: Mapped[bool]
    seating: Mapped[Seating] = mapped_column(String(8))
    start: Mapped[Start] = mapped_column(String(8))
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    status: Mapped[GameStatus] = mapped_column(String(8), default="open")
    number: Mapped[int] = mapped_column(default=0)
    """The number of the last event."""
    head: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    """The digest of the last event; None before the start."""
    revision: Mapped[int] = mapped_column(default=1)
    """A number that rises with every commit that changes what anybody is shown."""
    log_format: Mapped[int] = mapped_column(server_default="2")
    """The format of the game's log (docs/record.md). Here 2 also means 1."""
    shuffles: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of shuffles in the log, not counting the one for the seats; unused up to format 2."""
    undone: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True))
    """The events that were taken back, each with the number of its `void`, as in the log; None if there are none."""
    standing: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The last actions that can still be taken back (service/log/table_rows/taking_back.py); None before any."""
    logged_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the last event was logged, according to the log: never before the previous event; None before
    any.
    """
    nonces: Mapped[list[Json] | None] = mapped_column(JSON(none_as_null=True))
    """The nonces in the form that the start event has: `tenure` and `nonce`; None before the start.

    In logs of format 2 `nonce` can be null.
    """
    result: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[int | None] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    pace: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The pace: `kind`, `each`, `reserve` and `cap` in ms (service/tables/clocks/arithmetic.py); None if none."""
    rest: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The rest: `time_zone`, `days` and `open` (service/log/table_rows/rests.py); None if the table never rests."""
    takeover: Mapped[int] = mapped_column(default=3)
    """The number of time-outs in a row after which a house player takes the seat; 0 for never."""
    level: Mapped[str] = mapped_column(String(8), server_default=levels.USUAL)
    """The level of house players who sit down before the start, unless another one is named."""
    paused_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time since which the table has been paused; None if it is not."""
    paused_until: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the game resumes automatically; None if it does not."""
    unattended_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time since which there has been no person at the table, so that house players stop; None if there is one."""
    live: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether everybody has to be present at the same time, according to the rules with these options."""
    ready_until: Mapped[int | None] = mapped_column(BigInteger, info=repaired(HOUR))
    """The time by which all players of a full live table have to confirm that they are there; None at other tables."""
    clock_due: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the outside clock that the rules have asked for runs out; None if no such clock runs."""
    credited_until: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time up to which outages have been credited to the game; None if no outage has been."""
    asking: Mapped[int] = mapped_column(default=0)
    """The number of open proposals."""
    rematch_of: Mapped[int | None]
    """The key of the game of which this is a rematch; None if it is none."""
    circle_key: Mapped[int | None]
    """The key of the circle whose members may see the table and sit down there (service/people/circles/), or None."""
    invitation_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of the invitation key; it rises when the host changes the key."""
    awaits_nonce: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the table, once full, waits for the nonce of the player who opened it before it starts automatically."""
    starts_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired(HOUR))
    """The time at which a full table starts without that nonce; None unless the table is full and has not started."""
    opener_rank: Mapped[int] = mapped_column(default=0, server_default="0")
    """The table's rank among the open tables of its opener, from 0.

    Lists show the first table of each person before anybody's second.
    """
    lesson: Mapped[int | None]
    """The number of moves of its ruleset's lesson that were played so far; None if the game is not a lesson.

    Once the player has moved in another way, it is −1 minus that number.
    """
    deal: Mapped[str | None] = mapped_column(String(10))
    """In a try at a daily deal, the day of the deal (service/core/models/daily_deals.py); None in other games."""
    rated: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the result counts for the ratings of the people who play the game (service/people/ratings/)."""
    counted: Mapped[bool | None]
    """Whether the game is counted for its players (service/people/ratings/played/).

    It is None before that is done, and False if the game is unreadable.
    """
    cold: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    """The SHA-256 of the log's object in cold storage; None while the events are in the database."""
    erasing: Mapped[bool] = mapped_column(default=False)
    """Whether the game is being erased, or its log moved away.

    For all other games, triggers refuse to delete events.
    """


def is_listed() -> ColumnElement[bool]:
    """The condition that lists may contain a game, since it is neither a lesson nor a try at a daily deal.

    Everything that shows or counts people's games uses it.
    """
    return Game.lesson.is_(None) & Game.deal.is_(None)


def has_status(status: str) -> ColumnElement[bool]:
    """The condition on a game's status, for queries that find games by something rarer, such as a player.

    If the status were compared directly, SQLite would use its index and look through everybody's games with that
    status.
    """
    return Game.status.concat("") == status


class Tenure(Base):
    """The time for which a person or a house player (`player_id` is None) holds a seat. The log contains its id."""

    __tablename__ = "tenures"
    __table_args__ = (
        partial_index(
            "uq_tenures_present", "ended_at IS NULL", "game_key", "player_id", unique=True
        ),
        Index(None, "player_id", "game_key"),
        Index(None, "game_key", "seat"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id"))
    nonce: Mapped[str | None] = mapped_column(String(64))
    place: Mapped[int]
    """The position in the order of sitting down: 1, 2, … The person with the lowest number at the table is the host."""
    seat: Mapped[int | None]
    """The seat; None until the start."""
    sat_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)
    began: Mapped[int | None]
    """The number of the event that began the tenure, the start or a handover; None before the start."""
    ended: Mapped[int | None]
    """The number of the handover that ended the tenure; None while it lasts."""
    why: Mapped[str | None] = mapped_column(String(12))
    """The reason for that handover, or `removed` if the host removed this person before the start; None otherwise."""
    result: Mapped[str | None] = mapped_column(String(12))
    """The result for ratings: `won`, `lost`, `left` (before the end) or `none` (no winner); None before the end."""
    ready: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether this person, at a live table, has confirmed that they are there."""
    erased: Mapped[bool] = mapped_column(default=False)
    """Whether the tenure belonged to an erased person; if not, the lack of a `player_id` means a house player."""
    house_name: Mapped[str | None] = mapped_column(String(16))
    """The key of a house player's name in the catalogue (`house.name.…`); None for people, as are the next two
    columns.
    """
    house_level: Mapped[str | None] = mapped_column(String(8))
    house_version: Mapped[str | None] = mapped_column(String(8))
    """The version of house players when this one sat down; `0` if it sat down before versions were stored."""
    nudged_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time at which somebody at the table last nudged this person; None if nobody has."""
    only_move: Mapped[bool | None]
    """Whether an only move is played for this person here; if None, `Player.only_move` decides."""
    orders: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of this person's standing orders in force here (service/core/models/orders.py)."""


class LiveWish(Base):
    """A player's wish to be told when others wait for a game that is played live."""

    __tablename__ = "live_wishes"
    __table_args__ = (Index(None, "ruleset", "until"), Index(None, "until"))

    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    ruleset: Mapped[str] = mapped_column(String(40), primary_key=True)
    until: Mapped[int] = mapped_column(BigInteger, info=repaired(3 * HOUR))


HOUSE_DUE = "waiting AND house"
"""The condition for seats of house players that have to act.

SQLite uses their index only if a query has exactly these words.
"""


class Seat(Base):
    """A seat of a game that has started: its holder, its question (service/tables/play/moves.py) and its clock."""

    __tablename__ = "seats"
    __table_args__ = (
        partial_index("ix_seats_house_due", HOUSE_DUE, "game_key"),
        partial_index("ix_seats_time", "due IS NOT NULL", "due"),
        partial_index("ix_seats_acts", "acts_at IS NOT NULL", "acts_at"),
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tenure_id: Mapped[str] = mapped_column(ForeignKey("tenures.id"), unique=True)
    house: Mapped[bool]
    asked: Mapped[int]
    """The number of the last event that changed the seat's question."""
    waiting: Mapped[bool]
    since: Mapped[int] = mapped_column(BigInteger, info=repaired())
    """The time since which the seat has had this question."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the fallback is played for the seat; None while no clock runs.

    For this and the next four columns see service/tables/clocks/arithmetic.py.
    """
    reserve: Mapped[int] = mapped_column(BigInteger, default=0)
    extra: Mapped[int] = mapped_column(BigInteger, default=0)
    spent: Mapped[int] = mapped_column(BigInteger, default=0)
    moved: Mapped[int] = mapped_column(BigInteger, default=0)
    misses: Mapped[int] = mapped_column(default=0)
    """The number of questions in a row that have timed out."""
    acts_from: Mapped[int | None] = mapped_column(BigInteger)
    """The start of the wait after which this question may be answered for the seat (clocks/own_answers.py); None
    without a wait.
    """
    acts_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired(HOUR))
    """The time at which the worker next checks whether that wait is over; None if it need not check."""


class TimeEntry(Base):
    """A change of a seat's time, with its reason."""

    __tablename__ = "time_entries"
    __table_args__ = (
        Index(None, "game_key", "key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"))
    seat: Mapped[int]
    at: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(12))
    """The kind of change; the catalogues word it as `time.<kind>`."""
    ms: Mapped[int] = mapped_column(BigInteger)
    """The amount of time (ms) that the entry is about."""
    due: Mapped[int | None] = mapped_column(BigInteger)
    reserve: Mapped[int] = mapped_column(BigInteger)
    extra: Mapped[int] = mapped_column(BigInteger)


class Event(Base):
    """One event of a game's log. Append-only: triggers refuse UPDATE, and DELETE unless the game is being erased."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("game_key", "seat", "asked"),
        {"sqlite_with_rowid": False},
    )

    game_key: Mapped[int] = mapped_column(ForeignKey("games.key"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)
    """The event as canonical JSON, including the salt: the text that is hashed."""
    digest: Mapped[bytes] = mapped_column(LargeBinary(32))
    seat: Mapped[int | None]
    """The seat that acted; None for events without a seat."""
    asked: Mapped[int | None]
    """The question that the event answered, or None.

    The unique constraint makes sure that no question is answered twice.
    """
    at: Mapped[int] = mapped_column(BigInteger)


class Invitation(Base):
    """An invitation to a table, for a player or for an email address. Deleted when the game starts."""

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("game_key", "player_id"),
        UniqueConstraint("game_key", "inviter_id", "address"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    inviter_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    player_id: Mapped[str | None] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), index=True
    )
    """The player for whom a place is kept; None if the invitation was mailed to an address."""
    address: Mapped[str | None] = mapped_column(String(254), index=True)
    """The lower-case address to which the invitation was mailed, shown to the inviter only; None for a player."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    declined_at: Mapped[int | None] = mapped_column(BigInteger)
