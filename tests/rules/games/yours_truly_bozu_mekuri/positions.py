"""Positions of Yours truly, Bozu-mekuri for its tests, made directly."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import rules
from rules.common.cards import Cards
from rules.games.yours_truly_bozu_mekuri.components import owned
from rules.games.yours_truly_bozu_mekuri.phases import Acting, Over
from rules.games.yours_truly_bozu_mekuri.settlement import Bozu, value
from rules.kernel import Marked
from tests.rules.playouts import Step, moved

GAME = rules.load("yours-truly-bozu-mekuri")


def row(text: str) -> tuple[Any, ...]:
    """`"Qh 7h 2c!"`: a bozu and cards, the last of them from a hand in this turn."""
    return tuple(Marked(c[:2], ("marked",)) if c.endswith("!") else c for c in text.split())


def at(phase: Any = Acting, rows: str = "Js/Qh/Kd", hand: str = "", **fields: Any) -> Any:
    """A position in which seat 0 is active and holds `hand`."""
    usual: dict[str, Any] = {
        "players": 3,
        "hands": (tuple(hand.split()), ("Ah",), ("As",)),
        "own": ((), (), ()),
        "rows": tuple(row(each) for each in rows.split("/")),
        "stock": ("3c", "4c", "5c"),
        "pile": ("Jh", "Jd"),
    }
    return phase(**{**usual, **fields})


def play(state: Any, card: str, number: int) -> Any:
    return moved(GAME, state, state.active, "play", card=card, row=number)


def draw(state: Any) -> Any:
    return moved(GAME, state, state.active, "draw")


def end(state: Any) -> Any:
    return moved(GAME, state, state.active, "end")


def zone(state: Any, name: str, viewer: Any = None, **where: int) -> Any:
    zones = GAME.view(state, viewer)["zones"]
    return next(z for z in zones if z["name"] == name and all(z[k] == v for k, v in where.items()))


def facts(state: Any, name: str) -> list[Any]:
    return [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == name]


def bozu(text: str) -> tuple[Bozu, ...]:
    return owned(tuple(text.split()))


OF_OTHER_SUITS = [
    ("3h 7h Th", "Jh 6h", 15, 4),
    ("As 5s 6s 3h 7h 8h 9h Th 3d 6d 2c 6c 7c 9c", "", 52, 5),
    ("As 5s 6s", "", 12, 3),
    ("2s 2h 2d 2c", "", 12, 1),
    ("Ts Th Td", "", 10, 1),
    ("Ts", "Jh Th 9h", 10, 1),
    ("", "Ks 7d", -13, 1),
]
"""The same, with sets only of suits other than the chosen one."""
SETTLED = [
    ("2s 6s", "Ks 3s 7d", -2, 3),
    ("3h 7h Th", "Jh 6h", 20, 4),
    ("As 5s 6s 3d 6d 2c 6c 7c 9c", "", 39, 4),
    ("As 5s 6s 3h 7h 8h 9h Th 3d 6d 2c 6c 7c 9c", "", 57, 5),
    ("Ts", "Jh Th 9h", 10, 1),
    ("", "Jh Th 9h", 8, 2),
    ("", "Jh Th 9h Qh", -4, 2),
    ("", "Ks 7d", -13, 1),
    ("2s 2h 2d 2c", "", 12, 1),
    ("Ts", "", 10, 1),
    ("2h 8h", "", 10, 2),
    ("Ts", "Jd Td 2d", 10, 1),
    ("Th", "", 10, 1),
    ("", "", 0, 0),
    ("5h 6h Ts", "Jh", 10, 1),
    (" ".join(r + s for s in "shdc" for r in "5678"), "", 71, 4),
    (" ".join(r + s for s in "shdc" for r in "5678"), "Ks Qs Js Kc Jc Kd", 28, 4),
]


def by_trying(hand: Cards, own: tuple[Bozu, ...], of_all: bool = True) -> tuple[int, int]:
    """Score and tally by definition: the best of all ways to play the hand, with sets of all suits or of the others."""
    totals: dict[str, int] = {}
    for laid in layings(hand, own):
        kept = [card for card in hand if card not in laid]
        for chosen in "shdc":
            total = sum(value(card) for card in kept if card[1] == chosen)
            total += sets(tuple(card for card in kept if of_all or card[1] != chosen))
            for each, on in own:
                mine = [*on, *(card for card in laid if laid[card] == each)]
                over = sum(value(c) for c in mine if c[1] == each[1]) - value(each)
                total += over if each[1] == chosen else min(0, over)
            totals[chosen] = max(totals.get(chosen, total), total)
    best = max(totals.values())
    cards = [*hand, *(card for each in own for card in each.cards)]
    counts = [sum(card[1] == s for card in cards) for s in totals if totals[s] == best]
    return best, max(counts)


def layings(hand: Cards, own: tuple[Bozu, ...]) -> Iterator[dict[str, str]]:
    places = [[None, *(b.card for b in own if b.card[1] == card[1])] for card in hand]
    for chosen in itertools.product(*places):
        yield {card: on for card, on in zip(hand, chosen, strict=True) if on}


def sets(cards: Cards) -> int:
    """The best disjoint sets of three."""
    best = 0
    for n, first in enumerate(cards):
        for second, third in itertools.combinations(cards[n + 1 :], 2):
            three = (first, second, third)
            alike = [len({card[at] for card in three}) == 1 for at in (0, 1)]
            if any(alike):
                rest = tuple(card for card in cards[n + 1 :] if card not in three)
                best = max(best, (10 if alike[0] else 5) + sets(rest))
    return best


def over(*seats: tuple[str, str], gone: bool = True) -> Any:
    hands = tuple(tuple(hand.split()) for hand, _ in seats)
    own = tuple(tuple(own.split()) for _, own in seats)
    return at(Over, rows="//", hands=hands, own=own, gone=gone)


def out_of_time(seed: int) -> list[Step]:
    """A game in which every seat always runs out of time."""
    state, rng, steps = GAME.initial(3, {}), random.Random(seed), []
    while not GAME.turn(state).over:
        turn = GAME.turn(state)
        if turn.chance:
            items = list(turn.chance.items)
            rng.shuffle(items)
            event: Any = {"kind": "chance", "name": turn.chance.name, "outcome": items}
        else:
            seat = turn.waiting[0]
            event = {"kind": "action", "seat": seat, "action": GAME.fallback(state, seat)}
        after = GAME.apply(state, event)
        steps.append(Step(state, event, after))
        state = after
    return steps
