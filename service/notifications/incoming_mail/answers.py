"""Replies to a table's emails: orders in them are played, and anything else is said at the table.

A move is played by the same use case and the same rule as with a link: it answers the question of the email, for the
person who holds the seat. Talk is handled as on the page, with its mutes and blocks.

1. A number on the first line, or an action in its own words or by its cards, is played; an email in response says what
   happened and what is asked now.
2. If the player wants to confirm, or the mail server cannot tell that the reply is theirs, an email asks for a
   confirmation: only a reader of that email can confirm.
3. A message that names an action and says more, or may mean several, gets a response with these actions.
4. A reply to an earlier question gets a response with the present one.
5. Anything else is said, and so is everything after `talk:`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.kernel import Json
from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.runtime.problems import NotFound, Problem, TooManyRequests
from service.core.runtime.units import HOUR
from service.core.settings.config import Config
from service.core.words.words import phrases
from service.notifications.incoming_mail import beside_choices, orders, said_text
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
from service.tables.play import moves, proposals, take_back
from service.tables.play.orders import orders as standing_orders
from service.tables.services import Services
from service.tables.views.orders import orders_view

READ = Limit("mails of a player that are read", 240, HOUR)
"""The limit on emails of a player that are read: even finding out what they say needs the table and choices of that
time.

Emails that may not be the player's are counted separately, and so are messages, so that nobody uses up the player's
limit.
"""
BY_MAIL = Limit("messages by mail", 30, HOUR)
"""The limit on messages of one player, across all tables. Further ones wait at the mail server, which tries again."""
MOVES_BY_MAIL = Limit("moves by mail", 120, HOUR)
"""The limit on replies that play, or that get a response by email."""
DOUBTFUL_BY_MAIL = Limit("moves by mail that may be somebody else's", 60, HOUR)
"""The limit on such replies that may not be the player's, so that nobody uses up the player's own limit."""


class Outcome(StrEnum):
    """The outcome of a message. `IGNORED` means that a program has sent it."""

    SAID = "said"
    PLAYED = "played"
    ANSWERED = "answered"
    IGNORED = "ignored"


def receive(services: Services, received: ReceivedMail) -> Outcome:
    """Do what a message orders, or say its text at the table; return the outcome.

    Raises Refused if the message has no sender, no text or no valid address, or there are too many messages.
    """
    if received.is_automatic:
        return Outcome.IGNORED
    answering = _who_answers(services, received)
    language = players.get(answering.player_id).language
    try:
        if not received.sender:
            raise Refused(os.EX_NOPERM, "answer.other-sender")
        _count(services, answering, received, READ)
        text = written(received.text(), marks(services.config))
        if not text.text:
            raise Refused(os.EX_DATAERR, "answer.nothing-above")
        services = replace(services, cause=lambda: answering.player_id)
        return Reply(services, received, answering, language, text).outcome()
    except Refused as refused:
        raise Refused(refused.code, refused.why, language) from None


def _who_answers(services: Services, received: ReceivedMail) -> Answering:
    """The person for whom the message's address was made.

    Raises Refused if it is not signed or the seat has changed hands.
    """
    config, now = services.config, services.now()
    tokens = [own_addresses.token_in(config, each) for each in received.recipients]
    try:
        return reply_address.read_token(config, now, next(filter(None, tokens), ""))
    except HandedOver:
        raise Refused(os.EX_NOUSER, "answer.handed-over") from None
    except NotFound:
        raise Refused(os.EX_NOUSER, "answer.no-address") from None


def _count(services: Services, answering: Answering, received: ReceivedMail, limit: Limit) -> None:
    """Count the message.

    Raises Refused if there were too many; the player is told so once an hour if the messages were theirs.
    """
    if not is_certain(services.config, answering, received):
        limit = doubtful(limit)
    attempt = Attempt(limit, answering.player_id)
    try:
        attempt_counts.count(services, services.config.secret_key, [attempt])
    except TooManyRequests:
        # The mail server keeps the email, and says nothing.
        if is_own(answering, received):
            _tell_once_an_hour(services, answering, "later")
        raise Refused(os.EX_TEMPFAIL, "answer.too-many") from None


def doubtful(limit: Limit) -> Limit:
    """The corresponding limit for messages that may be somebody else's."""
    return limit._replace(name=f"{limit.name} that may be somebody else's")


def _tell_once_an_hour(
    services: Services, answering: Answering, what: responses.Response, **more: object
) -> None:
    """Respond by email, but at most once an hour, so that two programs do not answer each other forever."""
    once = f"{what} {services.now() // HOUR}"
    responses.put(services, answering.table, answering.person, once, what, **more)


