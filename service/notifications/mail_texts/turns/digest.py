"""The digest: every game that waits for the reader, the most urgent first, each with its question and its links."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog
from sqlalchemy import and_, exists, or_, select

from rules.kernel import Json
from service.core.database.database import db
from service.core.database.failures import UnreadableLog
from service.core.models.games import Game, Seat, Tenure, is_listed
from service.core.models.mail import Outbox, OutboxRow, Unsubscribed
from service.core.models.people import Player
from service.core.runtime.log_files import failure
from service.core.runtime.units import DAY
from service.core.words.words import phrases
from service.log.table_rows.table import find
from service.notifications.mail_texts.answers import to_nobody
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import purpose_link
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.notifications.mail_texts.times import deadline_words
from service.notifications.mail_texts.turns.unread_talk import UnreadTalk, unread_talk
from service.outbox import digests, recipients
from service.outbox.recipients import Recipient
from service.outbox.unsubscriptions import player_unsubscribe_link
from service.people.names import harmless
from service.tables.drawing.action_narrowing import MOST_LISTED
from service.tables.services import Services
from service.tables.views.history_view import since_last_turn

_log = structlog.get_logger("tegami.mail")

MOST_GAMES = MOST_LISTED
"""The largest number of games that a digest describes."""
MOST_NAMED = 100
"""The largest number of games that a digest names; games beyond MOST_GAMES have only a link to the table."""
MOST_LINES = 4
"""The largest number of lines of history, and of messages, for each game."""


def is_due(services: Services, row: OutboxRow) -> bool:
    """Whether the reader still wants a digest, has had none today, and a game waits for them."""
    today = select(Player.id).where(
        *(Player.id == row.player_id, Player.digest.is_not(None)),
        or_(Player.digested.is_(None), Player.digested < row.key.rpartition(" ")[2]),
    )
    now = services.now()
    return db.session.scalar(today) is not None and bool(_waiting(row.player, now, most=1))


def render_digest(services: Services, row: OutboxRow) -> Mail | None:
    """The digest about every game that waits for the recipient; None if there is nothing to say."""
    recipient, waiting = recipients.find(row.player_id), _waiting(row.player, services.now())
    if recipient is None or not waiting:
        return None
    words, stop = phrases(recipient.language), player_unsubscribe_link(services.config, row)
    fields = {"n": len(waiting), "name": harmless(recipient.name)}
    games = _games(services, recipient, waiting[:MOST_GAMES], _told)
    of_mails = games[0]["mails"] if games else stop
    return render_mail(
        "digest",
        words,
        recipient.address,
        words.say("mail.digest.subject", fields),
        intro=words.say("mail.digest.intro", fields),
        games=games,
        more=max(0, len(waiting) - MOST_GAMES),
        others=_games(services, recipient, waiting[MOST_GAMES:MOST_NAMED], _named),
        settings=of_mails,
        answers=to_nobody(services.config, words),
        is_key=True,
        unsubscribe_url=stop,
    )


def _games(
    services: Services,
    recipient: Recipient,
    ids: Sequence[str],
    told: Callable[[GameForReader, Recipient], Json],
) -> list[Json]:
    """The games of a digest. A game that cannot be shown here is left out, and does not keep the others back."""
    found = list[Json]()
    for game_id in ids:
        try:
            table = find(game_id)
            if table.game.is_known:
                game = GameForReader(services, table, recipient.player_id, recipient.language)
                found.append(told(game, recipient))
        except UnreadableLog as error:
            _log.error("failing", task="digest", cause=error.cause, **failure(error))
    return found


def _named(game: GameForReader, _recipient: Recipient) -> Json:
    return {"title": game.say("mail.digest.game"), "url": game.own_url}


def _told(game: GameForReader, recipient: Recipient) -> Json:
    services = game.services
    talk, since = unread_talk(game, game.holder), since_last_turn(services, game.answer)
    return {
        "title": game.say("mail.digest.game"),
        "due": deadline_words(game, recipient.zone),
        "prompt": game.drawing().prompt,
        "form": game.form_url,
        "url": game.own_url,
        "mails": purpose_link(services.config, "mails", game.holder.tenure),
        "since": since.lines[-MOST_LINES:],
        "last": since.last,
        "talk": UnreadTalk(talk.lines[-MOST_LINES:], talk.more or len(talk.lines) > MOST_LINES),
    }


def _waiting(player_id: str, now: int, most: int | None = None) -> Sequence[str]:
    """The ids of the games that wait for this player, the most urgent first.

    Games about which they want no emails are left out, and so are games whose emails were sent alone because they could
    not wait.
    """
    stopped = exists().where(
        Unsubscribed.player_id == player_id,
        Unsubscribed.game_key == Game.key,
        Unsubscribed.kind.in_(["", "turn", digests.KIND]),
    )
    alone = Seat.due.is_not(None) & (Seat.due < now + digests.TIME_TO_PLAY)
    alone &= exists().where(
        Outbox.tenure_id == Seat.tenure_id,
        Outbox.number == Seat.asked,
        Outbox.kind.in_(digests.BUNDLED),
        *(Outbox.outcome == "sent", Outbox.done_at > now - 2 * DAY),  # since the previous digest
    )
    mine = and_(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
    query = (
        select(Game.id)
        .join(Seat, Seat.game_key == Game.key)
        .join(Tenure, Tenure.id == Seat.tenure_id)
        .where(mine, Seat.waiting, Game.status == "running", Game.paused_at.is_(None), ~stopped)
        .where(is_listed(), ~alone)
        .order_by(Seat.due.nulls_last(), Seat.since, Seat.game_key)
        .limit(most)
    )
    return db.session.scalars(query).all()
