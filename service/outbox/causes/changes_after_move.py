"""What the events of a commit change for the people at the table, as programs are told it."""

from __future__ import annotations

from collections.abc import Sequence

from service.core.models.returns import who_may_return
from service.log import changes
from service.log.changes import AtGame
from service.log.events import Event
from service.log.table_rows.table import Holder, Table

TOLD = ("handover", "pause", "resume", "extend", "version")
"""Events that are changes of the same name; `close` is the end of the game."""


def note_events(now: int, before: Table, after: Table, events: Sequence[Event]) -> None:
    """Note what these events change, in the caller's transaction."""
    where = AtGame(after.game.id, after.game.revision, now)
    if not before.game.number:
        changes.note("started", where, after.people)
    for kind in TOLD:
        if any(event["kind"] == kind for event in events):
            changes.note(kind, where, after.people)
    if after.game.status == "over":
        changes.note("ended", where, after.people)
        if any(each.is_house for each in after.holders):
            former = who_may_return(after.game.key)
            changes.note_for("ended", where, [each.player_id for each in former])
    else:
        changes.note("turn", where, asked_otherwise(after, than=before))


def asked_otherwise(table: Table, than: Table) -> list[Holder]:
    """Those who are waited for at a table, and at the other one are not, or to answer something else."""
    asked = {each.tenure: each.asked for each in than.holders if each.waiting}
    return [each for each in table.holders if each.waiting and asked.get(each.tenure) != each.asked]
