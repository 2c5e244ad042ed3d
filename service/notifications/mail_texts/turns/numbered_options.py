"""The choices, numbered for people who reply to an email: in words, each with its link."""

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
from service.tables.views.orders import trees_view


class Option(NamedTuple):
    """A choice: its number, its words and its link. `goes_on` means that it leads to further choices."""

    number: int
    words: str
    url: str
    goes_on: bool


class NumberedStep(NamedTuple):
    """A step: the choices made before it, its question, and its options."""

    chosen: str
    question: str
    options: list[Option]

    @property
    def goes_on(self) -> bool:
        """Whether any option leads to further choices."""
        return any(each.goes_on for each in self.options)


def numbered(game: GameForReader) -> NumberedChoices:
    """The reader's legal actions by number."""
    legal = [each["action"] for each in game.body["legal"]]
    return NumberedChoices(game.table.ruleset.actions, legal)


def step(game: GameForReader, path: tuple[int, ...] = ()) -> NumberedStep:
    """The step at the end of a path; without a path, all choices, or the first step if there are many."""
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
    """The complete actions at these positions, as options."""
    choices, legal = numbered(game), game.body["legal"]
    return [
        Option(choices.number_of(place), legal[place]["words"], game.choice(place).url, False)
        for place in places
    ]


def orders(game: GameForReader) -> list[Option]:
    """The most useful orders that can be left, numbered after all choices, each with its link."""
    first = len(numbered(game).options) + 1
    links = enumerate(game.orders(), first)
    return [Option(number, link.words, link.url, False) for number, link in links]


class OrderTree(NamedTuple):
    """The form for standing orders that wait for others' answers: its address, and an `example` of such an order in
    words.
    """

    url: str
    example: str


def order_tree(game: GameForReader) -> OrderTree | None:
    """The form for standing orders that wait for others' answers; None if there can be none."""
    example = trees_view.example(game.answer)
    return OrderTree(f"{game.form_url}/orders", example) if example else None


def _option(game: GameForReader, found: Numbered, said: str) -> Option:
    if found.place is not None:
        return Option(found.number, said, game.choice(found.place).url, False)
    steps = ".".join(map(str, found.path))
    return Option(found.number, said, f"{game.form_url}?step={steps}", True)


def _plain(words: Markup) -> str:
    """Words without the mark that shows their suits as text, since plain text does not need it."""
    return words.unescape().replace(TEXT_STYLE, "")


class _StepTexts(StepWords):
    """Texts of a step in which cards are plain text."""

    def _cards(self, codes: list[str]) -> Markup:
        return escape(" ".join(card_text(Face(code), self._words) for code in codes))
