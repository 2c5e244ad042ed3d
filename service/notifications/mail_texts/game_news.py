"""Emails about a game that ask for no move: the game is over, something happened at the table, or a seat was taken
over.
"""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.mail import OutboxRow
from service.core.models.people import Vacation
from service.log.table_rows.table import Holder
from service.notifications.mail_texts import mail_links, proposals
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.times import local_time
from service.notifications.mail_texts.turns.unread_talk import NO_TALK, unread_talk
from service.outbox.recipients import Recipient
from service.tables.views import history_view
from service.tables.views.orders import orders_view


def over(game: GameForReader, _recipient: Recipient, _row: OutboxRow) -> Json | None:
    """The contents of the email at the end of a game: result, talk, last moves, final table, and links for looking
    back.

    None if the game is not over.
    """
    if not game.table.game.is_over:
        return None
    me = game.answer.me
    return {
        "result": game.body["result"]["words"],
        "scores": score_lines(game),
        "talk": unread_talk(game, me) if isinstance(me, Holder) else NO_TALK,
        **_after_the_end(game),
        "since": history_view.since_last_turn(game.services, game.answer),
        "table": game.drawing(),
    }


def _after_the_end(game: GameForReader) -> Json:
    """The addresses of the game's first event and of its record, which work without signing in."""
    me, config = game.answer.me, game.services.config
    if me is None:
        page = f"{config.public_url}/api/games/{game.table.game.id}/record"
        return {"url": game.url, "record": page, "rematch": None}
    record = mail_links.purpose_link(config, "records", me.tenure)
    rematch = mail_links.purpose_link(config, "rematches", me.tenure)
    return {"url": f"{game.own_url}?event=1", "record": record, "rematch": rematch}


def score_lines(game: GameForReader) -> list[str]:
    """Each player's score, by seat; empty for games without scores."""
    scores = zip(game.table.people, game.body["result"]["score_words"], strict=True)
    return [
        game.words.say("mail.over.seat", {"name": game.introduced(person), "score": score})
        for person, score in scores
        if score is not None
    ]


def news(game: GameForReader, recipient: Recipient, row: OutboxRow) -> Json | None:
    """The contents of the email with news outside the rules: events of the log, and further news in the row's data.

    None if there is nothing to say.
    """
    found = (_news_lines(game, recipient, row, each) for each in row.details["news"])
    every = [line for lines in found for line in lines]
    # News that is repeated is told where it happened last.
    last = list(dict.fromkeys(reversed(every)))[::-1]
    return {"lines": last, "button": None} if last else None


def _news_lines(game: GameForReader, recipient: Recipient, row: OutboxRow, news: Json) -> list[str]:
    if "proposal" in news:
        return proposals.outcome_lines(game, news["proposal"])
    if game.answer.me is None and row.tenure_id is not None:  # the seat was given up since then
        return []
    if "vacation" in news:
        return _vacation_lines(game, recipient, news)
    events = history_view.page(game.services, game.answer, news["event"] - 1, 1).events
    return [line["words"] for event in events for line in event["lines"]]


def _vacation_lines(game: GameForReader, recipient: Recipient, news: Json) -> list[str]:
    """The lines about a planned vacation; empty if the vacation was cancelled or the seat given up."""
    vacation = db.session.scalar(select(Vacation).where(Vacation.id == news["vacation"]))
    names = {person.tenure: name for person, name in game.answer.seated}
    left = news["tenure"] not in names or game.table.game.status != "running"
    if vacation is None or left or vacation.ends_at <= game.services.now():
        return []
    fields = {
        "name": names[news["tenure"]],
        "first": local_time(vacation.begins_at, recipient.zone, game.words),
        "last": local_time(vacation.ends_at, recipient.zone, game.words),
    }
    return [game.words.say("mail.told.away", fields)]


def taken_over(game: GameForReader, _recipient: Recipient, row: OutboxRow) -> Json | None:
    """The contents of the email to a person whose seat a house player took over because of time-outs; None if
    outdated.
    """
    if game.answer.me is not None or game.table.game.status != "running":
        return None
    mine = (Tenure.game_key == row.game_key) & (Tenure.player_id == row.player_id)
    last = select(Tenure.id).where(mine).order_by(Tenure.place.desc()).limit(1)
    tenure = db.session.scalar(last)
    return {
        "lines": [
            *orders_view.lost_with(game.answer, tenure),
            game.words.say("mail.taken-over.back"),
        ],
        "url": mail_links.seat_link(game.services.config, tenure) if tenure else game.url,
        "button": game.words.say("seat.take-back"),
        "is_key": True,
        "is_seated": False,
    }
