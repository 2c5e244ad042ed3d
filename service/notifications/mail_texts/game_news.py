"""Mails about a game that ask for no move: it is over, something happened at the table, the seat was taken over."""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.mail import OutboxRow
from service.core.models.people import Vacation
from service.notifications.mail_texts import proposals, seat_links
from service.notifications.mail_texts.game_for_reader import GameForReader, find_game
from service.notifications.mail_texts.local_time import local_time
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_template
from service.outbox.recipients import Recipient
from service.outbox.unsubscribe_links import player_unsubscribe_link
from service.tables.services import Services
from service.tables.views import history_view
from service.tables.views.since_last_turn import since_last_turn


def render_over(services: Services, row: OutboxRow) -> Mail | None:
    """The game is over: the result, the last moves, the final table, links to look back."""
    found = find_game(services, row)
    if found is None or found[0].table.game.status != "over":
        return None
    game, recipient = found
    return _news_mail(
        services,
        row,
        game,
        recipient,
        "over",
        result=game.body["result"]["words"],
        scores=score_lines(game),
        record=f"{services.config.public_url}/api/games/{game.table.game.id}/record",
        since=since_last_turn(services.states, game.answer),
        table=game.drawing(),
    )


def score_lines(game: GameForReader) -> list[str]:
    """Everybody's score, by seat; empty for games without scores."""
    scores = zip(game.table.people, game.body["result"]["score_words"], strict=True)
    return [
        game.words.say("mail.over.seat", {"name": game.introduced(person), "score": score})
        for person, score in scores
        if score is not None
    ]


def render_news(services: Services, row: OutboxRow) -> Mail | None:
    """What happened that is not part of the rules: events of the log, and what the row's data names besides."""
    found = find_game(services, row)
    if found is None:
        return None
    every = [
        line for news in row.details["news"] for line in _news_lines(services, row, news, *found)
    ]
    lines = list(
        reversed(dict.fromkeys(reversed(every)))
    )  # what happened again is said where it happened last
    if not lines:
        return None
    return _news_mail(services, row, *found, "told", template="news", lines=lines, button=None)


def _news_lines(
    services: Services, row: OutboxRow, news: Json, game: GameForReader, recipient: Recipient
) -> list[str]:
    if "proposal" in news:
        return proposals.outcome_lines(game, news["proposal"])
    if game.answer.me is None and row.tenure_id is not None:  # given up since then
        return []
    if "vacation" in news:
        return _vacation_lines(game, recipient, news)
    events, _ = history_view.page(services.states, game.answer, news["event"] - 1, 1)
    return [line["words"] for event in events for line in event["lines"]]


def _vacation_lines(game: GameForReader, recipient: Recipient, news: Json) -> list[str]:
    """When the holder of a tenure is away; empty if the vacation was cancelled or the seat given up."""
    vacation = db.session.scalars(
        select(Vacation).where(Vacation.id == news["vacation"])
    ).one_or_none()
    names = {person.tenure: name for person, name in game.answer.seated}
    left = news["tenure"] not in names or game.table.game.status != "running"
    if vacation is None or left or vacation.ends_at <= game.services.runtime.now():
        return []
    fields = {
        "name": names[news["tenure"]],
        "first": local_time(vacation.begins_at, recipient.zone, game.words),
        "last": local_time(vacation.ends_at, recipient.zone, game.words),
    }
    return [game.words.say("mail.told.away", fields)]


def render_taken_over(services: Services, row: OutboxRow) -> Mail | None:
    """To somebody whose seat was given to a house player because of time-outs."""
    found = find_game(services, row)
    if found is None or found[0].answer.me is not None or found[0].table.game.status != "running":
        return None
    words = found[0].words
    tenure = seat_links.last_tenure(row.game_key, row.player_id)
    back = seat_links.seat_link(services.config, tenure) if tenure else found[0].url
    return _news_mail(
        services,
        row,
        *found,
        "taken-over",
        template="news",
        lines=[words.say("mail.taken-over.back")],
        url=back,
        button=words.say("seat.take-back"),
    )


def _news_mail(
    services: Services,
    row: OutboxRow,
    game: GameForReader,
    recipient: Recipient,
    kind: str,
    *,
    template: str = "",
    **values: object,
) -> Mail:
    subject = game.say(f"mail.{kind}.subject")
    text, html = render_template(
        template or kind,
        game.words,
        language=recipient.language,
        subject=subject,
        intro=game.say(f"mail.{kind}.intro", name=recipient.name),
        **{
            "url": game.own_url,
            "unsubscribe_url": player_unsubscribe_link(services.config, row),
            **values,
        },
    )
    return Mail(recipient.address, subject, text, html, game.table.game.id)
