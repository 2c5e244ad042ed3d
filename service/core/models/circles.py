"""The tables of people who follow others, and of circles. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from rules.kernel import Json
from service.core.database.tables import Base, Id, repaired
from service.core.runtime.units import DAY


class Follow(Base):
    """A player whom another player follows."""

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
    """What the host says about the circle."""
    host_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    link_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """Part of the key of the circle's link; rises when the host changes the link or removes somebody."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class CircleMember(Base):
    """A member of a circle, or somebody whom its host has removed."""

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
    """When the host removed this person, whom no link admits until the host takes that back; None: a member."""
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
    """1, 2, … within the circle."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    name: Mapped[str | None] = mapped_column(String(40))
    """The author's name at that time; None once the author is erased."""
    text: Mapped[str] = mapped_column(Text)
    once: Mapped[str | None] = mapped_column(String(64))
    """The client's key of the message, by which repeats are recognised."""
    at: Mapped[int] = mapped_column(BigInteger)
    hidden_at: Mapped[int | None] = mapped_column(BigInteger)
    """When the message was hidden. From then on, only the operator sees the text."""


class CircleWeekly(Base):
    """A table that opens in a circle each week, at which nobody sits before they sit down."""

    __tablename__ = "circle_weeklies"
    __table_args__ = (Index(None, "circle_key"), Index(None, "player_id"), Index(None, "next_at"))

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    circle_key: Mapped[int] = mapped_column(ForeignKey("circles.key", ondelete="CASCADE"))
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    """The member who set the weekly table up; None once that person is erased."""
    weekday: Mapped[int]
    """The day of the week on which the table opens: 1 is Monday."""
    at: Mapped[str] = mapped_column(String(5))
    """The time of day at which the table opens, `20:00`, in the time zone below."""
    time_zone: Mapped[str] = mapped_column(String(40))
    wish: Mapped[Json] = mapped_column(JSON)
    """The table, in the form of the API."""
    next_at: Mapped[int] = mapped_column(BigInteger, info=repaired(8 * DAY))
    """When the table opens next."""
    game_key: Mapped[int | None]
    """The last table."""
    unused: Mapped[int] = mapped_column(default=0, server_default="0")
    """The number of the last tables in a row at which nobody has sat down."""
