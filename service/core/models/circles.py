"""The tables of people who follow others, of circles, and of series. Times are ms UTC."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, partial_index, repaired
from service.core.runtime.units import DAY

SeriesStatus = Literal["open", "running", "over"]
SeriesSystem = Literal["round-robin", "swiss"]
TableWhy = Literal["played", "time", "not-played"]

NOT_OVER = "status <> 'over'"
"""The condition for series that are not over; an index contains only these."""
LATEST = 100 * DAY
"""The longest time (ms) from now until a series begins or a round ends."""


class Follow(Base):
    """The fact that a player follows another player."""

    __tablename__ = "follows"
    __table_args__ = (
        UniqueConstraint("player_id", "followed_id"),
        Index(None, "followed_id", "key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """The player who follows."""
    followed_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """The player who is followed."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class Circle(Base):
    """A group of people who play with each other."""

    __tablename__ = "circles"
    __table_args__ = (Index(None, "host_id"), {"sqlite_autoincrement": True})

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    name: Mapped[str] = mapped_column(String(40))
    about: Mapped[str | None] = mapped_column(Text)
    """The host's description of the circle; None if there is none."""
    host_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    link_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of the key of the circle's link; it rises when the host changes the link or removes somebody."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class CircleMember(Base):
    """A member of a circle, or a person whom its host has removed."""

    __tablename__ = "circle_members"
    __table_args__ = (
        UniqueConstraint("circle_key", "player_id"),
        Index(None, "player_id"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    circle_key: Mapped[int] = mapped_column(ForeignKey("circles.key", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    joined_at: Mapped[int] = mapped_column(BigInteger)
    removed_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the host removed this person, whom no link admits until the host takes that back; None for a
    member.
    """
    read: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of the last message that the member has read."""


class CircleMessage(Base):
    """A message in the talk of a circle."""

    __tablename__ = "circle_messages"
    __table_args__ = (
        UniqueConstraint("circle_key", "number"),
        UniqueConstraint("circle_key", "player_id", "once"),
        Index(None, "player_id"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    circle_key: Mapped[int] = mapped_column(ForeignKey("circles.key", ondelete="CASCADE"))
    number: Mapped[int]
    """The number of the message within the circle: 1, 2, …"""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    name: Mapped[str | None] = mapped_column(String(40))
    """The author's name at that time; None once the author is erased."""
    text: Mapped[str] = mapped_column(Text)
    once: Mapped[str | None] = mapped_column(String(64))
    """The client's key of the message, by which repeats are recognised; None if it gave none."""
    at: Mapped[int] = mapped_column(BigInteger)
    hidden_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the message was hidden; None if it is not. From then on, only the operator sees the text."""


class CircleWeekly(Base):
    """A table that opens in a circle each week, with nobody at it."""

    __tablename__ = "circle_weeklies"
    __table_args__ = (Index(None, "circle_key"), Index(None, "player_id"), Index(None, "next_at"))

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    circle_key: Mapped[int] = mapped_column(ForeignKey("circles.key", ondelete="CASCADE"))
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    """The member who set the weekly table up; None once that person is erased."""
    weekday: Mapped[int]
    """The day of the week on which the table opens: 1 is Monday."""
    at: Mapped[str] = mapped_column(String(5))
    """The time of day at which the table opens, such as `20:00`, in the time zone below."""
    time_zone: Mapped[str] = mapped_column(String(40))
    wish: Mapped[Json] = mapped_column(JSON)
    """The table, in the form of the API."""
    next_at: Mapped[int] = mapped_column(BigInteger, info=repaired(8 * DAY))
    """The time at which the table opens next."""
    game_key: Mapped[int | None]
    """The key of the table that opened last; None if none has."""
    unused: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of consecutive tables, up to the latest, at which nobody has sat down."""


class Series(Base):
    """A season of a series: people who meet each other in rounds."""

    __tablename__ = "series"
    __table_args__ = (
        Index(None, "circle_key"),
        Index(None, "player_id"),
        partial_index("ix_series_looked_at", NOT_OVER, "look_at"),
        partial_index("ix_series_ended", "ended_at IS NOT NULL", "ended_at"),
        partial_index("ix_series_public", "circle_key IS NULL", "key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    circle_key: Mapped[int | None] = mapped_column(ForeignKey("circles.key", ondelete="CASCADE"))
    """The circle whose members may play; None if the operator has set the series up, for everybody."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    """The player who set the series up; None if the operator did, or that person is erased."""
    name: Mapped[str] = mapped_column(String(40))
    wish: Mapped[Json] = mapped_column(JSON)
    """The tables of the series, in the form of the API."""
    rounds: Mapped[int | None]
    """The number of rounds; None for as many as suit the number of people (`rounds_for`)."""
    round_days: Mapped[int]
    """The number of days after which a round ends automatically."""
    repeats: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether another season opens when this one is over."""
    season: Mapped[int] = mapped_column(default=1, server_default="1")
    status: Mapped[SeriesStatus] = mapped_column(String(8))
    system: Mapped[SeriesSystem | None] = mapped_column(String(12))
    """The way in which people are paired; None before the first round."""
    round: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of the present round; 0 before the first."""
    ends_at: Mapped[int] = mapped_column(BigInteger, info=repaired(LATEST))
    """The time at which the first round begins or, after that, at which the present round ends automatically."""
    look_at: Mapped[int] = mapped_column(BigInteger, info=repaired(LATEST))
    """The time at which a worker next checks whether there is something to do."""
    created_at: Mapped[int] = mapped_column(BigInteger)
    ended_at: Mapped[int | None] = mapped_column(BigInteger)


class SeriesEntry(Base):
    """A place in a series, or a person who waits for one as a substitute."""

    __tablename__ = "series_entries"
    __table_args__ = (
        UniqueConstraint("series_key", "player_id"),
        Index(None, "player_id"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    series_key: Mapped[int] = mapped_column(ForeignKey("series.key", ondelete="CASCADE"))
    number: Mapped[int | None]
    """The number of the place within the series, from 0; None for a substitute, or before the series has begun."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    """The player whose place it is at present; None if it is nobody's."""
    at_once: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of games of the series that this person likes to play at the same time."""
    joined_at: Mapped[int] = mapped_column(BigInteger)


class SeriesTable(Base):
    """A table of a round."""

    __tablename__ = "series_tables"
    __table_args__ = (
        UniqueConstraint("series_key", "round", "number"),
        partial_index("ix_series_tables_ready", "ready_at IS NOT NULL", "ready_at"),
        partial_index("ix_series_tables_game", "game_key IS NOT NULL", "game_key"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    series_key: Mapped[int] = mapped_column(ForeignKey("series.key", ondelete="CASCADE"))
    round: Mapped[int]
    number: Mapped[int]
    """The number of the table within the round: 1, 2, …"""
    people: Mapped[list[int]] = mapped_column(JSON)
    """The numbers of the places that meet here, in the order of their seats."""
    ready_at: Mapped[int | None] = mapped_column(BigInteger, info=repaired())
    """The time since which the game is to begin; None before that, or once it has begun."""
    game_key: Mapped[int | None]
    seated: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """The numbers in `people` for whom somebody has sat down, by seat; None before the game."""
    places: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """The place in the result of each number in `seated`: 1 for the best, the same for equals; None until it is
    known.
    """
    why: Mapped[TableWhy | None] = mapped_column(String(12))
    """The way in which the table was decided: by play, by the end of its time, or without play; None until then."""
