"""Cards in canonical order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.common.cards import added, canonical, deck, replaced

PACK = deck(jokers=1)


@given(st.lists(st.sampled_from(PACK), max_size=12), st.sampled_from(PACK))
def test_a_card_is_added_where_it_belongs(cards: list[str], card: str) -> None:
    assert added(canonical(cards), card) == canonical([*cards, card])


def test_an_item_is_replaced_in_a_copy() -> None:
    items = ("a", "b", "c")
    assert replaced(items, 1, "x") == ("a", "x", "c")
    assert items == ("a", "b", "c")
