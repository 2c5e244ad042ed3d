"""The order in a reply: a choice by its number, by its own words, or by the cards in it; or none.

Only the first line can be an order, only if it says nothing else except a courtesy, and only if no later line orders
something else. A text that names a legal action in any other way, even by its number, leads to a question. It is never
said at the table unless the writer begins it with `talk:`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules.kernel import Json
from rules.kernel.actions import Types
from service.core.words.words import LANGUAGES, Phrases
from service.notifications.incoming_mail.reading.answer_text import Written
from service.notifications.incoming_mail.words_of_choosing import (
    begins_like_an_answer,
    folded,
    spoken_numbers,
    takes_back,
    without_courtesy,
    words,
)
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.tables.drawing.named_actions import (
    LegalAction,
    called,
    named_by_line,
    named_within,
)
from service.tables.drawing.numbered_choices import NumberedChoices
from service.tables.services import Services
from service.tables.talk.messages import LONGEST_MESSAGE
from service.tables.views.game_view import GameAnswer, Viewer

_NUMBER = re.compile(
    r"(?:no\.|no(?=[0-9])|nr\.?|number|#|\()?\s*([0-9]{1,5})\s*番?\s*[.)、。．:!]*", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?:#|\()?([0-9]{1,5})[.):、]?\s+(\S.*)")
_SAID = re.compile(r"\s*(\w{1,40})\s*[:：]\s*(.*)", re.DOTALL)
_AS_DIGITS = {0x2160 + n: str(n + 1) for n in range(12)} | {
    0x2170 + n: str(n + 1) for n in range(12)
}
"""The digits of Roman numerals that are single characters, which the compatibility mapping would turn into letters."""
_AS_DIGITS |= dict.fromkeys((0xFE0E, 0xFE0F, 0x20E3), "")
"""The characters that turn a digit into the picture of a key, which are dropped."""


class Order(NamedTuple):
    """An order: options by number, actions by position, or an answer to a request for a confirmation."""

    numbers: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    surely: bool = True
    """Whether an option or action is certainly meant as a move, and not only mentioned."""
    confirmed: bool = False
    declined: bool = False

    @property
    def number(self) -> int | None:
        """The only number; None if there is none, or more than one."""
        return self.numbers[0] if len(self.numbers) == 1 else None


NOT_CLEAR = Order(surely=False)
"""An order that is neither a yes nor a no to a request for a confirmation."""


@dataclass(frozen=True)
class Question:
    """The legal actions of a question with all their names, and the types that determine their numbering."""

    legal: Sequence[Json]
    actions: Sequence[LegalAction]
    types: Types

    @cached_property
    def choices(self) -> NumberedChoices:
        """The numbered options of the question."""
        return NumberedChoices(self.types, self.legal)

    def has(self, number: int) -> bool:
        """Whether the question has an option of this number."""
        return self.choices.find(number) is not None


def present(services: Services, game: GameForReader) -> Question:
    """The reader's present choices."""
    legal = [each["action"] for each in game.body["legal"]]
    return _question(game, legal, in_each_language(services, game))


def of_then(services: Services, game: GameForReader, asked: int | None) -> Question:
    """The player's choices at the question `asked`; a question without choices if that one is not known."""
    seat, table = game.answer.seat, game.table
    if seat is None or asked is None or asked > table.game.number:
        return none_of(game)
    state = services.states.load(table.game, asked)
    answers = [
        GameAnswer(table, state, each.viewer, services.heads)
        for each in in_each_language(services, game)
    ]
    return _question(game, table.ruleset.legal(state, seat), answers)


def none_of(game: GameForReader) -> Question:
    """A question without any choices."""
    return Question([], [], game.table.ruleset.actions)


