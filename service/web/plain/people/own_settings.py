"""Settings without scripts: language, time zone, emails, a new secret link, and registration."""

from __future__ import annotations

from flask import Blueprint, Response, g

from rules.kernel import Json
from service.core.models.people import Account
from service.core.runtime.problems import InvalidQuietHours, WrongKey
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import MINUTE
from service.core.words.words import duration, phrases
from service.notifications.mail_sending.waiting import verification_until
from service.outbox.addresses import undelivered
from service.outbox.causes import reminders
from service.people import players
from service.people.accounts import accounts, preferences
from service.people.credentials import credentials
from service.tables.clocks import quiet_hours
from service.tables.play.orders import only_moves
from service.web.http.caller.caller import caller_id, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.caller.sign_in_cookie import remember_browser
from service.web.http.limits.mailing import register
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import LEADS, MAIL_BOXES, MOST_LEADS, OwnSettings
from service.web.plain.forms.pasted_links import page_of, read_key
from service.web.plain.people.entrance import link_page
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_me")


@bp.get("/me")
def get_plain_settings() -> Response:
    """Show the reader's settings. Raises NotSignedIn."""
    player = players.get(caller_id())
    account = accounts.find(player.id)
    until = verification_until(current_services(), account) if account else None
    return plain_page(
        "settings.html",
        me=preferences.as_json(player),
        account=account,
        undelivered=known_of(account) if account else [],
        waits_until=until and rfc3339(until),
        mail_boxes=MAIL_BOXES,
        reminders=reminder_boxes(player),
        ratings_for=preferences.SEEN_BY,
        number=account and accounts.verification_number(current_services().config, account),
    )


def known_of(account: Account) -> list[tuple[str, Json]]:
    """What is known about undelivered mail: the reasons why no mail reaches the verified address, and the address that
    is not verified yet.
    """
    config, pending = current_services().config, account.pending
    known = undelivered.known(config, pending) if pending else None
    found = [(account.address, account.undelivered, account.undelivered_at)]
    found += [(pending, known.why, known.since)] if known else []
    return [
        (why, {"address": address, "since": rfc3339(since)})
        for address, why, since in found
        if address and why and since is not None
    ]


def reminder_boxes(player: players.PlayerRow) -> list[tuple[str, str, bool]]:
    """The boxes for reminders, each with its words and whether it is ticked."""
    words, chosen = phrases(player.language), reminders.leads(player.reminders)
    return [
        (
            box,
            words.say("page.mail-settings.reminder", {"time": duration(lead * MINUTE, words)}),
            lead in chosen,
        )
        for box, lead in LEADS.items()
    ]


@bp.post("/me")
@limited("passwords")
@signed_in_by_cookie
@parse_form(OwnSettings)
def change_plain_settings(body: Json) -> Response:
    """Change settings, or register. A new secret link is shown only in this response, and the old one ends.

    Raises NotSignedIn, WrongKey.
    """
    services, player = current_services(), signed_in_caller()
    if body["do"] == "link":
        return link_page(credentials.replace_link(services, player.id), "/plain/me")
    if body["do"] == "verify":
        page = page_of(body["link"])
        if page is not None:
            return see(page)
        purpose, key = read_key(body["link"])
        if purpose != "verify":
            raise WrongKey
        accounts.verify_address(services, services.config, player, key)
    if body["do"] == "register":
        register(player, body)
        return remember_browser(see("/plain/me"), player.id, player.credential)
    if body["do"] == "only-move":
        only_moves.set_everywhere(services, player.id, "only_move" in body)
    if body["do"] == "ratings":
        listed = "on_leaderboards" in body
        wish: Json = {"ratings_for": body["ratings_for"], "on_leaderboards": listed}
        preferences.change(services, player.id, wish)
    if body["do"] == "mails":
        preferences.change(services, player.id, _mails(player.id, body))
    if body["do"] == "language":
        wish = {name: body[name] for name in ("language", "time_zone") if name in body}
        g.language = preferences.change(services, player.id, wish).language
    return see("/plain/me")


def _mails(player_id: str, body: Json) -> Json:
    """The settings about mail in the form; guests receive none, but may have quiet hours.

    Raises InvalidQuietHours.
    """
    quiet = f"{body['quiet_from']}-{body['quiet_until']}" if "quiet_from" in body else None
    if quiet is not None and not quiet_hours.is_allowed(quiet):
        raise InvalidQuietHours
    for_all: Json = {"quiet": quiet, "ask_take_backs": "no_take_backs" not in body}
    if accounts.find(player_id) is None:
        return for_all
    others = [
        kind for kind in preferences.unwanted_kinds(player_id) if kind not in MAIL_BOXES.values()
    ]
    unwanted = others + [kind for box, kind in MAIL_BOXES.items() if box not in body]
    # what was chosen elsewhere and has no box here stays, if there is room for it
    mine = reminders.leads(players.get(player_id).reminders)
    leads = [lead for box, lead in LEADS.items() if box in body]
    leads += [lead for lead in mine if lead not in LEADS.values()]
    wish = {**for_all, "digest": body.get("digest"), "unwanted": unwanted}
    wish |= {name: body[name] for name in ("confirm_replies",) if name in body}
    return wish if sorted(leads) == sorted(mine) else {**wish, "reminders": leads[:MOST_LEADS]}