def marks(config: Config) -> list[str]:
    """Texts that our emails contain and no reply does: the sender, the address for replies, our links, the line at the
    top.
    """
    ours, _, domain = (config.incoming_mail or "").partition("@")
    receiver = f"@{domain}" if ours == "*" else f"{ours}+"
    lines = [phrases(language).say("mail.answer.above") for language in ("en", "ja")]
    links = [f"{config.public_url}/{path}/" for path in ("moves", "tables", "unsubscribe")]
    return [sender_address(config), receiver, *lines, *links]


def is_own(answering: Answering, received: ReceivedMail) -> bool:
    """Whether the message claims to come from the address to which the email was sent."""
    return addresses.counted(received.sender) == addresses.counted(answering.address)


def is_certain(config: Config, answering: Answering, received: ReceivedMail) -> bool:
    """Whether the mail server vouches that the message comes from the address to which the email was sent."""
    headers = received.all("Authentication-Results")
    is_same = addresses.mailbox(received.sender) == addresses.mailbox(answering.address)
    return is_same and is_authentic(headers, config.authserv_id, received.sender)


@dataclass(frozen=True)
class Reply:
    """A message from a person who holds a seat, or claims to."""

    services: Services
    received: ReceivedMail
    answering: Answering
    language: str
    text: Written

    @property
    def is_own(self) -> bool:
        """Whether the message claims to come from the address to which the email was sent."""
        return is_own(self.answering, self.received)

    @property
    def is_certain(self) -> bool:
        """Whether the mail server vouches that the message comes from the address to which the email was sent."""
        return is_certain(self.services.config, self.answering, self.received)

    @property
    def once(self) -> str:
        """An id that is the same for each copy of the message.

        Without a Message-ID, it is the same for equal texts about the same question.
        """
        answering, received = self.answering, self.received
        return received.id or f"{answering.asked} {answering.confirms} {received.text()}"

    def outcome(self) -> Outcome:
        """Play the move, ask the writer or say the text; return the outcome.

        Raises Refused if nothing of it is possible.
        """
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
        if (done := self._beside_choices(game, questions)) is not None:
            return done
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

    def _beside_choices(self, game: GameForReader, questions: Sequence[Question]) -> Outcome | None:
        """Leave the order that is named by its words, or take the last move back; return the outcome.

        None if the message does neither.
        """
        first, below = self.text.first, Written(self.text.rest)
        is_alone = beside_choices.is_alone(first, self.text.rest)
        if not game.table.game.number or not is_alone:
            return None
        if orders.find_order(below, questions, confirms=False):
            return None
        is_back = beside_choices.takes_move_back(first)
        answers = orders.in_each_language(self.services, game)
        wish = None if is_back else beside_choices.order_named(first, answers)
        if wish is None and not is_back:
            return None
        if responses.is_put(self.answering.tenure, self.once):
            return Outcome.ANSWERED
        limit = MOVES_BY_MAIL if self.is_certain else DOUBTFUL_BY_MAIL
        _count(self.services, self.answering, self.received, limit)
        if not self._is_safe:
            return self._respond("unsure")
        return self._take_back(game) if wish is None else self._leave(game, wish)

    def _take_back(self, game: GameForReader) -> Outcome:
        """Take back the answer to the email's question, or the action that the email reports; return the outcome.

        If necessary, the table is asked. Raises Refused if the player may not do that.
        """
        answering = self.answering
        event = moves.answered(answering.table, answering.person, answering.asked or 0)
        about = {answering.asked, event and event["number"]}
        found = take_back.possible(answering.table, answering.person)
        if found is None or found.event not in about:
            return self._respond("not-back")
        who = answering.table.game.id, answering.player_id
        try:
            if found.is_free:
                table = take_back.take_back(self.services, *who, found.event).table
            else:
                wish = {"kind": "takeback", "event": found.event}
                table = proposals.propose(self.services, *who, wish)
        except Problem as problem:
            if problem.status not in {409, 422, 429}:
                raise Refused(os.EX_NOPERM, f"problem.{problem.slug}.detail") from None
            return self._respond("not-back")
        what: responses.Response = (
            "taken-back" if found.event in table.game.taken_back else "asked-back"
        )
        person = table.holding(answering.player_id)
        responses.put(self.services, table, person, self.once, what, **self._left_out())
        return Outcome.ANSWERED

    @property
    def _is_safe(self) -> bool:
        """Whether it is certain enough that the message is the player's, for a move that no other email confirms."""
        wish = players.get(self.answering.player_id).confirm_replies
        return self.is_own and wish != "always" and (self.is_certain or wish == "never")

    def _obey(self, game: GameForReader, order: Order, then: Question) -> Outcome:
        """Play the order, or ask about it; return the outcome."""
        answering = self.answering
        if responses.is_put(answering.tenure, self.once):
            return Outcome.ANSWERED
        is_theirs = self.is_certain or order.confirmed
        limit = MOVES_BY_MAIL if is_theirs else DOUBTFUL_BY_MAIL
        _count(self.services, answering, self.received, limit)
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
        """Play the option with the order's number, or ask if it may not be meant; return the outcome."""
        choices = numbered_options.numbered(game)
        if (order_left := self._numbered_order(game, order)) is not None:
            return order_left
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

    def _numbered_order(self, game: GameForReader, order: Order) -> Outcome | None:
        """Leave the standing order that has this number, and return the outcome.

        None if there is no such order, or the number is not clearly a reply.
        """
        offered = {each.number: at for at, each in enumerate(numbered_options.orders(game))}
        number = order.numbers[0] if len(order.numbers) == 1 and not order.places else 0
        if number not in offered or not order.surely:
            return None
        if not self._is_safe:
            return self._respond("unsure")
        return self._leave(game, orders_view.offers(game.answer)[offered[number]].terms)

    def _leave(self, game: GameForReader, given: Json) -> Outcome:
        """Leave a standing order at the question of the email; return the outcome.

        Raises Refused if the player may not.
        """
        who = self.answering.table.game.id, self.answering.player_id
        try:
            asked = self.answering.asked or 0
            left = standing_orders.leave_once(self.services, *who, asked, given)
        except Problem as problem:
            if problem.status not in {409, 422}:
                raise Refused(os.EX_NOPERM, f"problem.{problem.slug}.detail") from None
            return self._respond("stale")
        words = orders_view.worded(left.terms, game.words, orders_view.reader_of(game.answer))
        return self._respond("ordered", order=words)

    def _choose(self, game: GameForReader, place: int) -> Outcome:
        """Play the action at a position, or ask the player to confirm it first; return the outcome."""
        wish = players.get(self.answering.player_id).confirm_replies
        destroys = game.table.ruleset.looks.destroys
        is_final = game.body["legal"][place]["action"]["type"] in destroys
        is_safe = wish == "never" or (self.is_certain and not is_final)
        if self.is_own and wish != "always" and is_safe:
            return self._play(game, place)
        return self._respond("confirm", place=place)

    def _play(self, game: GameForReader, place: int) -> Outcome:
        """Play the action at a position as the answer to the question of the email; return the outcome.

        Raises Refused if the player may not play it.
        """
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
        """Respond to a reply whose question is over, perhaps because of this very choice; return the outcome."""
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
        """Respond to the player by email; return the outcome."""
        table, person = self.answering.table, self.answering.person
        told = {**self._left_out(), **details}
        responses.put(self.services, table, person, self.once, what, **told)
        return Outcome.ANSWERED

    def _left_out(self) -> dict[str, bool]:
        """The parts of the message that are not said to anybody, by name: whether there are any."""
        rest = self.text.rest
        is_said = bool(rest) and orders.to_be_said(rest) is not None
        return {"rest": bool(rest) and not is_said, "more": self.received.has_more}

    def _say_beside(self) -> None:
        """Say the text that follows `talk:` below a move that was played."""
        talk = orders.to_be_said(self.text.rest)
        if talk and self.is_own:
            said_text.say(self.services, self.answering, talk, f"{self.once} beside")

    def _say(self, text: str) -> Outcome:
        """Say this text at the table, tell the writer which parts were left out, and return the outcome.

        Raises Refused if it may not be said.
        """
        if not self.is_own:
            raise Refused(os.EX_NOPERM, "answer.other-sender")
        if not text:
            raise Refused(os.EX_DATAERR, "answer.nothing-above")
        said_text.refuse_quotes(self._game(), text)
        answering = self.answering
        if not said_text.is_said(answering, self.once):
            _count(self.services, answering, self.received, BY_MAIL)
            said_text.say(self.services, answering, text, self.once)
        left_out = {"quoted": self.text.cut, "more": self.received.has_more}
        if any(left_out.values()):
            _tell_once_an_hour(self.services, answering, "cut", **left_out)
        return Outcome.SAID
