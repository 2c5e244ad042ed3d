"""Standing: what scores are worth to each seat while a game goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence


def shares(scores: Sequence[float], step: float) -> list[float]:
    """What each seat may expect, 1 in all: `step` points more make a seat e times as likely to win."""
    best = max(scores)
    weights = [math.exp((score - best) / step) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
