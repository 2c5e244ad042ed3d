"""The steps to a move as they read: what was chosen, what there is to choose, with cards that are drawn.

The words are those of the web page: of a ruleset's types, parameters and values, by key.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup, escape

from rules.kernel import Json, Param
from service.answers import GameAnswer
from service.draw import Face
from service.draw_html import card, plain_suits
from service.steps import ABSENT, About, Step, Walk, Way, value_of
from service.words import json_key

_MORE = " …"


class Shown(NamedTuple):
    """A step: what has been chosen, what is asked, how that is meant, and each way in words."""

    chosen: Markup
    asks: str
    how: str
    ways: list[Markup]


def shown(answer: GameAnswer, legal: list[Json], walk: Walk) -> Shown:
    """The step where a walk has arrived; `legal`: actions with their words."""
    reading = _Reading(answer, legal)
    ways = [reading.way(walk.step, way) for way in walk.step.ways]
    return Shown(reading.chosen(walk), reading.asks(walk.step), reading.how(walk.step), ways)


class _Reading:
    """The actions of one viewer in words."""

    def __init__(self, answer: GameAnswer, legal: list[Json]) -> None:
        self.words, self.names, self.legal = answer.words, answer.names, legal

    def chosen(self, walk: Walk) -> Markup:
        """What has been chosen; of each parameter what was said last."""
        told: dict[str, Markup] = {}
        for step, way in walk.taken:
            told[step.parameter.name if step.parameter else ""] = self.told(step, way)
        return escape(self.words.say("page.then")).join(told.values())

    def told(self, step: Step, way: Way) -> Markup:
        """A way with what it was about."""
        about = self.parameter(step)
        said = self.way(step, way)
        return Markup("{}{}{}").format(about, self.words.say("page.colon"), said) if about else said

    def asks(self, step: Step) -> str:
        """What a step decides."""
        return self.parameter(step) or self.words.say("letter.choices")

    def how(self, step: Step) -> str:
        """What is to be known for it."""
        if step.about is About.ACTION:
            return self.words.say("letter.choices.how")
        if step.about is About.CARD and step.parameter and step.parameter.kind == "cards":
            return self.words.say("form.cards")
        return ""

    def parameter(self, step: Step) -> str:
        """The name of the parameter that a step is about; empty if it is about none."""
        if step.parameter is None:
            return ""
        kind = self.legal[step.ways[0].left[0]]["action"]["type"]
        return self.words.say(f"param.{kind}.{step.parameter.name}")

    def way(self, step: Step, way: Way) -> Markup:
        """A way."""
        if step.about is About.ACTION:
            return escape(plain_suits(self.legal[way.left[0]]["words"]))
        if step.about is About.TYPE:
            return escape(self.words.say(f"type.{way.value}"))
        return self.value(step, way)

    def value(self, step: Step, way: Way) -> Markup:
        """A value of the parameter; with dots if only its first cards are settled."""
        assert step.parameter is not None
        values = [value_of(self.legal[place]["action"], step.parameter) for place in way.left]
        if step.about is About.CARD and any(value != values[0] for value in values):
            return self.cards([*step.named, way.value]) + _MORE
        if self.listed(values[0]) and len(way.left) == 1:
            return escape(plain_suits(self.legal[way.left[0]]["words"]))
        return self.worded(values[0], step.parameter)

    def listed(self, value: Any) -> bool:
        """Whether a value is a list for which a ruleset has no words of its own."""
        return isinstance(value, list) and not self.are_cards(value)

    def worded(self, value: Any, parameter: Param) -> Markup:
        """A value as the page words it (web/wording.js)."""
        own = (
            None if value is ABSENT else self.words.get(f"value.{parameter.name}.{json_key(value)}")
        )
        if own is not None:
            return escape(own)
        if self.are_cards(value):
            return self.cards(value if isinstance(value, list) else [value])
        return escape(self.plain(value, parameter.kind))

    def plain(self, value: Any, kind: str) -> str:
        """A value that no ruleset words and that is no card."""
        if value is ABSENT or value is None or value == []:
            return self.words.say("page.choice.without")
        if isinstance(value, bool):
            return self.words.say("page.yes" if value else "page.no")
        if kind == "seat":
            return self.names[int(value)]
        if kind in {"suit", "rank"}:
            return self.words.get(f"page.{kind}.{value}") or str(value)
        values = value if isinstance(value, list) else [value]
        return self.words.say("page.comma").join(map(json_key, values))

    def cards(self, codes: list[str]) -> Markup:
        """Cards as they are drawn on the table."""
        return Markup(" ").join(card(Face(code), self.words) for code in codes)

    def are_cards(self, value: Any) -> bool:
        """Whether a value names cards."""
        codes = value if isinstance(value, list) else [value]
        return bool(codes) and all(isinstance(code, str) and _is_card(code) for code in codes)


def _is_card(code: str) -> bool:
    face = Face(code)
    return bool(face.suit or face.ends or code == "Jk")
