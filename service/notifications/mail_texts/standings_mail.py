"""The mail with the standings of a series: the reader's place, and the best."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kernel import Json
from service.core.models.mail import OutboxRow
from service.core.words.words import Phrases, phrases
from service.notifications.mail_texts.answers import to_nobody
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.notifications.mail_texts.times import local_time
from service.outbox import recipients
from service.outbox.recipients import Recipient
from service.outbox.unsubscriptions import player_unsubscribe_link
from service.people.circles.series import standings_mails
from service.people.circles.series.series import SeriesRow
from service.people.names import harmless
from service.tables.services import Services
from service.tables.views.series import series_view

MOST_NAMED = 10
"""The most people in the mail; the page of the series has all."""


def is_current(_services: Services, row: OutboxRow) -> bool:
    """Whether the reader still plays in the series, and it is not over yet, or over as the mail says."""
    return standings_mails.about(row.details, row.player) is not None


def page(row: OutboxRow) -> str:
    """The path of the series."""
    return f"/series/{row.details['series']}"


def render_standings(services: Services, row: OutboxRow) -> Mail | None:
    """The standings as they are when the mail is sent."""
    recipient, series = (
        recipients.find(row.player_id),
        standings_mails.about(row.details, row.player),
    )
    if recipient is None or series is None:
        return None
    words, config = phrases(recipient.language), services.config
    fields = {"series": harmless(series.name), "season": series.season}
    return render_mail(
        *("news", words, recipient.address, words.say("mail.standings.subject", fields)),
        intro=_intro(series, recipient, words),
        lines=lines(_standings(series, recipient), words),
        button=words.say("mail.standings.button"),
        url=f"{config.public_url}{_path(series)}",
        thread=series.id,
        answers=to_nobody(config, words),
        unsubscribe_url=player_unsubscribe_link(config, row),
    )


def _path(series: SeriesRow) -> str:
    """The series; the list that leads to it if only members see it, since emails are read where nobody is signed in."""
    return f"/series/{series.id}" if series.circle_key is None else "/series"


def _intro(series: SeriesRow, recipient: Recipient, words: Phrases) -> str:
    fields = {"name": harmless(recipient.name), "round": series.round}
    if series.status == "over":
        return words.say("mail.standings.over", fields)
    fields["time"] = local_time(series.ends_at, recipient.zone, words)
    return words.say("mail.standings.running", fields)


def _standings(series: SeriesRow, recipient: Recipient) -> list[Json]:
    shown = series_view.whole(series, recipient.player_id, recipient.language)
    return list(shown["standings"])


def lines(standings: Sequence[Json], words: Phrases) -> list[str]:
    """The reader's place, then the best, of whom there may be more."""
    own = next(each for each in standings if each["you"])
    best = standings[:MOST_NAMED]
    said = [
        words.say("mail.standings.own", {**own, "points": _whole(own), "n": len(standings)}),
        *(words.say("mail.standings.line", _fields(each)) for each in best),
    ]
    more = len(standings) - len(best)
    return [*said, words.say("mail.standings.more", {"n": more})] if more else said


def _fields(standing: Json) -> Json:
    return {**standing, "name": harmless(standing["name"]), "points": _whole(standing)}


def _whole(standing: Json) -> float:
    """The points; whole ones without decimals."""
    points: float = standing["points"]
    return int(points) if points == int(points) else points
