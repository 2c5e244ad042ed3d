"""Hooks for schemathesis: requests use ids from earlier responses, where they would otherwise name nothing that
exists.

Links lead from a response to what it created. They seldom get that far: few invented tables can be opened, and few
invented actions are legal. So every request that is not wrong on purpose gets ids, rulesets and actions from earlier
responses.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict, deque
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

_ID = re.compile(r"\b([a-z])_[0-9A-Za-z]{16,32}\b")
_SIZES = {"boomerang-auction": 3, "caravan": 2, "trunk-and-peddler": 2}
_KEPT = 40
_random = random.Random(15)
_ids: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_KEPT))
"""The newest ids, by the letter with which they begin."""
_turns: dict[str, tuple[int, list[Any]]] = {}
"""The question and the legal actions of each game, by its id."""


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Remember what the response names."""
    for found in _ID.finditer(response.text):
        kept = _ids[found[1]]
        if found[0] not in kept:
            kept.append(found[0])
    try:
        _remember_turn(json.loads(response.text))
    except ValueError:
        return


def _remember_turn(told: Any) -> None:
    game = told.get("game", told) if isinstance(told, dict) else None
    if isinstance(game, dict) and "legal" in game:
        _turns[game["id"]] = game["asked"], [each["action"] for each in game["legal"]]


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Replace invented values by existing ones."""
    wrong = {place for place, each in case.meta.components.items() if each.mode.is_negative}
    if ParameterLocation.PATH not in wrong:
        for name, value in (case.path_parameters or {}).items():
            case.path_parameters[name] = _known(value)
    if ParameterLocation.BODY not in wrong and isinstance(case.body, dict):
        _fill_in(case)


def _known(value: Any) -> Any:
    """An id from an earlier response in place of an unknown one; any other value unchanged."""
    found = _ID.fullmatch(str(value))
    kept = _ids[found[1]] if found else ()
    return _random.choice(kept) if kept and value not in kept else value


def _fill_in(case: Any) -> None:
    name = case.operation.definition.raw["operationId"]
    if name == "openGame":
        ruleset, players = _random.choice(list(_SIZES.items()))
        case.body |= {"ruleset": ruleset, "players": players, "options": {}}
        case.body["house"] = _random.choice((players - 1, min(case.body.get("house", 0), 1)))
    if name in ("postAction", "previewAction", "explainObstacle"):
        asked, legal = _turns.get(case.path_parameters.get("game_id"), (None, None))
        if name == "explainObstacle":
            case.body |= {} if asked is None else {"asked": asked}
            return
        if legal:
            case.body |= {"asked": asked, "action": _random.choice(legal)}
