"""Mails about games that have not started: the table expired, the host removed somebody, an invitation was declined."""

from __future__ import annotations

from service.core.models.mail import OutboxRow
from service.core.words.words import phrases
from service.notifications.mail_texts.game_for_reader import table_url
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import short_mail
from service.outbox import recipients
from service.outbox.unsubscribe_links import player_unsubscribe_link
from service.people.names import harmless
from service.tables.before_start import invitations
from service.tables.services import Services
from service.tables.views.people_names import name_of


def render_before_start(services: Services, row: OutboxRow) -> Mail | None:
    """What happened, and where to go from here; the table may have been deleted, so the row describes it."""
    recipient, what = recipients.find(row.player_id), row.details["what"]
    if recipient is None:
        return None
    # a mail that was queued before this update names no version
    played = row.details["ruleset"], row.details.get("version")
    words = phrases(recipient.language, *played)
    fields = {"name": harmless(recipient.name), "game": words.say("name")}
    button = (words.say("page.to.lobby"), f"{services.config.public_url}/")
    if what == "declined":
        found = invitations.find_declined(row.details["about"])
        if found is None:  # the game has started
            return None
        # an address is shown only to the person who entered it
        address = found.address if found.inviter_id == recipient.player_id else None
        name = name_of(harmless(found.name), found.program, words) if found.name else address
        fields["whom"] = name or words.say("mail.before-start.somebody")
        button = (words.say("mail.open"), table_url(services.config, row.details["game"]))
    return short_mail(
        recipient.language,
        to=recipient.address,
        subject=words.say(f"mail.before-start.{what}.subject", fields),
        paragraphs=[words.say(f"mail.before-start.{what}", fields)],
        button=button,
        thread=row.details["game"],
        unsubscribe_url=player_unsubscribe_link(services.config, row),
    )
