"""A player's preferences: language, time zone, which emails are sent, and when reminders are due."""

from __future__ import annotations

from datetime import tzinfo

from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import UnknownTimeZone
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.time_zones import time_zone_of, time_zones
from service.outbox import digests, unsubscriptions
from service.outbox.causes.reminders import leads
from service.outbox.unsubscriptions import ALL_KINDS, Unsubscription
from service.people import players
from service.people.players import PlayerRow

MAIL_KINDS = (
    "turn",
    "reminder",
    "proposal",
    "over",
    "told",
    "taken-over",
    "before-start",
    "offer",
    "nudge",
    "standings",
    "digest",
)
"""The kinds of emails that players can turn off, as marked in service/notifications/mail_texts/kinds.py."""


CONFIRM_DEFAULT = "default"
CONFIRM_REPLIES = (CONFIRM_DEFAULT, "always", "never")
"""The preferences about confirming moves that are sent by email. By default, a move has to be confirmed if somebody
else may have sent it, or if it destroys something.
"""

FOR_COMPANY = "played"
SEEN_BY = (FOR_COMPANY, "everyone", "nobody")
"""The values for who else may see a player's ratings or page; by default, people who have played with the player
may.
"""


def as_json(player: PlayerRow) -> Json:
    """The preferences as the API shows them."""
    return {
        "language": player.language,
        "time_zone": player.time_zone or "UTC",
        "unwanted": unwanted_kinds(player.id),
        "reminders": leads(player.reminders),
        "quiet": player.quiet,
        "digest": player.digest,
        "confirm_replies": player.confirm_replies or CONFIRM_DEFAULT,
        "only_move": player.only_move,
        "ask_take_backs": not player.no_take_backs,
        "on_leaderboards": player.listed,
        "ratings_for": player.ratings_for or FOR_COMPANY,
        "page_for": player.page_for or FOR_COMPANY,
        "show_hours": player.shows_hours,
    }


def unwanted_kinds(player_id: str) -> list[str]:
    """The kinds of emails that the player has turned off for all games."""
    stopped = {each.kind for each in unsubscriptions.of_player(player_id) if not each.game_key}
    return [kind for kind in MAIL_KINDS if kind in stopped or ALL_KINDS in stopped]


def time_zone(player: PlayerRow) -> tzinfo:
    """The player's time zone; UTC if none was chosen."""
    return time_zone_of(player.time_zone)


def change(runtime: Runtime, player_id: str, changes: Json) -> PlayerRow:
    """Change the preferences in `changes`; return the player's row after that.

    Raises UnknownTimeZone if there is no such time zone.
    """
    if changes.get("time_zone", "UTC") not in time_zones():
        raise UnknownTimeZone
    values = _columns(changes)
    with transaction():
        if "unwanted" in changes:  # emails turned off for a single game stay off
            for each in unsubscriptions.of_player(player_id):
                if not each.game_key:
                    unsubscriptions.resubscribe(player_id, each)
            for kind in changes["unwanted"]:
                unsubscriptions.unsubscribe(runtime, player_id, Unsubscription(kind))
        if values:
            players.update_row(player_id, values)
        if changes.get("digest"):  # a person who wants digests at this hour has not stopped them
            unsubscriptions.resubscribe(player_id, Unsubscription(digests.KIND))
        if changes.keys() & {"digest", "time_zone"}:
            digests.plan_anew(runtime, player_id)
        return players.get(player_id)


def _columns(changes: Json) -> Json:
    """The changes of preferences that are columns of the player's row."""
    columns = ("language", "time_zone", "reminders", "quiet", "digest", "confirm_replies")
    values: Json = {name: changes[name] for name in columns if name in changes}
    if values.get("confirm_replies") == CONFIRM_DEFAULT:
        values["confirm_replies"] = None
    if "on_leaderboards" in changes:
        values["listed"] = changes["on_leaderboards"]
    if "show_hours" in changes:
        values["shows_hours"] = changes["show_hours"]
    for name in changes.keys() & {"ratings_for", "page_for"}:
        values[name] = None if changes[name] == FOR_COMPANY else changes[name]
    if "ask_take_backs" in changes:
        values["no_take_backs"] = not changes["ask_take_backs"]
    if "reminders" in values:
        values["reminders"] = sorted(values["reminders"], reverse=True)
    return values
