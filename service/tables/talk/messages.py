"""Messages at a table: listing, posting and hiding them. readers_and_writers.py says who may do so."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, insert, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, one_row, rows, transaction
from service.core.models.games import Game, Tenure
from service.core.models.people import Player
from service.core.models.talk import Channel, Message
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotSeated, NotSpectator, OtherMessage
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.words.words import Phrases
from service.log import changes
from service.log.table_rows.table import at_table, find
from service.people import players
from service.tables.before_start.table_setup import host_only
from service.tables.talk.readers_and_writers import Participant, participant

LONGEST_MESSAGE = 1000
"""The most characters of a message, counted as Unicode code points."""


class MessageRow(NamedTuple):
    """A message (see core/models/talk.py), with its seat and the kind of player who wrote it."""

    id: str
    channel: Channel
    number: int
    player_id: str | None
    tenure_id: str | None
    name: str | None
    text: str
    at: int
    hidden_at: int | None
    seat: int | None
    program: bool | None
    """Whether a program plays for the author, according to them; None for somebody who was erased."""


_MESSAGES = (
    select(*columns(MessageRow, Message.__table__, Tenure.__table__, Player.__table__))
    .outerjoin(Tenure, Tenure.id == Message.tenure_id)
    .outerjoin(Player, Player.id == Message.player_id)
)


def page(
    reader: Participant, words: Phrases, channel: Channel, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """A page of a channel, newest first, and the cursor of the next page, if there is one. Raises NotSeated,
    NotSpectator.
    """
    older = [Message.number < int(cursor)] if cursor else []
    query = (
        _MESSAGES.where(Message.game_key == reader.table.game.key, Message.channel == channel)
        .where(Message.at < reader.readable_until(channel), *older)
        .order_by(Message.number.desc())
        .limit(limit + 1)
    )
    found = rows(MessageRow, query)
    shown = [as_json(message, reader.player_id, words) for message in found[:limit]]
    return shown, str(found[limit - 1].number) if found[limit:] else None


def as_json(message: MessageRow, reader_id: str, words: Phrases) -> Json:
    """A message as the API shows it to this player; a hidden one has no text."""
    return {
        "id": message.id,
        "channel": message.channel,
        "number": message.number,
        "tenure": message.tenure_id,
        "seat": message.seat,
        "name": message.name or words.say("person.gone"),
        "program": bool(message.program),
        "you": message.player_id == reader_id,
        "at": rfc3339(message.at),
        "text": None if message.hidden_at else message.text,
        "hidden": message.hidden_at is not None,
    }


def get(reader: Participant, message_id: str) -> MessageRow:
    """A message that this participant may read, even if it is hidden. Raises NotFound."""
    at_table = Message.game_key == reader.table.game.key
    found = one_row(MessageRow, _MESSAGES.where(Message.id == message_id, at_table))
    try:
        if found is None or found.at >= reader.readable_until(found.channel):
            raise NotFound
    except (NotSeated, NotSpectator):
        raise NotFound from None
    return found


def find_other_person(participant: Participant, reference: Json) -> str:
    """The id of the other person who has this `tenure`, or who wrote this `message`, since clients never send ids of
    people.

    Raises NotFound.
    """
    if "message" in reference:
        found = get(participant, reference["message"]).player_id
    else:
        at_table = Tenure.game_key == participant.table.game.key
        whose = select(Tenure.player_id).where(Tenure.id == reference["tenure"], at_table)
        found = db.session.scalar(whose)
    if found is None or found == participant.player_id:  # None: a house player, or an erased person
        raise NotFound
    return found


def post(runtime: Runtime, game_id: str, player_id: str, body: Json) -> tuple[MessageRow, bool]:
    """Write `body["text"]` into `body["channel"]`; returns the message, and whether it is new.

    If `body["once"]` was used before, the earlier message is returned. Raises NotFound, NotSeated, NotSpectator,
    MayNotTalk, NotSignedIn, OtherMessage.
    """
    with transaction():
        writer = participant(find(game_id, lock=True), player_id)
        repeated = _find_own(writer, body["once"]) if "once" in body else None
        if repeated:
            if (repeated.channel, repeated.text) != (body["channel"], body["text"]):
                raise OtherMessage
            return repeated, False
        writer.check_may_write(body["channel"])
        players.prevent_erasure(player_id)
        row = _new_row(runtime, writer, players.get(player_id).name, body)
        db.session.execute(insert(Message).values(row))
        _note(runtime, writer, body["channel"])
        return get(writer, row["id"]), True


def is_said(game_id: str, player_id: str, once: str) -> bool:
    """Whether this player has already sent a message with this `once`."""
    return _find_own(participant(find(game_id), player_id), once) is not None


def _note(runtime: Runtime, writer: Participant, channel: Channel) -> None:
    """Notify the programs of the others at the table who may read this channel."""
    table = writer.table
    if channel == "seats" or table.game.status != "running":
        others = [each for each in table.people if each.player_id != writer.player_id]
        changes.note("message", at_table(runtime, table), others)


def _find_own(writer: Participant, once: str) -> MessageRow | None:
    own = _MESSAGES.where(Message.game_key == writer.table.game.key, Message.once == once)
    return one_row(MessageRow, own.where(Message.player_id == writer.player_id))


def _new_row(runtime: Runtime, writer: Participant, name: str, body: Json) -> Json:
    """The row of a new message.

    Its time is never before the last message or the last departure from the table, even if the clocks of two machines
    differ.
    """
    game, channel, seated = writer.table.game, body["channel"], writer.seated
    in_channel = (Message.game_key == game.key) & (Message.channel == channel)
    last = select(func.max(Message.number), func.max(Message.at)).where(in_channel)
    number, at = db.session.execute(last).one()
    left = select(func.max(Tenure.ended_at)).where(Tenure.game_key == game.key)
    return {
        "id": runtime.new_id("m"),
        "game_key": game.key,
        "channel": channel,
        "number": (number or 0) + 1,
        "player_id": writer.player_id,
        "tenure_id": seated and seated.tenure,
        "name": name,
        "text": body["text"],
        "once": body.get("once"),
        "at": max(runtime.now(), at or 0, db.session.scalar(left) or 0),
    }


def hide(runtime: Runtime, game_id: str, player_id: str, message_id: str) -> None:
    """As the host, hide a message from everybody; a placeholder stays. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        message = get(participant(table, player_id), message_id)
        host_only(table, player_id)
        mark_hidden(message.id, runtime.now())
        _note(runtime, participant(table, player_id), message.channel)


def mark_hidden(message_id: str, now: int) -> None:
    """Hide a message; only the operator can still see its text in the database. The caller owns the commit."""
    visible = update(Message).where(Message.id == message_id, Message.hidden_at.is_(None))
    db.session.execute(visible.values(hidden_at=now))


def exported(player_id: str) -> list[Json]:
    """The player's messages, for the export."""
    query = select(Game.id.label("game"), Message.channel, Message.at, Message.text)
    mine = query.join(Message, Message.game_key == Game.key).where(Message.player_id == player_id)
    return exported_rows(mine.order_by(Message.at, Message.id))


def erase(player_id: str, now: int) -> None:
    """Remove the author and the text from the player's messages; placeholders stay. The caller owns the commit."""
    mine = update(Message).where(Message.player_id == player_id)
    db.session.execute(mine.values(player_id=None, name=None, text="", once=None, hidden_at=now))
