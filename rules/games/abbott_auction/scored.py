"""The origin of scores, deal by deal: the best hands' shares of the pile, and the bonus for ending a deal."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.abbott_auction.components import Table
from rules.kernel import Entry, Json, Part, entry, lines_of


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5.1 The entries for the points of the pile, which the best hands share, and for the 25 points of the declarer."""
    part = Part("deal", before.number)
    for share in lines_of(after, "scored"):
        pile = next(lines_of(after, "ended"))["value"]
        for shown in lines_of(after, "shown"):
            seat, hand = shown["seat"], {"kind": shown["kind"], "cards": shown["best"]}
            if seat not in share["seats"]:
                yield entry(part, seat, "beaten", 0, **hand)
            elif len(share["seats"]) == 1:
                yield entry(part, seat, "best", share["value"], **hand, pile=pile)
            else:
                among = {"pile": pile, "sharers": len(share["seats"])}
                yield entry(part, seat, "best-shared", share["value"], **hand, **among)
    for bonus in lines_of(after, "bonus"):
        if bonus["value"] > 0:
            yield entry(part, bonus["seat"], "ended", bonus["value"])
        else:
            yield entry(part, bonus["seat"], "ended-badly", bonus["value"])
