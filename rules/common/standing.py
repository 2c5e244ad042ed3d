"""The value of the present scores to each seat, while a game goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence


def shares(scores: Sequence[float], step: float) -> list[float]:
    """The probability of winning for each seat, 1 in total; `step` more points make a seat e times as likely to win."""
    best = max(scores)
    weights = [math.exp((score - best) / step) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
