"""The tables of talk: what is said at a table, how far somebody has read, notes, and manners. Times are ms UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.database import Base
from service.models import Id


class Message(Base):
    """Something that was said at a table, in one of its channels."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("game_key", "channel", "number"),
        UniqueConstraint("game_key", "player_id", "once"),
        Index(None, "player_id"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    channel: Mapped[str] = mapped_column(String(10))
    """`seats` or `spectators`."""
    number: Mapped[int]
    """1, 2, … in its channel alone: a gap would tell how much is said in the other one."""
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    tenure_id: Mapped[str | None] = mapped_column(ForeignKey("tenures.id", ondelete="SET NULL"))
    """Of somebody who sat at the table then."""
    name: Mapped[str | None] = mapped_column(String(40))
    """What the author was called then; None once that person is erased."""
    text: Mapped[str] = mapped_column(Text)
    once: Mapped[str | None] = mapped_column(String(64))
    """By which a repeat is recognised."""
    at: Mapped[int] = mapped_column(BigInteger)
    """Never before the last message, nor before the last time that somebody left the table."""
    hidden_at: Mapped[int | None] = mapped_column(BigInteger)
    """Since when nobody but the operator sees the text."""


class ReadMark(Base):
    """How far somebody has read in a channel."""

    __tablename__ = "read_marks"

    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    number: Mapped[int]
    """Of the last message that was read."""


class Note(Base):
    """What somebody has written down about a game, for nobody else."""

    __tablename__ = "notes"

    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    text: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[int] = mapped_column(BigInteger)


class Mute(Base):
    """Somebody who may no longer write at a table, because its host says so."""

    __tablename__ = "mutes"
    __table_args__ = (UniqueConstraint("game_key", "player_id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    created_at: Mapped[int] = mapped_column(BigInteger)


class Block(Base):
    """A person whom another one does not want at tables of their own."""

    __tablename__ = "blocks"
    __table_args__ = (
        UniqueConstraint("player_id", "blocked_id"),
        Index(None, "blocked_id"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """Who blocks …"""
    blocked_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """… whom."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class Report(Base):
    """A message that somebody has shown to the operator, as a copy: it stays when the table goes."""

    __tablename__ = "reports"
    __table_args__ = (
        UniqueConstraint("message_id", "reporter_id"),
        Index(None, "closed_at", "made_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    message_id: Mapped[str] = mapped_column(Id)
    game_id: Mapped[str] = mapped_column(Id)
    channel: Mapped[str] = mapped_column(String(10))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    author: Mapped[str | None] = mapped_column(String(40))
    """What the author was called then."""
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[int] = mapped_column(BigInteger)
    reporter_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    why: Mapped[str | None] = mapped_column(Text)
    """In the words of whoever reports."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    closed_at: Mapped[int | None] = mapped_column(BigInteger)
