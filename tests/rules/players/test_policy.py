"""What house players take for sensible: it follows from what a seat sees, and never leaves them without an action."""

from __future__ import annotations

import pytest

from rules.kernel import Ruleset
from tests.rules.playouts import Steps


def test_every_action_has_a_weight_and_one_can_be_chosen(met: Steps, ruleset: Ruleset) -> None:
    for step in met[::3]:
        for seat in ruleset.turn(step.before).waiting:
            legal = ruleset.legal(step.before, seat)
            weights = ruleset.policy(step.before, seat, legal) if ruleset.policy else [1.0]
            assert min(weights) >= 0
            assert len(weights) == len(legal) or not ruleset.policy


def test_what_is_sensible_follows_from_what_the_seat_sees(met: Steps, ruleset: Ruleset) -> None:
    if not ruleset.policy:
        pytest.skip("every action is as likely as the others")
    for step in met[::3]:
        for seat in ruleset.turn(step.before).waiting:
            blind, legal = ruleset.blind(step.before, seat), ruleset.legal(step.before, seat)
            seen = ruleset.policy(blind, seat, legal)
            assert seen == pytest.approx(ruleset.policy(step.before, seat, legal))
