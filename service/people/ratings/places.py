"""The places of players in a finished game, from its result alone: no ruleset is known by name here."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rules.kernel import Json


def places(result: Json, left: Collection[int], counted: Sequence[int]) -> list[int]:
    """The place of each seat that is `counted`, in their order: 1 for the best, the same for equals.

    Winners come first, and seats whose players have `left` before the end last. The others are in between, ordered by
    their scores if these show whether more or less is better: no winner may then have a worse score than a seat that
    has lost. Otherwise they are equals. If nobody has won, all who stayed are equals.
    """
    standings = {seat: _standing(result, seat, left) for seat in counted}
    return [1 + sum(other < standings[seat] for other in standings.values()) for seat in counted]


def _standing(result: Json, seat: int, left: Collection[int]) -> tuple[int, int]:
    """The key by which seats are ordered, the best first."""
    winners = result["winners"]
    if seat in left:
        return 2, 0
    if not winners or seat in winners:
        return 0, 0
    score = result["scores"][seat]
    return 1, (0 if score is None else -score * _direction(result))


def _direction(result: Json) -> int:
    """The direction in which scores are better: 1 for more, −1 for less, 0 if these scores do not show it."""
    scores, winners = result["scores"], result["winners"]
    won = [scores[seat] for seat in winners if scores[seat] is not None]
    lost = [score for seat, score in enumerate(scores) if seat not in winners and score is not None]
    if not won or not lost:
        return 0
    return int(min(won) >= max(lost)) - int(max(won) <= min(lost))
