"""Turn mails, reminders and nudges: what happened, the table, what may be done with a link for each, and until when."""

from __future__ import annotations

from typing import Any

from service.api.common import Tools
from service.mail import links
from service.mail.letter import Letter
from service.mail.paper import written
from service.mail.readers import Reader, moment
from service.mail.scene import MOST_CHOICES, Scene, scene
from service.since import since_last_turn


def turn(kit: Tools, row: Any) -> Letter | None:
    """It is the reader's turn."""
    return _letter(kit, row, "turn")


def reminder(kit: Tools, row: Any) -> Letter | None:
    """It still is."""
    return _letter(kit, row, "reminder")


def nudge(kit: Tools, row: Any) -> Letter | None:
    """It still is, and somebody at the table has asked."""
    return _letter(kit, row, "nudge")


def _letter(kit: Tools, row: Any, kind: str) -> Letter | None:
    found = scene(kit, row)
    if found is None or not _asked(found[0], row):
        return None
    shown, reader = found
    subject = shown.say(f"letter.{kind}.subject")
    text, html = written(
        "turn",
        shown.words,
        language=reader.language,
        subject=subject,
        intro=shown.say(f"letter.{kind}.intro", name=reader.name),
        due=due(shown, reader),
        url=shown.url,
        since=since_last_turn(kit.states, shown.answer),
        table=shown.drawn(),
        choices=shown.choices(),
        most=MOST_CHOICES,
        form=shown.form,
        stop=links.for_player(kit.config, row),
    )
    return Letter(reader.address, subject, text, html, shown.table.game.id)


def _asked(shown: Scene, row: Any) -> bool:
    """Whether the row's tenure is still waited for with the row's question."""
    me: Any = shown.answer.me
    holds = me is not None and me.tenure == row.tenure_id
    return holds and shown.table.game.status == "running" and me.waiting and me.asked == row.number


def due(shown: Scene, reader: Reader) -> str:
    """Until when, where the reader lives."""
    game, me = shown.table.game, shown.answer.me
    if me is None or me.due is None:
        return shown.words.say("letter.due.none")
    if game.paused_at is not None:
        return shown.words.say("letter.due.paused")
    return shown.words.say("letter.due", {"time": moment(me.due, reader.zone, shown.words)})
