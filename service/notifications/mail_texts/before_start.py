"""Emails about games that have not started: invitations, and news of a table, a person or an invitation there.

Invitations go to addresses that players entered, to players who are asked for a rematch, and to players who are invited
by somebody whom they follow.
"""

from __future__ import annotations

from typing import NamedTuple

from service.core.models.mail import OutboxRow
from service.core.runtime.problems import NotFound
from service.core.words.words import Phrases, phrases
from service.log.table_rows.private_tables import mailed_key
from service.log.table_rows.table import Table, find
from service.notifications.mail_texts.answers import to_nobody
from service.notifications.mail_texts.game_for_reader import table_url
from service.notifications.mail_texts.mail_links import offer_link, table_link
from service.notifications.mail_texts.message import Mail
from service.notifications.mail_texts.templating import render_mail
from service.outbox import recipients
from service.outbox.unsubscriptions import address_unsubscribe_link, player_unsubscribe_link
from service.people import players
from service.people.accounts import accounts
from service.people.circles import blocks
from service.people.names import harmless
from service.tables.before_start import invitations
from service.tables.clocks import paces
from service.tables.services import Services
from service.tables.views.people_names import name_of
from service.tables.views.rulesets.rules_page_view import page_path
from service.tables.views.rulesets.ruleset_view import summary


def is_open(_services: Services, row: OutboxRow) -> bool:
    """Whether the invitation was neither declined nor withdrawn, and the game has not started."""
    return invitations.find_one(row.details["invitation"]) is not None


def render_invitation(services: Services, row: OutboxRow) -> Mail | None:
    """The invitation to `row.address`; None if it is not wanted.

    If a player has that address, their language and blocks apply.
    """
    assert row.address is not None
    account = accounts.find_by_login(row.address)
    if account is not None and _is_unwanted(row, account.player_id):
        return None
    language = players.get(account.player_id).language if account else row.details["language"]
    unsubscribe_url = address_unsubscribe_link(services.config, row.address)
    player_id = account.player_id if account else None
    to = Invited(row.address, language, player_id)
    return _invitation_mail(services, row, to, unsubscribe_url)


def note_owner(services: Services, row: OutboxRow) -> None:
    """Notify the programs of the player with this address, if there is such a player.

    The inviter never learns whether there is one.
    """
    account = accounts.find_by_login(row.address or "")
    if account is not None:
        invitations.note_invited(services, row.details["invitation"], account.player_id)


def render_offer(services: Services, row: OutboxRow) -> Mail | None:
    """The offer of a rematch, or of a game, to player `row.player_id`, for whom a place is reserved; None if it is not
    wanted.
    """
    recipient = recipients.find(row.player_id)
    if recipient is None or _is_unwanted(row, row.player):
        return None
    unsubscribe_url = player_unsubscribe_link(services.config, row)
    to = Invited(recipient.address, recipient.language, row.player)
    return _invitation_mail(services, row, to, unsubscribe_url)


def _is_unwanted(row: OutboxRow, player_id: str) -> bool:
    """Whether this player rejects the invitation because of its sender or the people who sit there."""
    found = invitations.find_one(row.details["invitation"])
    if found is None:
        return False
    return blocks.is_unwanted(find(found.game_id), found.inviter_id, player_id)


class Invited(NamedTuple):
    """The recipient of an invitation. A player can sit down by its link without signing in."""

    address: str
    language: str
    player_id: str | None


