"""Standing orders in words: those of a seat, those that it could leave at its present question, and news of them.

They are shown only to the player of the seat. All of it is made from the ruleset's declarations; no game is known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from rules.kernel import Json
from service.core.models.orders import SEAT_LOST
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import STRANGER, Phrases, Reader
from service.log.table_rows.table import Holder
from service.tables.play.orders import answers_of_others, only_moves, orders, terms
from service.tables.play.orders import offers as offered
from service.tables.play.orders.orders import OrderRow
from service.tables.views.game_view import GameAnswer


class Offer(NamedTuple):
    """An order that can be left at the present question, with its words."""

    terms: Json
    words: str


def of_seat(answer: GameAnswer) -> Json:
    """The viewer's orders at this table (SeatOrders in openapi.yaml)."""
    me = answer.me
    assert me is not None  # the caller asks only for those who sit there
    decided, holds = only_moves.at_table(me.tenure)
    standing = [each for each in orders.in_force(me.tenure) if not _is_over(answer, each)]
    played, said = orders.played(me.tenure), (answer.words, reader_of(answer))
    return {
        "only_move": decided,
        "plays_only_move": holds,
        "asked": me.asked if isinstance(me, Holder) and me.waiting else None,
        "offers": [each._asdict() for each in offers(answer)],
        "orders": [order_json(each, *said) for each in standing],
        "ended": [order_json(each, *said) for each in _ended(answer)],
        "played": [{"number": each.number, "order": each.order_id} for each in played],
    }


def _is_over(answer: GameAnswer, order: OrderRow) -> bool:
    """Whether the order's part of the game is over, even if the seat has had no question since."""
    if answer.state is None or answer.game.is_over:
        return True
    now, parts = answer.viewer.now, terms.parts_of(answer.state)
    return terms.over(order.terms, order.asked, parts, order.played, now) is not None


def reader_of(answer: GameAnswer) -> Reader:
    """The viewer as a reader, for whom orders name others by their bare names, because choices of a form have little
    room.
    """
    return Reader(told_apart(answer.bare_names_of(answer.table.people)), answer.seat)


def told_apart(names: Sequence[str]) -> list[str]:
    """These names. Names that have the same letters and digits, or none, are followed by the number of the seat."""
    read = ["".join(filter(str.isalnum, normalize("NFKC", name).casefold())) for name in names]
    alike = Counter(read)
    return [
        f"{name} ({place})" if alike[letters] > 1 else name
        for place, (name, letters) in enumerate(zip(names, read, strict=True), 1)
    ]


def order_json(order: OrderRow, words: Phrases, reader: Reader | None = None) -> Json:
    """An order (StandingOrder in openapi.yaml)."""
    shown: Json = {
        "id": order.id,
        "order": shown_terms(order.terms),
        "words": worded(order.terms, words, reader),
        "made_at": rfc3339(order.made_at),
        "played": order.played,
        "ended_at": order.ended_at and rfc3339(order.ended_at),
        "why": order.why,
        "why_words": order.why and words.say(f"order.ended.{order.why}"),
        "alternatives": [] if order.ended_at else alternatives(order, words, reader),
    }
    return shown


def usual_changes(order: OrderRow) -> list[Json]:
    """The terms of an open order with each of the usual changes: another duration, or a limit that is one higher or
    lower.

    An order that waits for answers of others is played once unless its terms say otherwise, so none can last for the
    whole game.
    """
    lasting: list[Json] = [{"part": name} for name in terms.names(order.asked.parts)]
    lasting += [{"times": 1}] if answers_of_others.of(order.terms) else [{"times": 1}, {}]
    found: list[Json] = [{**order.terms, "until": until} for until in lasting]
    most = order.terms.get("most")
    if isinstance(most, int):
        found += [{**order.terms, "most": each} for each in (most - 1, most + 1) if each >= 0]
    return [each for each in found if each != order.terms]


def alternatives(order: OrderRow, words: Phrases, reader: Reader | None) -> list[Json]:
    """The usual changes of an order, with their terms in words."""
    changes = usual_changes(order)
    return [{"terms": shown_terms(each), "words": worded(each, words, reader)} for each in changes]


def shown_terms(given: Json) -> Json:
    """The terms in the form in which they are sent: with a date instead of the moment at which the order ends."""
    until = {name: value for name, value in given.get("until", {}).items() if name != "at"}
    sent = {name: value for name, value in given.items() if name != "since"}
    return {**sent, "until": until}


