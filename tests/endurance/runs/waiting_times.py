"""Answers by standing orders, only moves and people: whoever watches the times cannot tell which is which.

At each table of Boomerang Auction the first player bids so much that the second one can only pass. That is done by a
standing order, because it is their only move, or by themselves: a script whose times have the same distribution. The
third player is away and gets a mail. The first one watches as closely as a program can: the table with held polls, its
history, the third player's mails, and games of their own, in which the worker plays each second, since somebody's time
is over. From these it knows how long each answer took, how its time looks to the millisecond, how long after that the
table showed it and the mail came, how close it was to something else that the worker did, and how often the table
changed. For each of these, the answers of the service and those of people are compared by the test of Kolmogorov and
Smirnov, with a chance of one in a hundred thousand for a false alarm; and the table has to look alike afterwards.

A round takes some seven seconds and gives 8 answers of each kind. It counts answers, and the greatest distances.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from service.core.runtime.units import SECOND
from service.tables.clocks import own_answers
from tests.endurance.frame import Definition, Run
from tests.endurance.two_samples import distance, greatest
from tests.endurance.watching import FORCED, ORDER, PERSON, SECONDS, Seen, Watched
from tests.support.servers.planted_answers import FAULTS

TABLES = 8
"""The number of tables of each kind that are played at the same time."""
CHANCE = 1e-5
"""The chance that one comparison finds a difference where there is none."""


def endure(run: Run) -> None:
    """Watch this number of rounds, then compare."""
    seen = defaultdict[str, list[Seen]](list)
    with Watched(run) as watched:
        for _ in range(run.rounds):
            watched.begin_own_tables()
            kinds = [PERSON, ORDER, FORCED] * TABLES
            run.rng.shuffle(kinds)
            waits = [drawn(run.rng) for _ in kinds]
            with ThreadPoolExecutor(len(kinds)) as threads:
                answers = [*threads.map(watched.answer, kinds, waits)]
            for kind, answer in zip(kinds, answers, strict=True):
                seen[kind].append(answer)
                run.count("answers of each kind", kind == PERSON)
        compare(run, seen, {kind: watched.numbers(each) for kind, each in seen.items()})


def drawn(rng: random.Random) -> float:
    """The wait of a person (ms), with the distribution of those of the service."""
    key, seat = rng.randbytes(32), 1
    return own_answers.wait(key, "g", seat, rng.randrange(10**6), SECONDS * SECOND)


def compare(
    run: Run, seen: Mapping[str, Sequence[Seen]], numbers: Mapping[str, dict[str, list[float]]]
) -> None:
    """Compare the answers of the service with those of people. Raises AssertionError for a difference."""
    found, shown = list[str](), {kind: shown_of(each) for kind, each in seen.items()}
    for kind in (ORDER, FORCED):
        for what, people in numbers[PERSON].items():
            ours = numbers[kind][what]
            apart = distance(ours, people)
            run.most(f"distance: {what}", apart)
            if apart > greatest(len(ours), len(people), CHANCE):
                found.append(f"{kind}, {what}: {apart:.2f}")
        if other := shown[kind] ^ shown[PERSON]:
            found.append(f"{kind} is shown otherwise: {sorted(other)}")
    assert not found, "; ".join(found)


def shown_of(answers: Sequence[Seen]) -> set[str]:
    """Everything that was shown of these answers."""
    return {each for answer in answers for each in answer.shown}


DEFINITION = Definition(endure, rounds=20, quick=4, faults=FAULTS, planted=10, daily=False)
