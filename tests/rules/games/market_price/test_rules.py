"""Market Price: every example and corner case, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

import rules
from rules.common.cards import deck
from rules.games.market_price.components import price
from rules.games.market_price.phases import Over, Playing, Reshuffling
from rules.kernel import Chance, Illegal, Invalid, Result
from tests.rules.playouts import moved, playout, shuffled, told

GAME = rules.load("market-price")
NUMBERS = deck("23456789T")
JACKS = ("Js", "Jh", "Jd", "Jc")
ACES = (("As",), ("Ah",), ("Ad",), ("Ac",))


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def stacks(**lying: str) -> tuple[tuple[str, ...], ...]:
    return tuple(cards(lying.get(suit, "")) for suit in "shdc")


def playing(*hands: str, **fields: Any) -> Playing:
    """It is the turn of seat 0, and hearts are watched."""
    hands = hands or ("2h 6d 7c", "2s 7d 3c", "8d 9d 9c")
    usual = {
        "players": len(hands),
        "hands": tuple(map(cards, hands)),
        "shares": tuple(zip(("Qs", "Qh", "Qd", "Qc"), ("Ks", "Kh", "Kd", "Kc"), strict=True))[
            : len(hands)
        ],
        "passed": (None,) * len(hands),
        "watch": ("Jd", "Jc", "Js"),
        "watched": ("Jh",),
        "round": 1,
        "on_turn": 0,
    }
    return Playing(**{**usual, **fields})


def play(state: Any, seat: int, card: str, at: str = "upper") -> Any:
    return moved(GAME, state, seat, "play", card=card, at=at)


def dealt(players: int, *numbers: str, watch: tuple[str, ...] = JACKS) -> Any:
    """The set-up with these number cards on top, and the others in canonical order."""
    state = shuffled(GAME, GAME.initial(players, {}), *watch)
    state = shuffled(GAME, state, "Qs", "Qh", "Qd", "Qc")
    state = shuffled(GAME, state, "Kh", "Kd", "Kc", "Ks")
    rest = [card for card in NUMBERS if card not in numbers]
    return shuffled(GAME, state, *numbers, *rest)


def over(prices: str, *shares: str) -> Over:
    """The end with these prices in the order s h d c."""
    values = [each if each != "1" else "" for each in prices.split()]
    upper = tuple(
        (value + suit,) if value else () for value, suit in zip(values, "shdc", strict=True)
    )
    lower = tuple(
        ("T" + suit,) if value else ("A" + suit,)
        for value, suit in zip(values, "shdc", strict=True)
    )
    return Over(
        players=len(shares),
        hands=((),) * len(shares),
        shares=tuple(map(cards, shares)),
        passed=(None,) * len(shares),
        upper=upper,
        lower=lower,
    )


def zones(state: Any, viewer: int | None, name: str) -> Any:
    return [zone for zone in GAME.view(state, viewer)["zones"] if zone["name"] == name]


def codes(state: Any, viewer: int | None) -> set[str]:
    text = str(GAME.view(state, viewer))
    return {card for card in deck() if f"'{card}'" in text}


@pytest.mark.parametrize("players", [0, 2, 5, True, 3.0, "3", None])
def test_1_three_or_four_can_play(players: Any) -> None:
    with pytest.raises(Invalid):
        GAME.initial(players, {})


@pytest.mark.parametrize("options", [{"hand": 7}, {"": 1}, [], None])
def test_1_it_has_no_options(options: Any) -> None:
    assert GAME.settle(3, {}) == {}
    with pytest.raises(Invalid):
        GAME.initial(3, options)


def test_2_the_aces_are_the_opening_prices() -> None:
    state = GAME.initial(3, {})
    assert codes(state, None) == {"As", "Ah", "Ad", "Ac"}
    assert [zone["cards"] for zone in zones(state, None, "lower")] == [list(ace) for ace in ACES]
    assert [zone["count"] for zone in zones(state, None, "upper")] == [0, 0, 0, 0]
    facts = GAME.view(state, None)["facts"]
    assert [fact["value"] for fact in facts if fact["name"] == "price"] == [1, 1, 1, 1]


def test_2_who_sees_what() -> None:
    state = playing()
    assert codes(state, None) == {"As", "Ah", "Ad", "Ac", "Jh"}
    assert codes(state, 1) == codes(state, None) | set(cards("2s 7d 3c Qh Kh"))
    assert zones(state, 1, "watch") == [{"name": "watch", "kind": "pile", "count": 3}]
    assert [zone["count"] for zone in zones(state, 1, "hand")] == [3, 3, 3]


def test_2_covered_cards_are_seen_by_all() -> None:
    state = playing(upper=stacks(d="6d 9d"), lower=stacks(s="As", h="Ah", d="Ad 5d", c="Ac"))
    assert {"6d", "9d", "Ad", "5d"} <= codes(state, None)


def test_3_four_shuffles() -> None:
    state: Any = GAME.initial(3, {})
    chances = [
        ("watch", JACKS),
        ("queens", ("Qs", "Qh", "Qd", "Qc")),
        ("kings", ("Ks", "Kh", "Kd", "Kc")),
        ("numbers", NUMBERS),
    ]
    for name, items in chances:
        assert GAME.turn(state).chance == Chance(name, items)
        assert not codes(state, None) & set(JACKS)
        state = shuffled(GAME, state, *reversed(items))
    assert state.shares == (("Qc", "Kc"), ("Qd", "Kd"), ("Qh", "Kh"))
    assert (state.watched, state.watch) == (("Jc",), ("Jd", "Jh", "Js"))


@pytest.mark.parametrize(("players", "each", "removed"), [(3, 9, 11), (4, 7, 8)])
def test_3_the_deal(players: int, each: int, removed: int) -> None:
    state = dealt(players, watch=("Jd", "Js", "Jh", "Jc"))
    assert [len(hand) for hand in state.hands] == [each] * players
    assert len(state.removed) == removed
    assert {"2s", "2s" if players == 3 else "6s"} <= set(state.hands[0])
    assert state.hands[1][0] == "3s"
    assert not codes(state, None) & set(state.removed)


def test_3_shares_are_told_to_their_holders() -> None:
    state = shuffled(GAME, shuffled(GAME, GAME.initial(3, {}), *JACKS), "Qd", "Qs", "Qh", "Qc")
    share = {"line": "share", "seat": 1, "card": "Qs"}
    assert share in GAME.lines(state, 1)
    assert {**share, "card": 1} in GAME.lines(state, 0)


def test_4_1_seats_play_clockwise_and_the_lowest_begins() -> None:
    state = playing()
    asked = []
    for card in ("6d", "7d", "8d"):
        asked += GAME.turn(state).waiting
        state = play(state, asked[-1], card)
    assert asked == [0, 1, 2]
    assert (state.round, state.watched) == (2, ("Jh", "Jd"))
    assert GAME.turn(state).waiting == (0,)
    assert told(GAME, state) == ["played", "turned"]


def test_4_2_upper_before_lower() -> None:
    state = playing(upper=stacks(d="4d"))
    assert GAME.legal(state, 0) == [
        {"type": "play", "card": "6d", "at": "upper"},
        {"type": "play", "card": "6d", "at": "lower"},
        {"type": "play", "card": "7c", "at": "upper"},
    ]


def test_4_2_lower_cards_may_cover_higher_ones() -> None:
    state = play(playing("2d 3d", "5s", "6s", upper=stacks(d="4d")), 0, "2d")
    assert state.upper[2] == ("4d", "2d")


def test_4_2_there_is_no_passing() -> None:
    with pytest.raises(Illegal) as refused:
        moved(GAME, playing(), 0, "pass")
    assert refused.value.why == {"wrong": "type", "may": ["play"]}


def test_4_2_the_watched_suit_may_not_be_played() -> None:
    with pytest.raises(Illegal) as refused:
        play(playing(), 0, "2h")
    assert refused.value.why == {"wrong": "card", "may": ["6d", "7c"]}


def test_4_3_a_seat_with_only_the_watched_suit_passes_for_good() -> None:
    state = play(playing("6d 7c", "2h 3h", "8d 9d"), 0, "6d")
    assert GAME.turn(state).waiting == (2,)
    assert state.passed == (None, True, None)
    state = play(state, 2, "8d")
    assert state.round == 2, "diamonds are watched"
    assert GAME.turn(state).waiting == (0,)
    state = play(state, 0, "7c")
    assert state.passed == (None, True, True)


def test_4_3_a_seat_that_has_passed_still_sees_its_hand_until_the_end() -> None:
    state = play(playing("6d 7c", "2h 3h", "8d"), 0, "6d")
    assert {"2h", "3h"} <= codes(state, 1)
    assert not {"2h", "3h"} & codes(state, 0)
    state = play(play(state, 2, "8d"), 0, "7c")
    assert isinstance(state, Over)
    assert not {"2h", "3h"} & codes(state, 1)
    assert state.removed == ("2h", "3h")


def test_4_3_four_inspectors_are_shuffled_again() -> None:
    state = playing("6d 7c", "7d 3c", "8s 9s", watch=(), watched=("Jd", "Js", "Jc", "Jh"))
    state = play(play(play(state, 0, "6d"), 1, "7d"), 2, "8s")
    assert isinstance(state, Reshuffling)
    assert set(JACKS) <= codes(state, None)
    assert GAME.turn(state).chance == Chance("watch", JACKS)
    state = shuffled(GAME, state, "Jh", "Js", "Jd", "Jc")
    assert (state.watched, state.watch, state.round) == (("Jh",), ("Js", "Jd", "Jc"), 2)


def test_4_3_the_end_comes_without_another_inspector() -> None:
    state = play(play(play(playing("6d", "7d", "8d", watch=()), 0, "6d"), 1, "7d"), 2, "8d")
    assert isinstance(state, Over)
    assert told(GAME, state) == ["played", "shown", "shown", "shown"]


@pytest.mark.parametrize("players", [3, 4])
def test_4_3_how_many_events(players: int) -> None:
    for seed in range(20):
        assert len(list(playout(GAME, players, {}, random.Random(seed).randrange))) <= 33


def test_5_all_shares_are_open_at_the_end() -> None:
    state = over("2 3 4 5", "Qs Kh", "Qh Kd", "Qd Kc")
    assert {"Qs", "Kh", "Qh", "Kd", "Qd", "Kc"} <= codes(state, None)
    sums = [fact for fact in GAME.view(state, None)["facts"] if fact["name"] == "sum"]
    assert sums[0] == {"name": "sum", "of": 0, "queen": 2, "king": 6}


def test_6_out_of_time_the_first_action_is_played() -> None:
    assert GAME.fallback(playing(), 0) == {"type": "play", "card": "6d", "at": "upper"}
    assert GAME.fallback(playing(), 1) is None


def test_7_the_start_player_need_not_play_on_an_ace_later() -> None:
    state = playing("6d", "7d", "8d", upper=stacks(s="2s", h="2h", d="2d", c="2c"))
    assert [action["at"] for action in GAME.legal(state, 0)] == ["upper", "lower"]


def test_7_the_watched_suit_may_come_first_again() -> None:
    state = playing("6d 2h", "7d", "8s", watch=(), watched=("Jd", "Js", "Jc", "Jh"))
    state = shuffled(
        GAME, play(play(play(state, 0, "6d"), 1, "7d"), 2, "8s"), "Jd", "Js", "Jh", "Jc"
    )
    assert state.watched == ("Jd",)


def test_8_1_hearts_are_watched() -> None:
    assert all(action["card"][1] != "h" for action in GAME.legal(playing(), 0))
    assert GAME.view(playing(), None)["prompt"] == {"watched": "h"}


def test_8_2_prices() -> None:
    state = playing(
        "2d 3s",
        "5s",
        "6s",
        upper=stacks(d="6d", c="7c"),
        lower=stacks(s="As", h="Ah", d="Ad 7d", c="Ac"),
    )
    assert [price(state, suit) for suit in "shdc"] == [1, 1, 6, 1]
    assert price(play(state, 0, "2d", "lower"), "d") == 2


def test_8_3_totals() -> None:
    state = over("1 2 4 6", "Qd Kc", "Qh Kh", "Qs Ks")
    assert GAME.result(state) == Result((0,), (16, 6, 3), "richest")


def test_8_4_the_first_play() -> None:
    hand = cards("6d 7c 2h")
    dealt_first = [card for n in range(3) for card in (hand[n], *NUMBERS[n * 2 : n * 2 + 2])]
    state = dealt(3, *dealt_first, watch=("Jh", "Js", "Jd", "Jc"))
    mine = [action for action in GAME.legal(state, 0) if action["card"] in hand]
    assert mine == [
        {"type": "play", "card": "6d", "at": "upper"},
        {"type": "play", "card": "7c", "at": "upper"},
    ]


def test_8_5_the_second_card_may_cover_the_ace() -> None:
    state = play(playing(), 0, "6d")
    assert price(state, "d") == 1
    assert GAME.legal(state, 1)[-2:] == [
        {"type": "play", "card": "7d", "at": "lower"},
        {"type": "play", "card": "3c", "at": "upper"},
    ]
    assert price(play(state, 1, "7d", "upper"), "d") == 1
    assert price(play(state, 1, "7d", "lower"), "d") == 6


def test_8_6_all_nine_hearts() -> None:
    hearts = deck("23456789T", "h")
    others = [card for card in NUMBERS if card not in hearts]
    dealt_first = [card for n in range(9) for card in (hearts[n], others[2 * n], others[2 * n + 1])]
    state = dealt(3, *dealt_first, watch=("Jh", "Js", "Jd", "Jc"))
    assert state.passed == (True, None, None)
    assert GAME.turn(state).waiting == (1,)
    assert told(GAME, state)[-2:] == ["turned", "passed"]
    while not GAME.turn(state).over:
        turn = GAME.turn(state)
        if turn.chance:
            state = shuffled(GAME, state, *turn.chance.items)
        else:
            assert turn.waiting != (0,)
            action = GAME.legal(state, turn.waiting[0])[0]
            state = play(state, turn.waiting[0], action["card"], action["at"])
    assert GAME.result(state).scores[0] > 0


def test_8_7_three_players_and_nobody_passes() -> None:
    for seed in range(200):
        steps = list(playout(GAME, 3, {}, random.Random(seed).randrange))
        if not any(steps[-1].after.passed):
            break
    kinds = [step.event["kind"] for step in steps]
    assert kinds.count("action") == 27
    assert kinds.count("chance") == 6
    assert [step.before.round for step in steps if isinstance(step.before, Reshuffling)] == [4, 8]
    assert steps[-1].event["seat"] == 2


def test_8_8_the_last_seat_plays_on_alone() -> None:
    state = playing("6d 7d", "2h", "3h", passed=(None, True, True))
    state = play(state, 0, "6d")
    assert isinstance(state, Over), "diamonds are watched next"
    assert told(GAME, state)[:3] == ["played", "turned", "passed"]
    state = play(playing("6d 7c", "2h", "3h", passed=(None, True, True)), 0, "6d")
    assert GAME.turn(state).waiting == (0,)


@pytest.mark.parametrize(
    ("prices", "shares", "result"),
    [
        ("4 6 5 1", ("Qs Kh", "Qh Kd", "Qc Kd"), Result((1,), (16, 16, 11), "queen")),
        ("4 4 6 1", ("Qs Kd", "Qh Kd", "Qc Kd"), Result((0, 1), (16, 16, 13), "shared")),
        ("6 6 4 7", ("Qs Kh", "Qh Ks", "Qd Kc"), Result((0, 1), (18, 18, 18), "shared")),
    ],
)
def test_8_9_equal_totals(prices: str, shares: tuple[str, ...], result: Result) -> None:
    assert GAME.result(over(prices, *shares)) == result