def worded(given: Json, words: Phrases, reader: Reader | None = None) -> str:
    """An order as a phrase: "Pass for the rest of this auction, while the highest bid is at least 4"."""
    fields = {"what": what(given, words, reader), "until": _until(given.get("until", {}), words)}
    conditions = [condition(each, words, reader) for each in given.get("when", ())]
    if conditions:
        fields["while"] = words.listed(conditions)
    return words.say_most_specific("order.whole", fields)


def what(given: Json, words: Phrases, reader: Reader | None = None) -> str:
    """What an order plays, in words; seats are named by their holders if the `reader` knows the table."""
    if "action" in given:
        return _action(given["action"], words, reader)
    if given["name"] == terms.ONLY:
        return words.say("order.only")
    return words.say_most_specific(f"order.{given['name']}", {"most": given.get("most")})


def _until(until: Json, words: Phrases) -> str:
    said = []
    if until.get("part") is not None:
        known = words.get(f"until.{until['part']}") is not None
        said.append(words.say(f"until.{until['part']}" if known else "order.until.part"))
    if until.get("times") is not None:
        said.append(words.say("order.until.times", {"n": until["times"]}))
    if until.get("date") is not None:
        said.append(words.say("order.until.date", {"date": until["date"]}))
    return words.listed(said) if said else words.say("order.until.game")


def condition(given: Json, words: Phrases, reader: Reader | None) -> str:
    """A condition of an order in words: "while the highest bid is at least 4", "if Carol answers “Pass”"."""
    if "answer" in given:
        said = {"what": _action(given["answer"], words, reader)}
        if reader is None:
            return words.say("order.if", said)
        later = {"nth": given["nth"]} if given.get("nth", 1) > 1 else {}
        return words.say_most_specific("order.if", {**said, **later, "of": given["of"]}, reader)
    name, least = given.get("prompt"), given.get("least")
    if name and least is not None and words.get(f"while.{name}") and given.get("most") is None:
        return words.say(f"while.{name}", {"value": least})
    return words.say("order.while.other")


def _action(action: Json, words: Phrases, reader: Reader | None) -> str:
    """An action in its own words; by its type if the action is incomplete, or if the reader may not know all of it."""
    key = words.most_specific(f"action.{action['type']}", action)
    formats = words.formats(key)
    is_named = reader is not None or "seat" not in formats.values()
    if is_named and action.keys() >= formats.keys():
        return words.say(key, action, reader or STRANGER)
    return words.say(f"type.{action['type']}")


def offers(answer: GameAnswer) -> list[Offer]:
    """The orders that can be left at the viewer's present question, the most useful first; none without a question."""
    state, seat = answer.state, answer.seat
    if state is None or seat is None or not can_be_left(answer):
        return []
    found = offered.offers(answer.table.ruleset, state, seat)
    return [Offer(each, worded(each, answer.words)) for each in found]


def can_be_left(answer: GameAnswer) -> bool:
    """Whether the viewer has a question at which orders can be left."""
    me, game = answer.me, answer.game
    if not isinstance(me, Holder) or not me.waiting:
        return False
    return not (game.is_over or game.live or game.alone)


def news(answer: GameAnswer, after: int) -> list[str]:
    """News for the player of a seat since event `after`, in sentences: moves played for them, and orders that have
    ended.
    """
    if answer.me is None:
        return []
    count = sum(each.number > after for each in orders.played(answer.me.tenure))
    told = [answer.words.say("order.told.played", {"n": count})] if count else []
    surprises = [
        each
        for each in reversed(_ended(answer))
        if each.why in terms.SURPRISES and (each.ended_number or 0) >= after
    ]
    return [*told, *(_told_ended(answer, each) for each in surprises)]


def lost_with(answer: GameAnswer, tenure: str | None) -> list[str]:
    """News for somebody who has lost a seat: the orders that have ended with this tenure."""
    found = [each for each in _ended(answer) if (each.tenure_id, each.why) == (tenure, SEAT_LOST)]
    return [_told_ended(answer, each) for each in reversed(found)]


def _ended(answer: GameAnswer) -> list[OrderRow]:
    return orders.ended(answer.game.key, answer.viewer.player_id)


def _told_ended(answer: GameAnswer, order: OrderRow) -> str:
    words, reader = answer.words, reader_of(answer)
    fields = {"order": worded(order.terms, words, reader)}
    return words.say("order.told.ended", {**fields, "why": words.say(f"order.ended.{order.why}")})
