"""Who may read and write the talk of a table.

There is one channel for people who sit at the table and one for spectators. People who sit there can read all messages
of the first; people who have left can read the messages from before they left; nobody else ever can. While the game
runs, nobody who holds or has held a seat can read what spectators write: spectators see less, but could give advice.
Before the start and after the end, the second channel is open to everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import exists, func, select

from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.talk import Channel, Mute
from service.core.runtime.problems import MayNotTalk, NotSeated, NotSpectator
from service.log.table_rows.table import Person, Table
from service.people.circles import blocks

CHANNELS: tuple[Channel, ...] = ("seats", "spectators")
FOREVER = 2**62
"""A time later than every message (ms UTC)."""


@dataclass(frozen=True)
class Participant:
    """A signed-in player at a table that the player may see."""

    table: Table
    player_id: str
    left_at: int | None
    """When the player last left the table (ms UTC)."""
    played: bool
    """Whether the player holds, or has held, a seat of the game."""
    silenced: bool
    """Whether the host has muted or blocked the player."""

    @property
    def seated(self) -> Person | None:
        """The participant's place, if they sit at the table."""
        return self.table.person(self.player_id)

    def readable_until(self, channel: Channel) -> int:
        """The time (ms UTC) before which messages are readable for the participant. Raises NotSeated, NotSpectator."""
        if channel == "spectators":
            if self.played and self.table.game.status == "running":
                raise NotSpectator
            return FOREVER
        if self.seated:
            return FOREVER
        if self.left_at is None:
            raise NotSeated
        return self.left_at

    def check_may_write(self, channel: Channel) -> None:
        """Raise NotSeated, NotSpectator or MayNotTalk if the participant may not write in this channel."""
        if channel == "seats" and self.seated is None:
            raise NotSeated
        self.readable_until(channel)
        if self.silenced:
            raise MayNotTalk


def participant(table: Table, player_id: str) -> Participant:
    """The player with this id as a participant of the talk at this table."""
    game_key = table.game.key
    host_id = table.host.player_id if table.host else None
    muted = exists().where(Mute.game_key == game_key, Mute.player_id == player_id)
    silenced = muted | blocks.blocked_clause(host_id, player_id)
    query = select(func.max(Tenure.ended_at), func.max(Tenure.seat), silenced).where(
        Tenure.game_key == game_key, Tenure.player_id == player_id
    )
    left_at, seat, is_silenced = db.session.execute(query).one()
    return Participant(table, player_id, left_at, seat is not None, bool(is_silenced))
