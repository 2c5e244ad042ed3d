"""The steps of narrowing in words: what has been chosen, what is to be chosen, with cards drawn.

The words are the web page's: a ruleset's types, parameters and values, by key.
"""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup, escape

from rules.kernel import Json, Param
from service.core.words.words import json_key
from service.tables.drawing.action_narrowing import (
    ABSENT,
    Decision,
    Narrowing,
    Option,
    Step,
    value_of,
)
from service.tables.drawing.html import card_html, suits_as_text
from service.tables.drawing.layout import Face
from service.tables.views.game_view import GameAnswer

_MORE = " …"


class StepWords(NamedTuple):
    """A step: what has been chosen, what is asked, a hint, and each option in words."""

    chosen: Markup
    question: str
    hint: str
    options: list[Markup]


def step_words(answer: GameAnswer, legal: list[Json], narrowing: Narrowing) -> StepWords:
    """The next step; `legal`: the actions with their words."""
    words, step = _ActionWords(answer, legal), narrowing.step
    options = [words.option(step, option) for option in step.options]
    return StepWords(words.chosen(narrowing), words.question(step), words.hint(step), options)


class _ActionWords:
    """The legal actions of one viewer in words."""

    def __init__(self, answer: GameAnswer, legal: list[Json]) -> None:
        self.words, self.names, self.legal = answer.words, answer.names, legal

    def chosen(self, narrowing: Narrowing) -> Markup:
        """What has been chosen; for each parameter, the last choice."""
        choices: dict[str, Markup] = {}
        for step, option in narrowing.taken:
            choices[step.parameter.name if step.parameter else ""] = self.choice(step, option)
        return escape(self.words.say("page.then")).join(choices.values())

    def choice(self, step: Step, option: Option) -> Markup:
        """An option with the name of its parameter."""
        name, words = self.parameter(step), self.option(step, option)
        return Markup("{}{}{}").format(name, self.words.say("page.colon"), words) if name else words

    def question(self, step: Step) -> str:
        """What a step decides."""
        return self.parameter(step) or self.words.say("mail.choices")

    def hint(self, step: Step) -> str:
        """What one needs to know to decide it; empty for most steps."""
        if step.decision is Decision.ACTION:
            return self.words.say("mail.choices.how")
        if step.decision is Decision.CARD and step.parameter and step.parameter.kind == "cards":
            return self.words.say("form.cards")
        return ""

    def parameter(self, step: Step) -> str:
        """The name of the parameter that a step is about; empty if it is about none."""
        if step.parameter is None:
            return ""
        kind = self.legal[step.options[0].places[0]]["action"]["type"]
        return self.words.say(f"param.{kind}.{step.parameter.name}")

    def option(self, step: Step, option: Option) -> Markup:
        """An option."""
        if step.decision is Decision.ACTION:
            return self.action(option)
        if step.decision is Decision.TYPE:
            return escape(self.words.say(f"type.{option.value}"))
        return self.value(step, option)

    def action(self, option: Option) -> Markup:
        """The first action that an option leads to."""
        return escape(suits_as_text(self.legal[option.places[0]]["words"]))

    def value(self, step: Step, option: Option) -> Markup:
        """A value of the parameter; with dots if only its first cards are settled."""
        assert step.parameter is not None
        values = [value_of(self.legal[place]["action"], step.parameter) for place in option.places]
        if step.decision is Decision.CARD and any(value != values[0] for value in values):
            return self.cards([*step.prefix, str(option.value)]) + _MORE
        if isinstance(values[0], list) and not _card_codes(values[0]) and len(option.places) == 1:
            return self.action(option)
        return self.value_words(values[0], step.parameter)

    def value_words(self, value: object, parameter: Param) -> Markup:
        """A value, worded as on the page."""
        key = f"value.{parameter.name}.{json_key(value)}" if value is not ABSENT else ""
        own, codes = self.words.get(key), _card_codes(value)
        if own is not None:
            return escape(own)
        return self.cards(codes) if codes else escape(self.plain(value, parameter.kind))

    def plain(self, value: object, kind: str) -> str:
        """A value that is no card, and for which the ruleset has no words."""
        if value is ABSENT or value is None or value == []:
            return self.words.say("page.choice.without")
        if isinstance(value, bool):
            return self.words.say("page.yes" if value else "page.no")
        if kind == "seat" and isinstance(value, int):
            return self.names[value]
        if kind in {"suit", "rank"}:
            return self.words.get(f"page.{kind}.{value}") or str(value)
        values = value if isinstance(value, list) else [value]
        return self.words.say("page.comma").join(map(json_key, values))

    def cards(self, codes: list[str]) -> Markup:
        """Cards as they are drawn on the table."""
        return Markup(" ").join(card_html(Face(code), self.words) for code in codes)


def _card_codes(value: object) -> list[str]:
    """The cards that a value names; empty if it is anything else."""
    values = value if isinstance(value, list) else [value]
    codes = [each for each in values if isinstance(each, str) and _is_card(each)]
    return codes if len(codes) == len(values) else []


def _is_card(code: str) -> bool:
    face = Face(code)
    return bool(face.suit or face.ends or code == "Jk")
