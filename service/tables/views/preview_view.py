"""What an action will change, in the viewer's language."""

from __future__ import annotations

from collections.abc import Callable

from rules.kernel import Change, Foreseen, Json
from service.core.words.words import Phrases, Reader
from service.tables.views.game_view import GameAnswer, worded_fact, worded_zone

Worded = Callable[[Json, Phrases, Reader], Json]


def shown(answer: GameAnswer, foreseen: Foreseen) -> Json:
    """Preview in openapi.yaml."""
    return {
        "zones": [_change(answer, each, worded_zone) for each in foreseen.zones],
        "facts": [_change(answer, each, worded_fact) for each in foreseen.facts],
    }


def _change(answer: GameAnswer, change: Change, worded: Worded) -> Json:
    return {
        name: part and worded(part, answer.words, answer.reader)
        for name, part in change._asdict().items()
    }
