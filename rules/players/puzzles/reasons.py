"""Reasons of puzzles: lines that are told in more likely games after one action than after another."""

from __future__ import annotations

import json
from collections import Counter

from rules.kernel import Json, Random, Ruleset, State
from rules.kernel.puzzles import Follows, Reason
from rules.kernel.randomness import one_of, shuffled
from rules.kernel.values import text
from rules.players.puzzles.games import Known
from rules.players.search import open_again

GAMES = 120
"""The number of likely games that are played after each of the two actions."""
SOON = 24
"""The number of events after the action whose lines count."""
CLEAR, USUAL = 0.3, 0.4
"""The conditions for a line as a reason: the smallest difference between the shares of games in which it is told after
the two actions, and the smallest value of the larger share.
"""
MOST = 2
"""The largest number of lines that a reason has for each action."""


def reason(
    ruleset: Ruleset, known: Known, actions: tuple[Json, Json], worth: float, rng: Random
) -> Reason:
    """The reason why the first of two actions is better than the second; `worth` is the value of the first one."""
    told = [_told(ruleset, known, each, rng) for each in actions]
    then, instead = _rather(*told), _rather(*told[::-1])
    return Reason(worth, actions[1], then, instead)


def _told(ruleset: Ruleset, known: Known, action: Json, rng: Random) -> Counter[str]:
    """The number of games in which each line is told to the seat; lines that are told first come first."""
    counts = Counter[str]()
    for _ in range(GAMES):
        world = open_again(known.worlds.draw(rng))
        counts.update(dict.fromkeys(_lines(ruleset, world, known.seat, action, rng)).keys())
    return counts


def _rather(these: Counter[str], those: Counter[str]) -> tuple[Follows, ...]:
    """The lines that are told in clearly more of `these` games than of `those`, the clearest difference first."""
    found = [
        Follows(json.loads(line), round(often / GAMES, 2), round(those[line] / GAMES, 2))
        for line, often in these.items()
        if often - those[line] >= CLEAR * GAMES and often >= USUAL * GAMES
    ]
    found.sort(key=lambda each: each.otherwise - each.often)
    return tuple(found[:MOST])


def _lines(ruleset: Ruleset, state: State, seat: int, action: Json, rng: Random) -> list[str]:
    """The lines that this seat is told after its action in a likely game, as texts.

    Lines that only repeat the action are left out, and so are lines that every game has, such as that somebody has
    chosen.
    """
    found, of_game = list[str](), ruleset.looks.vocabulary.lines
    event: Json = {"kind": "action", "seat": seat, "action": action}
    for number in range(SOON):
        state = ruleset.act(state, event)
        lines = ruleset.lines(state, seat)
        said = lines if number else lines[1:]  # the first line says what was done
        telling = [each for each in said if each["line"] in of_game]
        found += [text(each) for each in telling if not _repeats(each, seat, action)]
        turn = ruleset.turn(state)
        if turn.chance:
            outcome = shuffled(turn.chance.items, rng)
            event = {"kind": "chance", "name": turn.chance.name, "outcome": outcome}
        elif turn.over or not turn.waiting:
            break
        else:
            following = one_of(turn.waiting, rng)
            # Seats that choose in secret at the same time as this one have already chosen.
            event = {
                "kind": "action",
                "seat": following,
                "action": _likely(ruleset, state, following, rng),
            }
    return found


def _likely(ruleset: Ruleset, state: State, seat: int, rng: Random) -> Json:
    """An action drawn at random with a sensible player's weights."""
    legal, policy = ruleset.legal(state, seat), ruleset.mind.policy
    weights = policy(state, seat, legal) if policy and len(legal) > 1 else ()
    if not any(weights):
        return one_of(legal, rng)
    left = rng.random() * sum(weights)
    for action, weight in zip(legal, weights, strict=True):
        left -= weight
        if left < 0:
            return action
    return legal[-1]


def _repeats(line: Json, seat: int, action: Json) -> bool:
    """Whether a line says little more than that the seat has played this action."""
    said = [value for name, value in line.items() if name not in ("line", "seat", "seats")]
    given = [value for name, value in action.items() if name != "type"]
    is_whole = all(each in said for each in given) and bool(given)
    return line.get("seat") == seat and (is_whole or all(each in given for each in said))
