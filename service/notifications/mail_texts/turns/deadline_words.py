"""The deadline of a question as mails and their pages state it: until when, how long that is, and what happens then."""

from __future__ import annotations

from datetime import tzinfo
from typing import NamedTuple

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.core.words.words import Phrases, duration
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.local_time import local_time


class DeadlineWords(NamedTuple):
    """Until when the reader is waited for, and what happens otherwise. The first part names no card."""

    when: str
    then: tuple[str, ...] = ()


def deadline_words(game: GameForReader, zone: tzinfo) -> DeadlineWords:
    """The deadline of the question that the reader is asked."""
    row, me, words = game.table.game, game.answer.me, game.words
    if not isinstance(me, Holder) or me.due is None:
        return DeadlineWords(words.say("mail.due.none"))
    if row.paused_at is not None:
        return DeadlineWords(words.say("mail.due.paused"))
    left = time_left(me.due - game.services.runtime.now(), words)
    when = words.say("mail.due", {"time": local_time(me.due, zone, words), "left": left})
    return DeadlineWords(when, (*_fallback(game, me), *_takeover(game, me)))


def time_left(ms: int, words: Phrases) -> str:
    """How long it is until then, rounded up: to hours beyond a day, else to minutes."""
    unit = HOUR if ms > DAY else MINUTE
    return duration(-(-ms // unit) * unit, words)


def _fallback(game: GameForReader, me: Holder) -> tuple[str, ...]:
    """What is played for a seat out of time. What it is depends on nothing that the seat does not see."""
    state = game.answer.state
    action = None if state is None else game.table.ruleset.fallback(state, me.seat)
    if action is None:
        return ()
    return (game.say("mail.due.fallback", action=game.answer.action(action)),)


def _takeover(game: GameForReader, me: Holder) -> tuple[str, ...]:
    """After how many more time-outs the reader loses the seat; empty if never."""
    most = game.table.game.takeover
    if not most:
        return ()
    left = max(most - me.misses, 1)
    key = "mail.due.takeover.now" if left == 1 else "mail.due.takeover"
    return (game.say(key, n=left),)
