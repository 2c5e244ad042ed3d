"""The origin of scores, round by round: the cards that stayed in each zone, and the cards that were turned there."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import NUMBER
from rules.common.faces import bare
from rules.games.blame_the_magic.components import Table
from rules.games.blame_the_magic.phases import Over
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """2 The entries for the influence in each zone: 1 for the ace, and the numbers of the face-up cards."""
    part = Part("round", before.round)
    for seat, zone in enumerate(after.zones):
        was, now = bare(before.zones[seat]), bare(zone)
        for card in now:
            if card not in was:
                yield entry(part, seat, "stayed", NUMBER[card[0]], card=card)
        for card in was:
            if card not in now:
                yield entry(part, seat, "turned", -NUMBER[card[0]], card=card)
    if isinstance(after, Over):
        for seat, ace in enumerate(after.aces):
            yield entry(Part("end"), seat, "ace", 1, card=ace[0])
