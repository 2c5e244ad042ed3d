"""JSON values, and the messages about refused ones."""

from __future__ import annotations

import pytest

from rules.kernel.actions import Param
from rules.kernel.refusals import Illegal, why
from rules.kernel.values import distinct, frozen, permutes, plain, same, text

LEGAL = [
    {"type": "play", "card": "As", "at": 1},
    {"type": "play", "card": "As", "at": 2},
    {"type": "play", "card": "2s", "at": 2},
    {"type": "play", "card": "2s"},
    {"type": "pass"},
]
ACTIONS = {"play": [Param("card", "card"), Param("at", "position")], "pass": list[Param]()}


def test_plain_values_have_lists_at_every_depth() -> None:
    assert plain({"a": (1, [("b",)]), "c": None}) == {"a": [1, [["b"]]], "c": None}


def test_frozen_values_have_tuples_at_every_depth() -> None:
    assert frozen({"a": [1, [["b"]]], "c": None}) == {"a": (1, (("b",),)), "c": None}


def test_the_canonical_text_is_sorted_short_and_unescaped() -> None:
    assert text({"b": [1, 2], "a": "手紙"}) == '{"a":"手紙","b":[1,2]}'


@pytest.mark.parametrize(
    ("listed", "sent"),
    [(1, 1.0), ([0, 1], [0.0, 1.0]), ({"a": [1]}, {"a": [1.0]}), (0.5, 0.5), ("1", "1")],
)
def test_values_with_the_same_canonical_text_are_the_same(listed: object, sent: object) -> None:
    assert same(listed, sent)


@pytest.mark.parametrize(
    ("listed", "sent"), [(1, True), (0, False), (1, "1"), ([1], [True]), (1, 2), ({"a": 1}, {})]
)
def test_values_with_other_texts_are_not(listed: object, sent: object) -> None:
    assert not same(listed, sent)


def test_distinct_values_keep_their_order() -> None:
    assert distinct([2, 1, 2, True, "1", 1, [1], [1]]) == [2, 1, True, "1", [1]]


@pytest.mark.parametrize(
    ("outcome", "permuted"),
    [
        (["b", "a", "a"], True),
        (["a", "b"], False),
        (["a", "b", "b"], False),
        (("a", "a", "b"), False),
        (["a", "a", 1], False),
        ("aab", False),
        (None, False),
    ],
)
def test_an_outcome_is_a_list_of_the_same_items(outcome: object, permuted: bool) -> None:
    assert permutes(outcome, ("a", "a", "b")) is permuted


@pytest.mark.parametrize(
    ("action", "wrong", "may"),
    [
        ({"type": "fly"}, "type", ["play", "pass"]),
        ({}, "type", ["play", "pass"]),
        ("pass", "type", ["play", "pass"]),
        ({"type": "play", "card": "3s"}, "card", ["As", "2s"]),
        ({"type": "play"}, "card", ["As", "2s"]),
        ({"type": "play", "card": "As", "at": 3}, "at", [1, 2]),
        ({"type": "play", "card": "As"}, "at", [1, 2]),
        ({"type": "play", "card": "2s", "at": 1}, "at", [2]),
        ({"type": "pass", "card": "As"}, "type", ["play", "pass"]),
        ({"type": "play", "card": "2s", "by": 1}, "type", ["play", "pass"]),
    ],
)
def test_a_refusal_names_the_first_wrong_part_and_what_it_may_be(
    action: object, wrong: str, may: list[object]
) -> None:
    refusal = Illegal(*why(ACTIONS, LEGAL, action))
    assert refusal.why == {"wrong": wrong, "may": may}
    assert str(refusal) == f"illegal {wrong}"
