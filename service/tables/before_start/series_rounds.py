"""The rounds of series. The first begins at its set time, each later one when all games of the round before are over,
or when the time of that round is.

Once a minute, a worker looks at each series that has not ended. In a round-robin, where all rounds are known, games of
later rounds begin early for people who like to play several games at the same time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import rules
from rules.kernel import Json
from service.core.database.database import transaction
from service.core.runtime.problems import NotPossible
from service.core.runtime.units import DAY
from service.people import players
from service.people.circles import circles
from service.people.circles.series import entries, rounds, series, standings_mails
from service.people.circles.series.entries import EntryRow
from service.people.circles.series.round_robin import MOST_PEOPLE, schedule
from service.people.circles.series.rounds import TableRow
from service.people.circles.series.series import SeriesRow
from service.people.circles.series.sizes import table_sizes
from service.people.circles.series.swiss import pair_round
from service.tables.before_start import series_tables, table_setup
from service.tables.services import Services


class Unpaired(NamedTuple):
    """A Swiss series whose present round is over, with everything from which the tables of the next round follow."""

    row: SeriesRow
    people: Sequence[EntryRow]
    found: Sequence[TableRow]

    def is_like(self, other: Unpaired) -> bool:
        """Whether the same tables follow from both: the round is the same, and each place belongs to the same
        person.
        """
        ours, theirs = (
            [(each.number, each.player_id) for each in one.people] for one in (self, other)
        )
        return self.row.round == other.row.round and ours == theirs


Pair = Callable[[SeriesRow, Sequence[EntryRow], Sequence[TableRow]], list[tuple[int, ...]]]
"""A function that makes the tables of the next Swiss round."""


class _Round(NamedTuple):
    """The tables of a round that has been paired, and the series from which they follow."""

    of: Unpaired
    tables: list[tuple[int, ...]]


def set_up(services: Services, circle_id: str, player_id: str, wish: Json) -> SeriesRow:
    """Open a series in a circle as one of its members, and return it.

    Raises NotFound, NotForGuests, NotPossible, TooManyRequests, UnusableName, and whatever `settled_columns` raises.
    """
    refuse_unsuitable(wish["table"])
    with transaction():
        players.prevent_erasure(player_id)
        member = circles.membership(circle_id, player_id, lock=True)
        series.admit_another(services, services.config.secret_key, member.key, player_id)
        terms = {"circle_key": member.key, "player_id": player_id}
        return series.insert_series(services, {**terms_of(wish), **terms})


def set_up_for_all(services: Services, wish: Json) -> SeriesRow:
    """Open a series for everybody, as the operator, and return it. Raises whatever `set_up` raises."""
    refuse_unsuitable(wish["table"])
    with transaction():
        return series.insert_series(services, terms_of(wish))


def terms_of(wish: Json) -> Json:
    """The columns of a series that follow from the terms in `wish`."""
    kept = ("name", "rounds", "round_days", "repeats", "starts_at")
    return {name: wish[name] for name in kept} | {"wish": wish["table"]}


def refuse_unsuitable(table: Json) -> None:
    """Raise NotPossible for tables without a clock or for games that are played live, and whatever `settled_columns`
    raises.
    """
    columns = table_setup.settled_columns({**table, "house": 0})
    if columns["live"]:
        raise NotPossible("series-live")  # such a table waits for people who are present
    if columns["pace"] is None:
        raise NotPossible("series-pace")  # the time of a round could not be relied on


def end(services: Services, series_id: str, player_id: str) -> None:
    """End a series as its lead. Raises NotFound, NotHostOfCircle."""
    with transaction():
        row = series.seen(series_id, player_id, lock=True)
        series.refuse_all_but_lead(row, player_id)
        end_now(services, row)


def end_now(services: Services, row: SeriesRow) -> None:
    """End a series before its last round. The caller has locked it, and owns the commit."""
    if row.status == "running":
        standings_mails.put_final(services, row)
    series.end(services, row)


def join(services: Services, series_id: str, player_id: str, wish: Json) -> tuple[SeriesRow, bool]:
    """Join a series, or change how many games the player plays at the same time; returns the series, and whether the
    player is new in it.

    Raises NotFound, NotForGuests, NotPossible, KeptApart.
    """
    with transaction():
        row = series.seen(series_id, player_id, lock=True)
        return row, entries.join(services, row, player_id, wish)


def leave(series_id: str, player_id: str) -> None:
    """Leave a series. Raises NotFound."""
    with transaction():
        entries.leave(series.seen(series_id, player_id, lock=True), player_id)


def look(services: Services, series_id: str, pair: Pair | None = None) -> bool:
    """Do whatever is due in a series; returns False if another worker has already done so.

    A Swiss round is paired with `pair`, which tests replace. That can take a second, so the series is not locked
    meanwhile. The round begins if the places still belong to the same people; otherwise it is paired again.
    """
    with transaction():
        row = series.find_one(series_id, lock=True)
        due = row is not None and row.status != "over" and row.look_at <= services.now()
        next_look = series.claim(services, row) if row is not None and due else None
        if row is None or next_look is None:
            return False
        entries.vacate_strangers(row)
        if row.status == "running":
            standings_mails.put_weekly(services, row, next_look)
        if row.status == "open":
            row = _begin(services, row)
        unpaired = _go_on(services, row)
    while unpaired is not None:
        made = (pair or paired)(*unpaired)
        with transaction():
            row = series.find_one(series_id, lock=True)
            again = _Round(unpaired, made)
            unpaired = None if row is None else _go_on(services, row, again)
    return True


def _sizes(row: SeriesRow, people: int) -> tuple[int, ...]:
    """The number of seats at each table of a round for so many people."""
    offered = rules.load(row.wish["ruleset"]).players
    wished = row.wish.get("players") or offered[0]
    private = row.circle_key is not None
    allowed = [size for size in offered if series_tables.settled(row.wish, size, private=private)]
    return table_sizes(people, wished, allowed)


def _begin(services: Services, row: SeriesRow) -> SeriesRow:
    """Begin the first round, and return the series; with too few people for a table, the series is over instead."""
    now, people = services.now(), entries.of_series(row.key)
    sizes = _sizes(row, len(people))
    if not sizes:
        return series.change(row, {"status": "over", "ended_at": now})
    random.Random(services.entropy(16)).shuffle(people)
    entries.give_numbers(people)
    if len(people) <= MOST_PEOPLE:
        number = row.rounds or series.rounds_for(len(people), sizes)
        for round_, made in enumerate(schedule(len(people), sizes, number), 1):
            rounds.add_round(row, round_, made)
    else:
        rounds.add_round(row, 1, paired(row, entries.of_series(row.key), []))
    system = "round-robin" if len(people) <= MOST_PEOPLE else "swiss"
    ends_at = now + row.round_days * DAY
    return series.change(
        row, {"status": "running", "system": system, "round": 1, "ends_at": ends_at}
    )


def paired(
    row: SeriesRow, people: Sequence[EntryRow], found: Sequence[TableRow]
) -> list[tuple[int, ...]]:
    """The tables of the next Swiss round, each as the numbers of its places, for the places that somebody has."""
    present = [each.number for each in people if each.number is not None and each.player_id]
    order = present
    if found:
        numbers = [each.number for each in people if each.number is not None]
        ended = row._replace(status="over")  # the present round counts in full
        standing = rounds.standings_of(ended, numbers, found)
        order = [each.who for each in standing if each.who in set(present)]
    outs = rounds.outs_of(present, found, row.round)
    sizes = _sizes(row, len(order))
    return pair_round(order, sizes, rounds.met_of(found), outs, rounds.taken_of(found))


def _go_on(services: Services, row: SeriesRow, made: _Round | None = None) -> Unpaired | None:
    """Count the games that are over, go on to the next rounds if they are due, and let games begin.

    Returns what has to be paired if the next round needs that first and it is not the round that was `made`; otherwise
    None.
    """
    while row.status == "running":
        found = rounds.tables(row.key)
        _decide_some(services, row, found)
        found = rounds.tables(row.key)
        if not all(each.is_decided for each in found if each.round <= row.round):
            break
        people = [each for each in entries.of_series(row.key) if each.number is not None]
        unpaired = Unpaired(row, people, found)
        if row.round >= last_round(row, len(people), found):
            row = _end(services, row)
        elif row.system != "swiss":
            row = _begin_next(services, row)
        elif made is not None and made.of.is_like(unpaired):
            row = _begin_paired(services, row, made.tables)
        else:
            return unpaired
    if row.status == "running":
        rounds.make_ready(_beginning(row, rounds.tables(row.key)), services.now())
    return None


def _decide_some(services: Services, row: SeriesRow, found: Sequence[TableRow]) -> None:
    """Count the games that are over or whose time is."""
    time_is_over = row.ends_at <= services.now()
    for each in found:
        if not each.is_decided and (each.has_begun or each.round <= row.round):
            late = time_is_over and each.round <= row.round
            series_tables.decide(services, each, time_is_over=late)


def _begin_paired(services: Services, row: SeriesRow, made: list[tuple[int, ...]]) -> SeriesRow:
    """Begin the next Swiss round with these tables, and return the series; it ends if too few people are left for a
    table.
    """
    if not made:
        return _end(services, row)
    rounds.add_round(row, row.round + 1, made)
    return _begin_next(services, row)


def _begin_next(services: Services, row: SeriesRow) -> SeriesRow:
    ends_at = services.now() + row.round_days * DAY
    return series.change(row, {"round": row.round + 1, "ends_at": ends_at})


def last_round(row: SeriesRow, people: int, found: Sequence[TableRow]) -> int:
    """The number of the last round of a series that has begun."""
    if row.system == "round-robin":
        return max(each.round for each in found)
    return row.rounds or series.rounds_for(people, ())


def _end(services: Services, row: SeriesRow) -> SeriesRow:
    """End a series after its last round, and return it; if it repeats, people can now join the next season."""
    now = services.now()
    if row.repeats:
        kept = ("circle_key", "player_id", "name", "wish", "rounds", "round_days", "repeats")
        again: Json = {name: getattr(row, name) for name in kept}
        again |= {"season": row.season + 1, "starts_at": now + series.BETWEEN_SEASONS}
        series.insert_series(services, again)
    standings_mails.put_final(services, row)
    return series.change(row, {"status": "over", "ended_at": now})


def _beginning(row: SeriesRow, found: Sequence[TableRow]) -> list[TableRow]:
    """The tables whose games are to begin now."""
    wished = {each.number: each.at_once for each in entries.of_series(row.key) if each.player_id}
    playing = Counter(
        number for each in found if each.has_begun and not each.is_decided for number in each.people
    )
    waiting, beginning = set[int](), list[TableRow]()
    for each in found:
        if each.has_begun:
            continue
        present = [number for number in each.people if number in wished]
        early = all(playing[number] < wished[number] for number in present)
        if each.round <= row.round or (early and waiting.isdisjoint(each.people)):
            beginning.append(each)
            playing.update(each.people)
        else:
            waiting.update(each.people)
    return beginning
