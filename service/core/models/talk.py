"""The tables of talk: messages, read marks, private notes, mutes, blocks and reports. Times are ms UTC."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.core.database.tables import Base, Id

Channel = Literal["seats", "spectators"]


class Message(Base):
    """A message at a table, in one of its channels."""

    __tablename__ = "messages"
    __table_args__ = (
        UniqueConstraint("game_key", "channel", "number"),
        UniqueConstraint("game_key", "player_id", "once"),
        Index(None, "player_id"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    channel: Mapped[Channel] = mapped_column(String(10))
    """The channel: `seats` or `spectators`."""
    number: Mapped[int]
    """The number of the message within its channel: 1, 2, …

    It is not shared with the other channel, since gaps would reveal the number of messages there.
    """
    player_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    tenure_id: Mapped[str | None] = mapped_column(ForeignKey("tenures.id", ondelete="SET NULL"))
    """The author's tenure; None if the author did not sit at the table."""
    name: Mapped[str | None] = mapped_column(String(40))
    """The author's name at that time; None once the author is erased."""
    text: Mapped[str] = mapped_column(Text)
    once: Mapped[str | None] = mapped_column(String(64))
    """The client's key of the message, by which repeats are recognised; None if it gave none."""
    at: Mapped[int] = mapped_column(BigInteger)
    """The time of the message; never before the previous message, nor before the last departure from the table."""
    hidden_at: Mapped[int | None] = mapped_column(BigInteger)
    """The time at which the message was hidden; None if it is not. From then on, only the operator sees the text."""


class ReadMark(Base):
    """The last message that a player has read in a channel."""

    __tablename__ = "read_marks"

    game_key: Mapped[int] = mapped_column(
        ForeignKey("games.key", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    player_id: Mapped[str] = mapped_column(
        ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
    )
    channel: Mapped[Channel] = mapped_column(String(10), primary_key=True)
    number: Mapped[int]
    """The number of the last message that the player has read."""


class Note(Base):
    """A player's private notes about a game."""

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
    """A player whom the host forbids to write at a table."""

    __tablename__ = "mutes"
    __table_args__ = (UniqueConstraint("game_key", "player_id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    game_key: Mapped[int] = mapped_column(ForeignKey("games.key", ondelete="CASCADE"))
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    created_at: Mapped[int] = mapped_column(BigInteger)


class Block(Base):
    """A player whom another player does not want at their tables."""

    __tablename__ = "blocks"
    __table_args__ = (
        UniqueConstraint("player_id", "blocked_id"),
        Index(None, "blocked_id"),
        {"sqlite_autoincrement": True},
    )

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(Id, unique=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """The player who blocks."""
    blocked_id: Mapped[str] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    """The player who is blocked."""
    created_at: Mapped[int] = mapped_column(BigInteger)


class Report(Base):
    """A copy of a message that a player has reported to the operator; it stays when the table is deleted."""

    __tablename__ = "reports"
    __table_args__ = (
        UniqueConstraint("message_id", "reporter_id"),
        Index(None, "closed_at", "made_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    message_id: Mapped[str] = mapped_column(Id)
    game_id: Mapped[str] = mapped_column(Id)
    """The public id of the game or, for the talk of a circle, the id of the circle."""
    channel: Mapped[Channel | Literal["circle"]] = mapped_column(String(10))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    author: Mapped[str | None] = mapped_column(String(40))
    """The author's name at that time; None once the author is erased."""
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[int] = mapped_column(BigInteger)
    reporter_id: Mapped[str | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"))
    why: Mapped[str | None] = mapped_column(Text)
    """The reporter's words; None if there are none."""
    made_at: Mapped[int] = mapped_column(BigInteger)
    closed_at: Mapped[int | None] = mapped_column(BigInteger)
