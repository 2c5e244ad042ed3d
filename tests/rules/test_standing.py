"""The orders that players can leave are declared for existing phases, actions, parts and prompts."""

from __future__ import annotations

import pytest

from rules.kernel import Ruleset
from rules.kernel import vocabulary as say
from tests.rules.playouts import RULESETS, called
from tests.rules.test_words import of_source


@pytest.mark.parametrize("game", RULESETS, ids=called)
def test_what_an_order_names_is_there(game: Ruleset) -> None:
    vocabulary = game.looks.vocabulary
    phases = {each.phase for each in vocabulary.phases}
    prompts, parts = say.prompts(vocabulary), set(of_source(game))
    names = [(each.phase, each.name) for each in game.looks.orders]
    assert len(names) == len(set(names))
    for each in game.looks.orders:
        assert each.phase in phases
        assert each.type in game.actions
        assert {f"part.{part}" for part in each.until} <= parts
        if each.compare:
            (member,) = (one for one in prompts[each.phase] if one.name == each.compare)
            assert member.kind == "number"
        if each.most:
            (parameter,) = (one for one in game.actions[each.type] if one.name == each.most)
            assert parameter.kind == "number"
