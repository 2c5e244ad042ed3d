"""The steps of narrowing in words: the choices so far, and the next one, with cards drawn.

The words are those of the web page: a ruleset's types, parameters and values, by key.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from rules.kernel import Json, Param
from service.core.words.words import json_key
from service.tables.drawing.action_narrowing import Choice, Decision, Narrowing, NarrowingStep
from service.tables.drawing.html import card_html, suits_as_text
from service.tables.drawing.layout import Face
from service.tables.views.game_view import GameAnswer

_MORE = " …"


class StepWords:
    """The next step for one viewer, in words: the choices so far, the question, a hint, and each option."""

    def __init__(self, answer: GameAnswer, legal: list[Json], narrowing: Narrowing) -> None:
        """Prepare the words; `legal` are the actions with their words."""
        self._words, self._names, self._legal = answer.words, answer.names, legal
        step = narrowing.step
        self.chosen = self._chosen(narrowing)
        self.question = self._parameter(step) or self._words.say("mail.choices")
        self.hint = self._hint(step)
        self.options = [self._option(step, option) for option in step.options]

    def _chosen(self, narrowing: Narrowing) -> Markup:
        """The choices so far; for each parameter, the last one."""
        choices: dict[str | None, Markup] = {}
        for step, option in narrowing.taken:
            name, words = self._parameter(step), self._option(step, option)
            about = Markup("{}{}").format(name, self._words.say("page.colon")) if name else ""
            choices[step.parameter and step.parameter.name] = about + words
        return escape(self._words.say("page.then")).join(choices.values())

    def _hint(self, step: NarrowingStep) -> str:
        """A hint that the viewer needs for the decision; empty for most steps."""
        if step.decision is Decision.ACTION:
            return self._words.say("mail.choices.how")
        if step.decision is Decision.CARD and step.parameter and step.parameter.kind == "cards":
            return self._words.say("form.cards")
        return ""

    def _parameter(self, step: NarrowingStep) -> str:
        """The name of the parameter that a step is about; empty if there is none."""
        if step.parameter is None:
            return ""
        kind = self._legal[step.options[0].places[0]]["action"]["type"]
        return self._words.say(f"param.{kind}.{step.parameter.name}")

    def _option(self, step: NarrowingStep, option: Choice) -> Markup:
        """An option in words; it ends with dots if only the first cards of its value are chosen."""
        if step.decision is Decision.TYPE:
            return escape(self._words.say(f"type.{option.value}"))
        action = escape(suits_as_text(self._legal[option.places[0]]["words"]))
        if step.parameter is None:
            return action
        name = step.parameter.name
        value, *others = [self._legal[place]["action"].get(name) for place in option.places]
        if step.decision is Decision.CARD and any(other != value for other in others):
            return self._cards([*step.prefix, str(option.value)]) + _MORE
        if isinstance(value, list) and not _card_codes(value) and not others:
            return action
        return self._value(value, step.parameter)

    def _value(self, value: object, parameter: Param) -> Markup:
        """A value, in the words of the page."""
        own = self._words.get(f"value.{parameter.name}.{json_key(value)}")
        if own is not None:
            return escape(own)
        codes = _card_codes(value)
        return self._cards(codes) if codes else escape(self._plain(value, parameter.kind))

    def _plain(self, value: object, kind: str) -> str:
        """The text of a value that is not a card and for which the ruleset has no words."""
        if value is None or value == []:
            return self._words.say("page.choice.without")
        if isinstance(value, bool):
            return self._words.say("page.yes" if value else "page.no")
        if kind == "seat" and isinstance(value, int):
            return self._names[value]
        if kind in {"suit", "rank"}:
            return self._words.get(f"page.{kind}.{value}") or str(value)
        values = value if isinstance(value, list) else [value]
        return self._words.say("page.comma").join(map(json_key, values))

    def _cards(self, codes: list[str]) -> Markup:
        """Cards, drawn as on the table."""
        return Markup(" ").join(card_html(Face(code), self._words) for code in codes)


def _card_codes(value: object) -> list[str]:
    """The codes of the cards that a value names; empty for any other value."""
    values = value if isinstance(value, list) else [value]
    codes = [each for each in values if isinstance(each, str) and _is_card(each)]
    return codes if len(codes) == len(values) else []


def _is_card(code: str) -> bool:
    face = Face(code)
    return bool(face.suit or face.ends or code == "Jk")