def _invitation_mail(
    services: Services, row: OutboxRow, to: Invited, unsubscribe_url: str
) -> Mail | None:
    language, player_id = to.language, to.player_id
    found = invitations.find_one(row.details["invitation"])
    table = find(row.details["game"]) if found else None
    if found is None or table is None or table.full:
        return None
    config, game, by = services.config, table.game, players.get(found.inviter_id)
    words = phrases(language, game.ruleset, game.version)
    inviter = name_of(harmless(by.name), by.program, words)
    ruleset = summary(game.ruleset, language, game.version)
    fields = {"name": inviter, "game": ruleset["name"]}
    said = row.kind if row.details.get("again", True) else "named"
    if player_id is None:  # a person who comes with the key has proven the address
        key = mailed_key(found.id, config.secret_key)
        url = f"{config.public_url}/invited/{game.id}/{key}"
    else:
        url = offer_link(config, game.id, found.id, player_id)
    return render_mail(
        "invitation",
        words,
        to.address,
        words.say(f"mail.{said}.subject", fields),
        intro=words.say(f"mail.{said}.intro", fields),
        summary=ruleset["summary"],
        terms=table_terms(table, words),
        by_address=row.kind == "invitation",
        inviter=inviter,
        unsubscribe_url=unsubscribe_url,
        url=url,
        ratings=f"{config.public_url}/ratings" if game.rated else None,
        rules=config.public_url + page_path(game.ruleset, game.version, language),
        decline=invitations.decline_link(config, found.id),
        thread=game.id,
        answers=to_nobody(config, words),
        is_key=player_id is not None,
        is_seated=False,
    )


def table_terms(table: Table, words: Phrases) -> list[str]:
    """The terms of the table: length and pace, what happens when somebody's time runs out, and whether it is rated."""
    game = table.game
    lengths = table.ruleset.looks.lengths(game.players)
    fitting = [each for each in lengths if each.options.items() <= game.options.items()]
    length = max(fitting, key=lambda each: len(each.options), default=None)
    pace = paces.shown(paces.loaded(game.pace), words, game.rest)
    fields = {"n": length.decisions if length else None, "pace": pace["detail"]}
    terms = [words.say("mail.invitation.length", fields)] if length else []
    terms.append(words.say("mail.invitation.pace", fields))
    if pace["kind"] != "none":
        few = {0: "page.time.takeover.never", 1: "page.time.takeover.once"}
        takeover = words.say(few.get(game.takeover, "page.time.takeover"), {"n": game.takeover})
        terms += [words.say("mail.invitation.late"), takeover]
    if game.rated:
        terms.append(words.say("page.rated.what"))
    return terms


def is_live(row: OutboxRow) -> bool:
    """Whether the email says that others wait at a live table; an hour later they do not."""
    return bool(row.details["what"] == "live")


def render_before_start(services: Services, row: OutboxRow) -> Mail | None:
    """The email with the news and the next step; None if it is not to be sent.

    The table may have been deleted, so the row describes it.
    """
    recipient, what = recipients.find(row.player_id), row.details["what"]
    if recipient is None:
        return None
    # An email that was queued before this update names no version.
    played = row.details["ruleset"], row.details.get("version")
    words = phrases(recipient.language, *played)
    fields = {"name": harmless(recipient.name), "game": words.say("name")}
    button, me = (words.say("page.to.lobby"), f"{services.config.public_url}/"), None
    if what == "declined":
        found = invitations.find_one(row.details["about"], declined=True)
        if found is None:  # the game has started
            return None
        # An address is shown only to the person who entered it.
        address = found.address if found.inviter_id == recipient.player_id else None
        name = name_of(harmless(found.name), found.program, words) if found.name else address
        fields["whom"] = name or words.say("mail.before-start.somebody")
        table = find(row.details["game"])
        me = table.person(recipient.player_id)
        url = table_url(services.config, table.game.id)
        button = (words.say("mail.open"), table_link(services.config, me) if me else url)
    if is_live(row):
        try:
            table = find(row.details["game"])
        except NotFound:
            return None
        if table.game.status != "open" or table.full:
            return None
        button = (words.say("mail.open"), table_url(services.config, table.game.id))
    return render_mail(
        *("short", words, recipient.address),
        words.say(f"mail.before-start.{what}.subject", fields),
        paragraphs=[words.say(f"mail.before-start.{what}", fields)],
        button=button,
        thread=row.details["game"],
        answers=to_nobody(services.config, words),
        is_key=me is not None,
        unsubscribe_url=player_unsubscribe_link(services.config, row),
    )
