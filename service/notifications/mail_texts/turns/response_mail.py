"""The response to an email from a player: its effect, what happened, and the present question.

It is sent to the player's own address, whoever wrote the email, and shows what their seat sees. Subject and preview
name no card.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.models.mail import OutboxRow
from service.log import event_log
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import GameForReader, ways_on
from service.notifications.mail_texts.message import Answers
from service.notifications.mail_texts.times import deadline_words
from service.notifications.mail_texts.turns import numbered_options, reply_address
from service.notifications.mail_texts.turns.unread_talk import unread_talk
from service.outbox.recipients import Recipient
from service.tables.drawing.action_narrowing import MOST_LISTED
from service.tables.views.history_view import since

_OF_QUESTION = {"confirm", "which", "step", "unknown", "declined"}
"""The responses that are useful only while the question is open."""
_BRIEF = {"confirm", "cut", "later"}
"""The responses that do not repeat the question."""
NOTES = ("rest", "more", "quoted")
"""The parts that were not said at the table: below a move, attached, or below a quote."""


def response(game: GameForReader, recipient: Recipient, row: OutboxRow) -> Json | None:
    """The contents of the response to an email from a player; None if there is nothing to say."""
    me, details = game.answer.me, row.details
    if not isinstance(me, Holder) or me.tenure != row.tenure_id:
        return None
    what, is_asked = details["what"], bool(game.body["legal"])
    if what in _OF_QUESTION and (not is_asked or me.asked != row.number):
        what = "stale"
    told = Told(game, me, recipient, details)
    return {
        "intro": game.say(f"mail.response.{what}"),
        "told": told.lines(what),
        "notes": [*told.how(what), *told.notes()],
        "confirming": told.confirming if what == "confirm" else None,
        "since": told.since(what),
        "due": deadline_words(game, recipient.zone) if is_asked and what not in _BRIEF else None,
        "talk": unread_talk(game, me) if what == "played" else None,
        "table": game.drawing() if what not in {"cut", "later"} else None,
        **told.choices(what if is_asked else "cut"),
        "asked": told.asked(what),
        "by_reply": True,
        "ways": ways_on(game),
        "unsubscribe_url": None,
        "answers": told.answers(what),
    }


class Told:
    """The contents of the email for one row of the outbox."""

    def __init__(
        self, game: GameForReader, me: Holder, recipient: Recipient, details: Json
    ) -> None:
        self._game, self._me, self._recipient, self._details = game, me, recipient, details

    @property
    def confirming(self) -> str:
        """The link that has the same effect as a confirming reply."""
        return self._game.choice(self._details["place"]).url

    def lines(self, what: str) -> list[str]:
        """The lines with the move in question, or with the choices made so far; empty if there are none."""
        game, details = self._game, self._details
        if what in {"played", "already"}:
            number = details["event"]
            (event,) = event_log.read(game.table.game.key, number - 1, number)
            return [game.answer.action(event["action"])] if event["kind"] == "action" else []
        if what == "confirm":
            return [str(game.body["legal"][details["place"]]["words"])]
        if what == "ordered":
            return [str(details["order"])]
        if what == "step":
            return [numbered_options.step(game, tuple(details["path"])).chosen]
        if what == "stale" and game.table.game.is_over:
            return [str(game.body["result"]["words"])]
        return []

    def asked(self, what: str) -> str | None:
        """The request in the subject; None if there is none."""
        if what == "confirm":
            return self._game.say("mail.response.confirm.asked")
        return None if what in _BRIEF else self._game.question

    def how(self, what: str) -> list[str]:
        """The lines about the next step; empty if none is needed."""
        game, key = self._game, f"mail.response.{what}.how"
        if what == "stale":
            is_asked, is_over = bool(game.body["legal"]), game.table.game.is_over
            key = "mail.response.asked.not"
            return [] if is_asked or is_over else [game.say(key)]
        if what in {"played", "already"}:
            return [] if self._game.body["legal"] else [game.say("mail.response.asked.not")]
        return [game.say(key)] if what in {"confirm", "which", "step"} else []

    def notes(self) -> list[str]:
        """The lines about the parts that were not said at the table."""
        found = (each for each in NOTES if self._details.get(each))
        return [self._game.say(f"mail.response.not-said.{each}") for each in found]

    def since(self, what: str) -> object:
        """The events from the played move on; None if no move was played."""
        if what != "played":
            return None
        found = since(self._game.services, self._game.answer, self._details["event"] - 1)
        return found._replace(own=True)

    def choices(self, what: str) -> Json:
        """The lines that offer the choices."""
        game, details = self._game, self._details
        if what in _BRIEF:
            return {"options": [], "goes_on": False, "question": ""}
        places = tuple(details.get("places", ())) if what == "which" else ()
        if places and len(places) <= MOST_LISTED:
            listed = numbered_options.whole(game, places)
            return {"options": listed, "goes_on": False, "question": ""}
        found = numbered_options.step(game, tuple(details["path"]) if what == "step" else ())
        asked = found.question if found.goes_on or what == "step" else ""
        return {"options": found.options, "goes_on": found.goes_on, "question": asked}

    def answers(self, what: str) -> Answers:
        """The address for replies; if a choice is to be confirmed, a reply to it plays the choice."""
        game, me, services = self._game, self._me, self._game.services
        config, to, called = services.config, self._recipient.address, game.say("mail.answer.to")
        place = self._details.get("place")
        if what == "confirm":
            given = (config, game.table, me.tenure, to, me.asked, place or 0)
            found = reply_address.confirming_address(*given)
        else:
            found = reply_address.reply_address(config, services.now(), me.tenure, to, me.asked)
        return Answers(called, found or to, are_read=True)
