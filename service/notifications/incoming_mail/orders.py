"""What somebody orders by a reply: a choice by its number, by its own words, or by the cards in it; or nothing.

Only the first line orders anything, and only if it says nothing else. What names a legal action in any other way is
asked about: it is never said at the table, unless the writer says so by `talk:`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel import Json
from service.core.words.words import LANGUAGES, Phrases, phrases
from service.notifications.incoming_mail.reading.answer_text import Written
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.tables.drawing.named_actions import (
    LegalAction,
    Named,
    called,
    named_by_line,
    named_within,
)
from service.tables.services import Services
from service.tables.views.game_view import GameAnswer, Viewer

_NUMBER = re.compile(
    r"(?:no\.?|nr\.?|number|#|№|\()?\s*([0-9]{1,5})\s*番?\s*[.)、。．:!]*", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?:#|\()?([0-9]{1,5})[.):、]?\s+(\S.*)")
_SAID = re.compile(r"\s*(\w+)\s*[:：]\s*(.*)", re.DOTALL)


class Order(NamedTuple):
    """What is ordered: the option with a number, one of the actions at these places, or what is to be confirmed."""

    number: int | None = None
    places: tuple[int, ...] = ()
    surely: bool = True
    """Whether one of them is to be played, and not perhaps only spoken of."""
    confirmed: bool = False
    declined: bool = False


class Question(NamedTuple):
    """The legal actions of a question, with all that they are called."""

    legal: Sequence[Json]
    actions: Sequence[LegalAction]


def present(services: Services, game: GameForReader) -> Question:
    """What the reader can choose now."""
    return _question([each["action"] for each in game.body["legal"]], _answers(services, game))


def of_then(services: Services, game: GameForReader, asked: int | None) -> Question:
    """What they could choose when they were asked `asked`; nothing if that is not known."""
    seat, table = game.answer.seat, game.table
    if seat is None or asked is None or asked > table.game.number:
        return Question([], [])
    state = services.states.load(table.game, asked)
    answers = [
        GameAnswer(table, state, each.viewer, services.heads) for each in _answers(services, game)
    ]
    return _question(table.ruleset.legal(state, seat), answers)


def find_order(said: Written, questions: Sequence[Question], confirms: bool) -> Order | None:
    """What is ordered, by the first of the questions that it makes sense for; None: nothing, it is talk."""
    first = unicodedata.normalize("NFKC", said.first).strip()
    if confirms and _folded(first) in _words("answer.yes"):
        return Order(confirmed=True)
    if confirms and _folded(first) in _words("answer.no"):
        return Order(declined=True)
    if match := _NUMBER.fullmatch(first):
        return Order(number=int(match[1]))
    for question in questions:
        if (match := _NUMBERED.fullmatch(first)) and (
            named := named_by_line(match[2], question.actions)
        ).places:
            return Order(int(match[1]), named.places, named.surely)
        named = _named(said, first, question.actions)
        if named.places:
            return Order(None, named.places, named.surely)
    return None


def to_be_said(text: str) -> str | None:
    """What stands behind `talk:`; None if the text does not begin with it."""
    match = _SAID.fullmatch(text)
    return match[2].strip() if match and _folded(match[1]) in _words("answer.talk") else None


def _named(said: Written, first: str, actions: Sequence[LegalAction]) -> Named:
    named = named_by_line(first, actions)
    return named if named.places else named_within(said.text, actions)


def _answers(services: Services, game: GameForReader) -> list[GameAnswer]:
    """The table as the reader sees it, in every language: who reads one may write another."""
    state, viewer = game.answer.state, game.answer.viewer
    return [
        GameAnswer(game.table, state, _in(viewer, language), services.heads)
        for language in LANGUAGES
    ]


def _in(viewer: Viewer, language: str) -> Viewer:
    return viewer._replace(language=language)


def _question(legal: Sequence[Json], answers: Sequence[GameAnswer]) -> Question:
    worded = [[each.choice(action) for each in answers] for action in legal]
    words: list[Phrases] = [each.words for each in answers]
    return Question(legal, called(legal, worded, words))


def _words(key: str) -> set[str]:
    """The words of a message that lists some, in every language."""
    listed = (phrases(language).say(key) for language in LANGUAGES)
    return {_folded(word) for each in listed for word in re.split("[,、]", each)}


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).strip(" .!。！").casefold()
