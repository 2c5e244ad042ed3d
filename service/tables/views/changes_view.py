"""The changes for a player, for a program that follows them."""

from __future__ import annotations

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.models.following import ChangeRow
from service.core.runtime.problems import ChangesGone
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.log import changes
from service.log.changes import NOTED_EVERY, Listening


def page(runtime: Runtime, player_id: str, after: int | None, limit: int) -> Json:
    """The changes after number `after`, and the number after which to continue; without `after`, only the number.

    From then on, changes are kept. Raises ChangesGone if the changes after `after` are no longer kept.
    """
    if after is not None and changes.listening(player_id) is None:
        raise ChangesGone  # nothing was kept before the first response
    mine = _followed(runtime, player_id)
    if after is None:
        return {"changes": [], "next": mine.last, "more": False}
    if not mine.first <= after <= mine.last:
        raise ChangesGone
    found = changes.page(player_id, after, limit)
    last = found[-1].number if found else after
    return {"changes": [shown(each) for each in found], "next": last, "more": last < mine.last}


def _followed(runtime: Runtime, player_id: str) -> Listening:
    """The number of the player's latest change. Once a day, this also records that a program asks for changes."""
    found = changes.listening(player_id)
    if found is None or runtime.now() - (found.read_at or 0) >= NOTED_EVERY:
        with transaction():
            changes.follow(runtime, player_id)
            found = changes.listening(player_id)
    assert found is not None, "it has just been written"
    return found


def shown(change: ChangeRow) -> Json:
    """A change, with the address that shows what has changed."""
    return {**change._asdict(), "at": rfc3339(change.at), "fetch": changes.address(change)}
