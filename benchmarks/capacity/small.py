"""One small machine (two cores, 4 GB, an SSD, SQLite), and how many players each part of it can carry."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.capacity.costs import Costs
from benchmarks.capacity.sites import BUSY, SENDERS, SMTP_SECONDS
from benchmarks.capacity.usage import DAY, Usage
from service.operations.thinking.thinking_time import duration

CORES, GIGABYTES = 2, 4
MAILS_PER_DAY = 5000
"""The default of the setting with this name."""
SLOW_FLUSH = 4.0
"""How long (ms) a network disk takes to store something durably."""
KEPT_DAYS = 365
Part = tuple[str, str, str, float]
"""The name of a part, how much of it a player uses in a day, its capacity, and the number of players in an average
hour.
"""


def parts_of_a_small_machine(costs: Costs, usage: Usage) -> Iterator[Part]:
    """Each part of the machine, if none may be busier than BUSY in the busiest hour; emails are counted for the whole
    day.
    """
    cpu = web_ms(costs, usage) + worker_ms(costs, usage)
    yield "cores: requests, emails, moves", f"{cpu:,.0f} ms", f"{CORES} cores", _of(cpu, CORES)
    yield (
        "one worker: emails, moves of house players",
        f"{worker_ms(costs, usage):,.0f} ms",
        "1 core",
        _of(worker_ms(costs, usage), 1),
    )
    yield from _of_the_writer(costs, usage)
    thinking = 1000 * sum(
        usage.house_moves * part * duration(level) for level, part in usage.levels.items()
    )
    yield (
        "one thinker with full thinking time",
        f"{thinking:,.0f} ms",
        "1 thinker",
        _of(thinking, 1),
    )
    sending = usage.mails * 1000 * SMTP_SECONDS
    yield (
        "senders: connections to the mail server",
        f"{sending:,.0f} ms",
        f"{SENDERS} connections",
        _of(sending, SENDERS),
    )


def _of_the_writer(costs: Costs, usage: Usage) -> Iterator[Part]:
    flushes = flushes_of(costs, usage)
    for name, flush in (
        ("with this disk", costs.of("flush").value),
        ("with a slow disk", SLOW_FLUSH),
    ):
        yield (
            f"SQLite's writer {name}",
            f"{flushes:.1f} flushes of {flush:.2g} ms",
            "1 writer",
            _of(flushes * flush, 1),
        )


def web_ms(costs: Costs, usage: Usage, kind: str = "sqlite") -> float:
    """The CPU time (ms) of web processes for one player in a day."""
    return sum(
        number * costs.of(f"web: {name}", kind).value for name, number in usage.requests.items()
    )


def worker_ms(costs: Costs, usage: Usage, kind: str = "sqlite") -> float:
    """The CPU time (ms) of workers for one player in a day; a house player's move costs as much as any other."""
    mails = usage.mails * costs.of("worker: turn mail", kind).value
    return mails + usage.house_moves * costs.of("web: move", kind).value


def flushes_of(costs: Costs, usage: Usage, kind: str = "sqlite") -> float:
    """The flushes to the disk for one player in a day."""
    moves = usage.moves + usage.house_moves
    of_moves = moves * costs.of("flushes: move", kind).value
    return of_moves + usage.mails * costs.of("flushes: turn mail", kind).value


def bytes_of(costs: Costs, usage: Usage, kind: str = "sqlite") -> float:
    """The bytes that one player's actions of a day leave on the disk; emails are kept for only a month."""
    events = (usage.moves + usage.house_moves) * costs.of("disk: event", kind).value
    return events + usage.games * costs.of("disk: game, besides events", kind).value


def _of(ms: float, servers: int) -> float:
    return servers * BUSY * DAY * 1000 / ms