def find_order(said: Written, questions: Sequence[Question], confirms: bool) -> Order | None:
    """The order, as the first question for which it makes sense understands it; None if the text is talk."""
    first, *others = [*_lines(said), ""]
    order = (_confirmation(first) if confirms else None) or _order_of(first, questions)
    below = [
        found
        for line in others
        if (found := _order_of(line, questions)) and _is_among(questions, found.numbers)
    ]
    if order is None:
        order = _named_somewhere(said, questions, below)
        return order or (NOT_CLEAR if confirms and begins_like_an_answer(said.text) else None)
    different = [each for each in below if each[:2] != order[:2]]
    if different or any(map(takes_back, others)):
        return _together([order, *different])
    return order


def to_be_said(text: str) -> str | None:
    """The text after `talk:`; None if the text does not begin with that."""
    match = _SAID.fullmatch(text)
    return match[2].strip() if match and folded(match[1]) in words("answer.talk") else None


def _lines(said: Written) -> Iterator[str]:
    """The lines that may contain an order: only the first if the text is too long to be talk, and none of the talk."""
    is_more = len(said.text) <= LONGEST_MESSAGE and to_be_said(said.rest) is None
    for line in said.text.splitlines() if is_more else [said.first]:
        if len(line) > LONGEST_MESSAGE:
            continue
        if plain := unicodedata.normalize("NFKC", line.translate(_AS_DIGITS)).strip():
            yield plain


def _order_of(line: str, questions: Sequence[Question]) -> Order | None:
    """The order in a line that says nothing else, or None. If the line is a question, the order is not sure."""
    surely = "?" not in line
    for each in dict.fromkeys((line, without_courtesy(line))):
        if match := _NUMBER.fullmatch(each):
            return Order((int(match[1]),), surely=surely)
        for question in questions:
            found = _NUMBERED.fullmatch(each)
            if found and (named := named_by_line(found[2], question.actions)).places:
                return Order((int(found[1]),), named.places, named.surely and surely)
            if (named := named_by_line(each, question.actions)).places:
                return Order((), named.places, named.surely and surely)
    numbers = spoken_numbers(line)
    is_one = bool(numbers) and _is_among(questions, numbers)
    return Order(numbers, surely=False) if is_one else None


def _is_among(questions: Sequence[Question], numbers: Sequence[int]) -> bool:
    """Whether all these numbers are numbers of options of one question."""
    return any(all(map(each.has, numbers)) for each in questions)


def _named_somewhere(
    said: Written, questions: Sequence[Question], lines: Sequence[Order]
) -> Order | None:
    """Choices that are named among other things, or not on the first line; None if there are none."""
    places = set[int]()
    for question in questions:
        named = named_within(said.text[:LONGEST_MESSAGE], question.actions)
        if named.places:
            places.update(named.places)
            break
    order = _together([Order((), tuple(sorted(places))), *lines])
    return order if order.places or order.numbers else None


def _together(orders: Sequence[Order]) -> Order:
    """One order with all mentioned choices, none of them certain."""
    numbers = dict.fromkeys(number for each in orders for number in each.numbers)
    places = {place for each in orders for place in each.places}
    return Order(tuple(numbers), tuple(sorted(places)), surely=False)


def _confirmation(line: str) -> Order | None:
    if "?" in line:
        return None
    for each in (line, without_courtesy(line)):
        if folded(each) in words("answer.yes"):
            return Order(confirmed=True)
        if folded(each) in words("answer.no"):
            return Order(declined=True)
    return None


def in_each_language(services: Services, game: GameForReader) -> list[GameAnswer]:
    """The table as the reader sees it, in every language: people may write in another language than they read."""
    state, viewer = game.answer.state, game.answer.viewer
    return [
        GameAnswer(game.table, state, _in(viewer, language), services.heads)
        for language in LANGUAGES
    ]


def _in(viewer: Viewer, language: str) -> Viewer:
    return viewer._replace(language=language)


def _question(
    game: GameForReader, legal: Sequence[Json], answers: Sequence[GameAnswer]
) -> Question:
    worded = [[each.choice(action) for each in answers] for action in legal]
    languages: list[Phrases] = [each.words for each in answers]
    return Question(legal, called(legal, worded, languages), game.table.ruleset.actions)
