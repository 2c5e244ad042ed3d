"""Tricks: the rank of a suit, and the playable cards."""

from __future__ import annotations

from rules.common.tricks import suit_class


def test_4_4_classes_of_suits() -> None:
    assert [suit_class(own, "h", "s") for own in "shdc"] == [2, 1, 0, 0]
    assert suit_class("h", "h", "h") == 2
    assert suit_class("h", None, None) == 0
