"""Players: one row for each person, guest or registered. people/accounts/accounts.py has the data added by
registering.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, exists, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, one_row, transaction
from service.core.models.games import Game, Tenure
from service.core.models.people import Player, SeenBy
from service.core.runtime.problems import NotSignedIn
from service.log import changes
from service.log.table_rows.table import find
from service.people import names


@dataclass(frozen=True)
class PlayerRow:
    """A player's name, language and preferences."""

    id: str
    name: str
    language: str
    created_at: int
    time_zone: str | None
    reminders: list[int] | None
    quiet: str | None
    digest: str | None
    confirm_replies: str | None
    only_move: bool
    no_take_backs: bool
    listed: bool
    ratings_for: SeenBy | None
    page_for: SeenBy | None
    shows_hours: bool
    proven: str | None
    program: bool


_player = Player.__table__
_BY_ID = select(*columns(PlayerRow, _player)).where(_player.c.id == bindparam("id"))


def get(player_id: str) -> PlayerRow:
    """The row of a player. Raises NotSignedIn if it has just been deleted."""
    found = one_row(PlayerRow, _BY_ID, {"id": player_id})
    if found is None:
        raise NotSignedIn
    return found


def prevent_erasure(player_id: str) -> None:
    """Lock the player's row so that it cannot be erased before the commit. Lock games first.

    Raises NotSignedIn if the player has just been erased.
    """
    present = select(Player.id).where(Player.id == player_id, Player.erased_at.is_(None))
    if db.session.scalar(present.with_for_update(read=True, key_share=True)) is None:
        raise NotSignedIn


def lock(player_id: str) -> None:
    """Lock the player's row until the commit. Lock games first.

    Raises NotSignedIn if the player has just been erased.
    """
    present = select(Player.id).where(Player.id == player_id, Player.erased_at.is_(None))
    if db.session.scalar(present.with_for_update(key_share=True)) is None:
        raise NotSignedIn


def lock_both(player_id: str, other_id: str) -> None:
    """Lock two players' rows until the commit, in the same order for everybody. Lock games first.

    Raises NotSignedIn if the first player has just been erased.
    """
    either = Player.id.in_((player_id, other_id)) & Player.erased_at.is_(None)
    both = select(Player.id).where(either).order_by(Player.id).with_for_update(key_share=True)
    if player_id not in db.session.scalars(both).all():
        raise NotSignedIn


def change_profile(now: int, player_id: str, values: Json) -> PlayerRow:
    """Change the name or the language; return the changed row.

    All tables at which the player has ever had a seat get a new revision. Raises NotSignedIn if the player has just
    been erased, UnusableName if nobody may have the name, and NameTaken if it looks like another one at a table.
    """
    with transaction():
        if "name" in values:
            values = {**values, "name": _new_name(player_id, values["name"])}
        update_row(player_id, values)
        played = Game.key.in_(select(Tenure.game_key).where(Tenure.player_id == player_id))
        db.session.execute(update(Game).where(played).values(revision=Game.revision + 1))
        changes.note_tables(now, played)
        return get(player_id)


def _new_name(player_id: str, name: str) -> str:
    """Check a new name, and lock the tables where it would appear next to other names; return the name to store.

    Raises UnusableName if nobody may have the name, and NameTaken if it looks like another one at a table.
    """
    if name == get(player_id).name:
        return name
    name = names.usable(name)
    seated = exists().where(
        Tenure.game_key == Game.key, Tenure.player_id == player_id, Tenure.ended_at.is_(None)
    )
    tables = select(Game.id).where(seated, Game.status != "over").order_by(Game.key)
    for game_id in db.session.scalars(tables.with_for_update()).all():
        names.refuse_taken(find(game_id), player_id, name)
    return name


def update_row(player_id: str, values: Json) -> None:
    """Change columns of the player's row. The caller owns the commit.

    Raises NotSignedIn if the player has just been erased.
    """
    prevent_erasure(player_id)
    db.session.execute(update(Player).where(Player.id == player_id).values(values))


_OWN = (
    "away_from away_until time_zone reminders quiet digest digested confirm_replies proven "
    "ratings_for page_for".split()
)
"""The columns that are emptied when the player is erased."""


def erase(player_id: str, now: int) -> None:
    """Empty the player's row. The caller owns the commit."""
    empty = {**dict.fromkeys(_OWN), "name": "", "erased_at": now}
    empty |= dict.fromkeys(("program", "only_move", "listed", "shows_hours"), False)
    db.session.execute(update(Player).where(Player.id == player_id).values(empty))
