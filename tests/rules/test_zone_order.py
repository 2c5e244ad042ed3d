"""The order in which the cards of a pile are shown, as `Zone.cards` of openapi.yaml states it."""

from __future__ import annotations

from rules.kernel import Json, Ruleset, State
from tests.rules.playouts import Steps

Piles = dict[tuple[object, ...], list[str]]


def piles(ruleset: Ruleset, state: State) -> tuple[Piles, Piles]:
    """The piles that everybody sees, and those that nobody sees; piles that only their owner sees are sorted."""
    seen = [each for each in ruleset.view(state, None)["zones"] if is_shown(each)]
    own = [ruleset.view(state, seat)["zones"] for seat in range(state.players)]
    known = {place(each) for zones in own for each in zones if is_shown(each)}
    open_ = {place(each): each["cards"] for each in seen}
    lying = ruleset.open_view(state)["zones"]
    hidden = {place(each): each["cards"] for each in lying if place(each) not in known}
    return open_, {at: hidden[at] for at in hidden if at[0] == "pile"}


def is_shown(zone: Json) -> bool:
    """Whether all cards of a pile are shown, and not only its next one."""
    return zone["kind"] == "pile" and zone["count"] > 0 and None not in zone.get("cards", (None,))


def place(zone: Json) -> tuple[object, ...]:
    return zone["kind"], zone["name"], zone.get("seat"), zone.get("index")


def test_a_pile_that_is_open_ends_with_its_top_and_one_that_is_not_begins_with_it(
    ruleset: Ruleset, met: Steps
) -> None:
    taken = 0
    for step in met:
        if step.event["kind"] != "action" or ruleset.turn(step.after).chance:
            continue
        (seen, hidden), (seen_then, hidden_then) = (
            piles(ruleset, each) for each in (step.before, step.after)
        )
        for at, cards in seen.items():
            then = seen_then.get(at, [])
            least = min(len(cards), len(then))
            assert cards[:least] == then[:least], at
        for at, cards in hidden.items():
            then = hidden_then.get(at, [])
            if 0 < len(then) < len(cards):
                assert cards[-len(then) :] == then, at
                taken += 1
    assert taken or "stock" not in str(ruleset.view(step.before, None)["zones"])
