"""What can be chosen, numbered for whoever answers a mail: in words, each with its link."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup, escape

from service.notifications.mail_texts.game_for_reader import GameForReader
from service.tables.drawing.action_narrowing import narrow
from service.tables.drawing.action_narrowing_words import StepWords
from service.tables.drawing.html import TEXT_STYLE
from service.tables.drawing.layout import Face
from service.tables.drawing.numbered_choices import Numbered, NumberedChoices
from service.tables.drawing.text import card_text


class Option(NamedTuple):
    """A choice: its number, its words, and where it is made; `goes_on`: there is more to choose then."""

    number: int
    words: str
    url: str
    goes_on: bool


class NumberedStep(NamedTuple):
    """A step: what has been chosen before it, what is asked, and what can be chosen."""

    chosen: str
    question: str
    options: list[Option]

    @property
    def goes_on(self) -> bool:
        """Whether there is more to choose behind any of them."""
        return any(each.goes_on for each in self.options)


def numbered(game: GameForReader) -> NumberedChoices:
    """The reader's legal actions by number."""
    legal = [each["action"] for each in game.body["legal"]]
    return NumberedChoices(game.table.ruleset.actions, legal)


def step(game: GameForReader, path: tuple[int, ...] = ()) -> NumberedStep:
    """The step behind a path; without one all that can be chosen, or the first step of many."""
    legal, choices = game.body["legal"], numbered(game)
    actions = [each["action"] for each in legal]
    narrowing = narrow(game.table.ruleset.actions, actions, path)
    words = _StepTexts(game.answer, legal, narrowing)
    options = [
        _option(game, found, _plain(said))
        for found, said in zip(choices.after(path), words.options, strict=True)
    ]
    return NumberedStep(_plain(words.chosen), words.question, options)


def whole(game: GameForReader, places: tuple[int, ...]) -> list[Option]:
    """The whole actions at these places."""
    choices, legal = numbered(game), game.body["legal"]
    return [
        Option(choices.number_of(place), legal[place]["words"], game.choice(place).url, False)
        for place in places
    ]


def _option(game: GameForReader, found: Numbered, said: str) -> Option:
    if found.place is not None:
        return Option(found.number, said, game.choice(found.place).url, False)
    steps = ".".join(map(str, found.path))
    return Option(found.number, said, f"{game.form_url}?step={steps}", True)


def _plain(words: Markup) -> str:
    """Words without what marks their suits as text: in a text nothing else is meant."""
    return words.unescape().replace(TEXT_STYLE, "")


class _StepTexts(StepWords):
    """The same words, with cards as text."""

    def _cards(self, codes: list[str]) -> Markup:
        return escape(" ".join(card_text(Face(code), self._words) for code in codes))
