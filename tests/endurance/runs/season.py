"""A season of rated games: ratings find the strengths that were put in.

Up to 200 people, each with a strength, meet in pairs drawn by lot, once a day. Tables, seats, ends of games and ratings
are the service's own; only who wins is drawn, with the odds of the strengths, and whoever loses resigns. Workers rate
the games in portions, sometimes days after they ended. In the end every game is over and rated, all numbers follow
again from the results alone, leaderboards show those who want to be there and are sure enough, and ratings are as far
from the strengths as their deviations promise.

40 days of 200 people take some five minutes on one slow core, the short form seconds. It counts games, the deviation of
ratings from strengths (root mean square), the deviation that they state, and the correlation of both.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator
from typing import NamedTuple

from flask import Flask
from sqlalchemy import insert, text, update

from rules.kernel import Json
from service.core.database.database import db, transaction
from service.core.models.people import Account, Player
from service.operations.worker.ratings import Ratings
from service.people.accounts import guests
from service.people.accounts.guests import GuestRequest
from service.people.ratings import leaderboards, ratings
from service.people.ratings.estimates import MEAN, SCALE
from service.people.ratings.leaderboards import Entry, Known
from service.tables.before_start import table_setup
from service.tables.play import leaving
from service.tables.services import Services
from tests.endurance.application import application, services_of
from tests.endurance.frame import Definition, Run
from tests.support.cast import CARAVAN, Clock
from tests.support.clock import DAY, MINUTE
from tests.support.dump import execute

PEOPLE, PEOPLE_A_DAY = 200, 5
"""The number of people, and how many for each day that is played: short forms have small towns."""
SPREAD = 200
"""Points: the standard deviation of the strengths that are put in."""
OFF = 1.3
"""The most by which ratings may be farther off than they say."""
RATED_AT_ONCE = 3
"""The number of days of which one ends with all games rated."""
WISH: Json = {
    "ruleset": CARAVAN,
    "players": 2,
    "options": {},
    "private": False,
    "seating": "random",
    "house": 0,
    "level": "normal",
    "start": "full",
    "takeover": 3,
    "nonce": None,
}


class Person(NamedTuple):
    """Somebody, and how well they play in points."""

    id: str
    strength: float
    listed: bool


def endure(run: Run) -> None:
    """Play this number of days."""
    clock = Clock()
    app = application(run, clock)
    services = services_of(app)
    with app.app_context():
        people = town(run, services)
        worker = Ratings(services)
        for _ in range(run.rounds):
            for one, other in pairs(run.rng, people):
                clock.forward(MINUTE)
                play(run, services, one, other)
            clock.forward(DAY)
            if run.rng.randrange(RATED_AT_ONCE) == 0:
                rate(worker)
        plant(app, run.fault)
        rate(worker)
        plant_later(app, run.fault)
        judge(run, people)


def town(run: Run, services: Services) -> list[Person]:
    """People with accounts, of whom half want to be on leaderboards."""
    found = []
    for n in range(min(PEOPLE, PEOPLE_A_DAY * run.rounds)):
        guest = guests.create(services, GuestRequest(f"Player {n}", "en"))
        person = Person(guest.player.id, run.rng.gauss(MEAN, SPREAD), n % 2 == 0)
        with transaction():
            row = {"player_id": person.id, "handle": f"player{n}", "registered_at": 0}
            db.session.execute(insert(Account).values(row))
            mine = update(Player).where(Player.id == person.id)
            db.session.execute(mine.values(listed=person.listed))
        found.append(person)
    run.count("people", len(found))
    return found


def pairs(rng: random.Random, people: list[Person]) -> Iterator[tuple[Person, Person]]:
    """Pairs of people, drawn by lot; one person may be left over."""
    shuffled = rng.sample(people, len(people))
    return zip(shuffled[::2], shuffled[1::2], strict=False)


def play(run: Run, services: Services, one: Person, other: Person) -> None:
    """A game at a rated table, won with the odds of the strengths."""
    game_id = table_setup.open_table(services, one.id, WISH).game.id
    table_setup.sit(services, game_id, other.id, {})
    chance = 1 / (1 + 10 ** ((other.strength - one.strength) / 400))
    loser = other if run.rng.random() < chance else one
    leaving.resign(services, game_id, loser.id)
    db.session.remove()
    run.count("games")


def rate(worker: Ratings) -> None:
    """Rate all games that wait for it."""
    while worker.rate_some():
        pass


def plant(app: Flask, fault: str) -> None:
    """Let the fault happen that is to be found, before the last games are rated."""
    if fault == "swapped-places":
        execute(app, "UPDATE rated_results SET place = 3 - place, mean = NULL")


def plant_later(app: Flask, fault: str) -> None:
    """The same for faults of what is rated."""
    if fault == "wrong-number":
        execute(app, "UPDATE rated_results SET mean = mean + 1000 WHERE game_key % 50 = 0")
    if fault == "forgotten-game":
        execute(app, "DELETE FROM rated_results WHERE game_key % 50 = 0")


def judge(run: Run, people: list[Person]) -> None:
    """Check that everything is over, rated and consistent, and that ratings have found the strengths."""
    games = int(run.counts["games"])
    over = db.session.scalar(text("SELECT count(*) FROM games WHERE status = 'over'"))
    assert over == games, f"{over} of {games} games are over"
    counted = "SELECT count(DISTINCT game_key), count(*), count(mean) FROM rated_results"
    found = tuple(db.session.execute(text(counted)).one())
    assert found == (games, 2 * games, 2 * games), f"games, results and ratings: {found}"
    changed = sum(each.changed for each in ratings.recompute())
    assert changed == 0, f"{changed} numbers do not follow from the results"
    known = {each.id: leaderboards.of_player(each.id)[0] for each in people}
    judge_leaderboard(run, people, known)
    judge_strengths(run, people, known)


def judge_leaderboard(run: Run, people: list[Person], known: dict[str, Known]) -> None:
    """Check that it shows whoever wants to be there and is sure enough, the best first, and nobody else."""
    most = leaderboards.MOST_DEVIATION * SCALE
    wanted = {each.id for each in people if each.listed and known[each.id].deviation <= most}
    shown, cursor = list[Entry](), None
    while True:
        page, _, cursor = leaderboards.leaderboard(CARAVAN, cursor, 20)
        shown += page
        if cursor is None:
            break
    assert {each.who for each in shown} == wanted and len(shown) == len(wanted), "who is listed"
    means = [each.mean for each in shown]
    assert means == sorted(means, reverse=True), "the best are not first"
    run.count("on the leaderboard", len(shown))


def judge_strengths(run: Run, people: list[Person], known: dict[str, Known]) -> None:
    """Check that ratings are as near the strengths as they say."""
    found = [known[each.id].mean / SCALE for each in people]
    strengths = [each.strength for each in people]
    off = root_mean_square(one - other for one, other in zip(found, strengths, strict=True))
    told = root_mean_square(known[each.id].deviation / SCALE for each in people)
    correlation = statistics.correlation(found, strengths)
    run.counts |= {"points off": round(off), "points told": round(told)}
    run.counts["correlation"] = round(correlation, 3)
    assert off <= OFF * told, f"ratings are {off:.0f} points off, and say {told:.0f}"
    expected = math.sqrt(max(0, 1 - (told / SPREAD) ** 2))
    assert correlation >= expected - 0.15, f"ratings and strengths correlate by {correlation:.2f}"


def root_mean_square(values: Iterator[float]) -> float:
    """The root of the mean square."""
    return math.sqrt(statistics.mean(each * each for each in values))


DEFINITION = Definition(
    endure,
    rounds=40,
    quick=8,
    unit="days",
    faults=("swapped-places", "wrong-number", "forgotten-game"),
    planted=10,
)
