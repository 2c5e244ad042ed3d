"""Times in emails and on their pages, and the deadline of a question: the time, and what happens then."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import NamedTuple

from babel.dates import format_datetime, get_timezone_name

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.core.words.words import Phrases, duration
from service.log.table_rows.rests import Rest
from service.log.table_rows.table import GameRow, Holder
from service.notifications.mail_texts.game_for_reader import GameForReader


def local_time(at: int, zone: tzinfo, words: Phrases) -> str:
    """A time (ms UTC) with its date, in the reader's time zone, which is named."""
    local = datetime.fromtimestamp(at / 1000, zone)
    pattern = words.say("mail.time")
    time = format_datetime(local, pattern, tzinfo=zone, locale=words.language)
    name = get_timezone_name(local, locale=words.language)
    return words.say("mail.time.zone", {"time": time, "zone": name})


class DeadlineWords(NamedTuple):
    """The reader's deadline, and what happens when it passes. The first part names no card."""

    when: str
    then: tuple[str, ...] = ()
    left: str = ""
    """The time left until then; only on pages, since nobody knows when an email is read."""


def deadline_words(game: GameForReader, zone: tzinfo) -> DeadlineWords:
    """The deadline of the reader's question."""
    row, me, words = game.table.game, game.answer.me, game.words
    if not isinstance(me, Holder) or me.due is None:
        return DeadlineWords(words.say("mail.due.none"))
    if row.paused_at is not None:
        return DeadlineWords(words.say("mail.due.paused"))
    now = game.services.now()
    ms = me.due - now
    unit = HOUR if ms > DAY else MINUTE
    left = words.say("move.left", {"time": duration(-(-ms // unit) * unit, words)})  # rounded up
    when = words.say("mail.due", {"time": local_time(me.due, zone, words)})
    then, state = [*rests_until(row, now, zone, words)], game.answer.state
    # The action that is played for a seat out of time depends on nothing that the seat does not see.
    action = None if state is None else game.table.ruleset.fallback(state, me.seat)
    if action is not None:
        then.append(game.say("mail.due.fallback", action=game.answer.choice(action)))
    if row.takeover:
        more = max(row.takeover - me.misses, 1)
        key = "mail.due.takeover.now" if more == 1 else "mail.due.takeover"
        then.append(game.say(key, n=more))
    return DeadlineWords(when, tuple(then), left)


def rests_until(game: GameRow, now: int, zone: tzinfo, words: Phrases) -> list[str]:
    """A line that says until when the table rests; an empty list if it does not rest now."""
    rest = Rest.of(game.rest)
    if rest is None or not rest.rests_at(now):
        return []
    return [words.say("mail.due.rests", {"time": local_time(rest.end(now), zone, words)})]
