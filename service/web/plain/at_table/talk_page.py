"""Talk at a table without scripts: reading and writing."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.people.accounts import accounts
from service.tables.talk import messages, read_marks
from service.tables.talk.readers_and_writers import CHANNELS, participant
from service.tables.views.people_names import bare_name
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller_id, refuse_silent_guests, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import PlainTalkQuery, Saying
from service.web.plain.forms.sent_once import new_key
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_talk")

PAGE = 30
"""The number of messages of a channel on one page."""


@bp.get("/games/<game:game_id>/talk")
@parse_query(PlainTalkQuery)
def get_plain_talk(query: Json, game_id: str) -> Response:
    """Show the latest messages of each channel; with a channel and a cursor, the messages before these.

    Raises NotSignedIn, NotFound.
    """
    player_id, game = caller_id(), PlainGame(game_id)
    reader = participant(game.table, player_id)
    overview = read_marks.overview(reader, game.words)
    wanted = [query["channel"]] if "channel" in query else CHANNELS
    cursor = query.get("cursor") if "channel" in query else None
    channels = []
    for channel in wanted:
        if overview[channel]["reads"]:
            found, following = messages.page(reader, game.words, channel, cursor, PAGE)
            shown = {"name": channel, "messages": found, "next": seal(following)}
            channels.append({**shown, "writes": overview[channel]["writes"]})
    if "channel" in query and not channels:
        raise NotFound
    shown = {"rule": overview["rule"], "channels": channels, "others": others(game, channels)}
    shown["can_follow"] = accounts.address_of(player_id) is not None
    return game.page("talk.html", **shown, new_key=new_key)


def others(game: PlainGame, channels: list[Json]) -> dict[str, Json]:
    """The people whom the reader can block, by name: the others at the table, and the authors of the messages on the
    page.
    """
    people = [each for each in game.table.people if each.player_id and each is not game.answer.me]
    present = {each.tenure for each in people}
    said = [message for channel in channels for message in channel["messages"]]
    said = [each for each in said if not each["you"] and each["tenure"] not in present]
    here: Json = {"game": game.table.game.id}
    found = {each["name"]: {**here, "message": each["id"]} for each in said}
    found.pop(game.words.say("person.gone"), None)
    names = [bare_name(each, game.words) for each in people]
    return found | {
        name: {**here, "tenure": each.tenure} for name, each in zip(names, people, strict=True)
    }


@bp.post("/games/<game:game_id>/talk")
@limited("messages")
@signed_in_by_cookie
@parse_form(Saying)
def say_plainly(body: Json, game_id: str) -> Response:
    """Post a message, and store that the channel has been read.

    Raises NotSignedIn, NotFound, MayNotTalk and so on.
    """
    visible_table(game_id)
    refuse_silent_guests()
    row, _ = messages.post(current_services(), game_id, caller_id(), body)
    read_marks.mark_read(game_id, caller_id(), row.channel, row.number)
    return see(f"/plain/games/{game_id}/talk")
