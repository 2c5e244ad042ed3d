"""An answer to a mail of a table: it plays what it orders, and anything else is said at the table.

A move is played by the same use case and the same rule as by a link: it answers the question that the mail asked, by
whoever holds the seat. What is said is said as on the page, with its mutes and blocks.

1. A number on the first line, or an action in its own words or by its cards, is played, and answered by mail with what
   happened and what is asked now.
2. If the player wants to confirm, or the mail server cannot tell that the mail is theirs, a mail asks for it: only who
   reads that can confirm.
3. What names an action and says more, or may mean several, is answered with these actions.
4. What is about a question that is not asked any more is answered with the present one.
5. Anything else is said, and so is whatever follows `talk:`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import StrEnum

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.runtime.problems import NotFound, Problem, TooManyRequests
from service.core.runtime.units import HOUR
from service.core.settings.config import Config
from service.core.words.words import phrases
from service.notifications.incoming_mail import orders, said_text
from service.notifications.incoming_mail.orders import NOT_CLEAR, Order, Question
from service.notifications.incoming_mail.reading.answer_text import Written, written
from service.notifications.incoming_mail.reading.authenticity import is_authentic
from service.notifications.incoming_mail.reading.message import ReceivedMail, Refused
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import HandedOver
from service.notifications.mail_texts.message import sender_address
from service.notifications.mail_texts.turns import numbered_options, reply_address
from service.notifications.mail_texts.turns.reply_address import Answering
from service.outbox.addresses import addresses, own_addresses
from service.outbox.causes import responses
from service.people import players
from service.tables.drawing.action_narrowing import MOST_LISTED
from service.tables.play import moves
from service.tables.services import Services

READ = Limit("mails of a player that are read", 240, HOUR)
"""Whatever they say: to find out takes the table of then and all that could be chosen."""
BY_MAIL = Limit("messages by mail", 30, HOUR)
"""Of one player, across all tables; one over it waits at the mail server, which tries again."""
MOVES_BY_MAIL = Limit("moves by mail", 120, HOUR)
"""The same for replies that play, or are answered by mail."""
DOUBTFUL_BY_MAIL = Limit("moves by mail that may be somebody else's", 60, HOUR)
"""The same for those that are not certain to be the player's, so that nobody uses up what is for them."""


class Outcome(StrEnum):
    """What became of a message. `IGNORED`: a program has sent it."""

    SAID = "said"
    PLAYED = "played"
    ANSWERED = "answered"
    IGNORED = "ignored"


def receive(services: Services, received: ReceivedMail) -> Outcome:
    """Do what a message orders, or say what it says; what became of it. Raises Refused."""
    if received.is_automatic:
        return Outcome.IGNORED
    answering = _who_answers(services, received)
    language = players.get(answering.player_id).language
    try:
        if not received.sender:
            raise Refused(os.EX_NOPERM, "answer.other-sender")
        _count(services, answering, READ)
        text = written(received.text(), marks(services.config))
        if not text.text:
            raise Refused(os.EX_DATAERR, "answer.nothing-above")
        services = replace(services, cause=lambda: answering.player_id)
        return Reply(services, received, answering, language, text).outcome()
    except Refused as refused:
        raise Refused(refused.code, refused.why, language) from None


def _who_answers(services: Services, received: ReceivedMail) -> Answering:
    """Who has been given the address to which the message was sent."""
    config, now = services.config, services.now()
    tokens = [own_addresses.token_in(config, each) for each in received.recipients]
    try:
        return reply_address.read_token(config, now, next(filter(None, tokens), ""))
    except HandedOver:
        raise Refused(os.EX_NOUSER, "answer.handed-over") from None
    except NotFound:
        raise Refused(os.EX_NOUSER, "answer.no-address") from None


def _count(services: Services, answering: Answering, limit: Limit) -> None:
    """Count the message. Raises Refused if there were too many, which the player is told once an hour."""
    attempt = Attempt(limit, answering.player_id)
    try:
        attempt_counts.count(services, services.config.secret_key, [attempt])
    except TooManyRequests:
        # the mail server keeps the mail, and says nothing
        _tell_once_an_hour(services, answering, "later")
        raise Refused(os.EX_TEMPFAIL, "answer.too-many") from None


