"""The open view of a position shows everything on the table, and no bookkeeping."""

from __future__ import annotations

from rules.kernel import Json, Ruleset
from tests.rules.playouts import Steps


def test_it_shows_each_card_and_whatever_any_seat_sees(met: Steps, ruleset: Ruleset) -> None:
    for step in met[:: 1 + len(met) // 60]:
        everything = ruleset.open_view(step.after)
        for seat in (*range(step.after.players), None):
            seen = ruleset.view(step.after, seat)
            assert all(fact in everything["facts"] for fact in seen["facts"])
            assert everything["prompt"] == seen["prompt"]
            for zone, whole in zip(seen["zones"], everything["zones"], strict=True):
                assert {**whole, "cards": zone.get("cards")} == {"cards": None, **zone}
                _agree(zone.get("cards"), whole["cards"])


def _agree(seen: list[Json] | None, whole: list[Json]) -> None:
    assert None not in whole
    for card, face in zip(seen or whole, whole, strict=True):
        assert card in (None, face) or _backed(card) == _backed(face)


def _backed(card: object) -> object:
    """The marks of a card that may lie face down."""
    return card["is"] if isinstance(card, dict) else card