def _tell_once_an_hour(
    services: Services, answering: Answering, what: responses.Response, **more: object
) -> None:
    """Answer by mail, but not each time: a program that answers would be answered for ever."""
    once = f"{what} {services.now() // HOUR}"
    responses.put(services, answering.table, answering.person, once, what, **more)


def marks(config: Config) -> list[str]:
    """What stands in our mails, and in no answer: who sends them, where answers go, our links, the line above all."""
    ours, _, domain = (config.incoming_mail or "").partition("@")
    receiver = f"@{domain}" if ours == "*" else f"{ours}+"
    lines = [phrases(language).say("mail.answer.above") for language in ("en", "ja")]
    links = [f"{config.public_url}/{path}/" for path in ("moves", "tables", "unsubscribe")]
    return [sender_address(config), receiver, *lines, *links]


@dataclass(frozen=True)
class Reply:
    """A message of somebody who holds a seat, or says so."""

    services: Services
    received: ReceivedMail
    answering: Answering
    language: str
    text: Written

    @property
    def is_own(self) -> bool:
        """Whether it says that it is from where the mail went."""
        sender, address = self.received.sender, self.answering.address
        return addresses.counted(sender) == addresses.counted(address)

    @property
    def is_certain(self) -> bool:
        """Whether the mail server can tell that it is."""
        headers = self.received.all("Authentication-Results")
        sender, trusted = self.received.sender, self.services.config.authserv_id
        is_same = addresses.mailbox(sender) == addresses.mailbox(self.answering.address)
        return is_same and is_authentic(headers, trusted, sender)

    @property
    def once(self) -> str:
        """The same for each copy of the message; without a Message-ID, for the same text."""
        return self.received.id or self.received.text()

    def outcome(self) -> Outcome:
        """Play, ask or say. Raises Refused."""
        talk = orders.to_be_said(self.text.text)
        if talk is not None:
            return self._say(talk)
        game, answering = self._game(), self.answering
        now = then = orders.none_of(game)
        if game.table.game.number:
            now = orders.present(self.services, game)
            if not now.legal or answering.asked != answering.person.asked:
                then = orders.of_then(self.services, game, answering.asked)
        questions = [then, now] if then.legal else [now]
        order = orders.find_order(self.text, questions, answering.confirms is not None)
        if order is None:
            return self._say(self.text.text)
        if not order.surely:
            if not self.is_own:
                raise Refused(os.EX_NOPERM, "answer.other-sender")
            said_text.refuse_quotes(game, self.text.text)
        return self._obey(game, order, then)

    def _game(self) -> GameForReader:
        return GameForReader(
            self.services, self.answering.table, self.answering.player_id, self.language
        )

    def _obey(self, game: GameForReader, order: Order, then: Question) -> Outcome:
        """Play what is ordered, or ask about it."""
        answering = self.answering
        if responses.is_put(answering.tenure, self.once):
            return Outcome.ANSWERED
        is_theirs = self.is_certain or order.confirmed
        _count(self.services, answering, MOVES_BY_MAIL if is_theirs else DOUBTFUL_BY_MAIL)
        is_asked = bool(game.body["legal"]) and answering.asked == answering.person.asked
        if not is_asked:
            return self._too_late(order, then)
        if order.confirmed:
            return self._play(game, answering.confirms or 0)
        if order.declined:
            return self._respond("declined")
        if order == NOT_CLEAR:
            return self._respond("confirm", place=answering.confirms)
        if order.surely and len(order.places) == 1 and not order.numbers:
            return self._choose(game, order.places[0])
        return self._find(game, order)

    def _find(self, game: GameForReader, order: Order) -> Outcome:
        """Play the option with a number; ask if that may not be what is meant."""
        choices = numbered_options.numbered(game)
        found = [each for each in map(choices.find, order.numbers) if each is not None]
        places = sorted({*order.places, *(place for each in found for place in each.places)})
        if not places:
            return self._respond("unknown")
        alone = found[0] if len(found) == 1 and len(order.numbers) == 1 else None
        is_same = not order.places or (alone is not None and alone.places == order.places)
        if alone is not None and is_same and alone.place is None:
            return self._respond("step", path=alone.path)
        if alone is None or not is_same or not order.surely:
            return self._respond("which", places=places[: MOST_LISTED + 1], rest=False)
        return self._choose(game, places[0])

    def _choose(self, game: GameForReader, place: int) -> Outcome:
        """Play the action at a place, or let the player confirm it before."""
        wish = players.get(self.answering.player_id).confirm_replies
        destroys = game.table.ruleset.looks.destroys
        is_final = game.body["legal"][place]["action"]["type"] in destroys
        is_safe = wish == "never" or (self.is_certain and not is_final)
        if self.is_own and wish != "always" and is_safe:
            return self._play(game, place)
        return self._respond("confirm", place=place)

    def _play(self, game: GameForReader, place: int) -> Outcome:
        """Play the action at a place in answer to the question of the mail."""
        answering, action = self.answering, game.body["legal"][place]["action"]
        given = (answering.table, answering.player_id, answering.person.asked, action)
        try:
            played = moves.play(self.services, *given)
        except Problem as problem:
            if problem.status not in {409, 422}:
                raise Refused(os.EX_NOPERM, f"problem.{problem.slug}.detail") from None
            return self._respond("stale")
        after = played.table.holding(answering.player_id) if not played.table.game.is_over else None
        what: responses.Response = "played" if played.new else "already"
        person = after or answering.person
        responses.put(
            self.services,
            played.table,
            replace(person, waiting=after is not None and after.waiting),
            self.once,
            what,
            event=played.number,
            **self._left_out(),
        )
        self._say_beside()
        return Outcome.PLAYED

    def _too_late(self, order: Order, then: Question) -> Outcome:
        """The question is not asked any more; perhaps because of this very choice."""
        answering = self.answering
        event = moves.answered(answering.table, answering.person, answering.asked or 0)
        places = order.places
        if order.confirmed and answering.confirms is not None:
            places = (answering.confirms,)
        elif order.number is not None and not places:
            found = then.choices.find(order.number)
            places = () if found is None else found.places
        actions = [then.legal[place] for place in places if place < len(then.legal)]
        if event is not None and len(actions) == 1 and event["action"] == actions[0]:
            return self._respond("already", event=event["number"])
        return self._respond("stale")

    def _respond(self, what: responses.Response, **details: object) -> Outcome:
        """Answer by mail."""
        table, person = self.answering.table, self.answering.person
        told = {**self._left_out(), **details}
        responses.put(self.services, table, person, self.once, what, **told)
        return Outcome.ANSWERED

    def _left_out(self) -> dict[str, bool]:
        """What of the message nobody gets."""
        rest = self.text.rest
        is_said = bool(rest) and orders.to_be_said(rest) is not None
        return {"rest": bool(rest) and not is_said, "more": self.received.has_more}

    def _say_beside(self) -> None:
        """Say what stands behind `talk:` below a move that was played."""
        talk = orders.to_be_said(self.text.rest)
        if talk and self.is_own:
            said_text.say(self.services, self.answering, talk, f"{self.once} beside")

    def _say(self, text: str) -> Outcome:
        """Say it at the table, and tell the writer what was left out of it. Raises Refused."""
        if not self.is_own:
            raise Refused(os.EX_NOPERM, "answer.other-sender")
        if not text:
            raise Refused(os.EX_DATAERR, "answer.nothing-above")
        said_text.refuse_quotes(self._game(), text)
        answering = self.answering
        if not said_text.is_said(answering, self.once):
            _count(self.services, answering, BY_MAIL)
            said_text.say(self.services, answering, text, self.once)
        left_out = {"quoted": self.text.cut, "more": self.received.has_more}
        if any(left_out.values()):
            _tell_once_an_hour(self.services, answering, "cut", **left_out)
        return Outcome.SAID
