"""No frequent task scans a table that grows: indexes find everything, however many rows there are."""

from __future__ import annotations

import itertools

import pytest
from sqlalchemy import Integer, inspect

from service.core.database.database import db
from service.core.runtime.units import DAY, HOUR
from service.notifications.receivers import deliveries, next_deliveries
from service.operations.worker import daily_purge
from service.operations.worker.analyses import Analyses
from service.operations.worker.deadlines import LATE, WeeklyTables
from service.operations.worker.glance import NOW
from service.operations.worker.ratings import PlayedGames, Ratings
from service.outbox import queue
from service.people.circles import weeklies
from service.people.circles.series import rounds, series
from service.people.ratings.played.counting import waiting_games
from service.tables.play.analyses.analyses import waiting_analyses
from service.tables.play.house_players import waiting_seats
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.circles import found, join, key_of, path
from tests.support.clock import Hours
from tests.support.dump import execute
from tests.support.post_office import Office
from tests.support.proposing import registered
from tests.support.query_plans import asked, fixed_text, scanned
from tests.support.receiving import Receiver, made
from tests.support.thinking import in_turn

pytestmark = pytest.mark.both_databases

PAGES = {
    "the lobby": "/api/games?status=open",
    "its free places": "/api/games?free=1",
    "the lobby of one game": f"/api/games?status=open&ruleset={CARAVAN}",
    "running games": "/api/games?status=running",
    "finished games": "/api/games?status=over",
    "somebody's games": "/api/games?mine=true",
    "somebody's finished games": "/api/games?mine=true&status=over",
    "what waits for somebody": "/api/me/turns",
    "invitations": "/api/me/invitations",
    "what is unread": "/api/me/unread",
    "a table": "/api/games/{}",
    "its history": "/api/games/{}/events?limit=20",
    "earlier tables": "/api/games/{}/views?limit=20",
    "its clock": "/api/games/{}/clock",
    "its talk": "/api/games/{}/talk",
    "its proposals": "/api/games/{}/proposals",
    "records of games": "/api/records?mine=false",
    "one's own records": "/api/records?mine=true",
    "what has changed": "/api/me/changes",
    "the page of the lobby": "/",
    "the page of finished games": "/finished",
    "one's ratings": "/api/me/ratings",
    "people whom one follows": "/api/me/follows",
    "people who follow one": "/api/me/followers",
    "one's circles": "/api/me/circles",
    "one's rated games": f"/api/me/ratings/{CARAVAN}",
    "a leaderboard": f"/api/rulesets/{CARAVAN}/leaderboard",
    "ratings without scripts": "/plain/ratings",
    "a leaderboard without scripts": f"/plain/ratings/{CARAVAN}",
}
MANY = 20_000
"""The number of players whose webhooks have seen all changes."""
PLAYERS = """
INSERT INTO players (id, name, language, created_at{names})
SELECT 'p_many' || n, 'many', 'en', 0{values} FROM n
"""
RECEIVERS = """
INSERT INTO receivers (id, player_id, kind, url, host, label, made_at, generation, before, seen,
    sequence, failures, held_until, quick)
SELECT 'w_many' || n, 'p_many' || n, 'webhook', 'https://h' || n || '.example/', 'h' || n, '', 0,
    0, 0, 7, 0, 0, 0, FALSE FROM n
"""
LISTENERS = """
INSERT INTO listeners (player_id, last, first, spread, read_at)
SELECT 'p_many' || n, 7, 0, 7, 0 FROM n
"""
ONCE_A_DAY = {"admissions", "bounces", "listeners", "receivers", "credentials", "reports"}
"""Tables that the purge may scan: they grow with people and their programs, and not with what they play."""
ONCE_AN_HOUR = (
    "UPDATE credentials SET scopes",
    "SELECT receivers.id FROM receivers WHERE receivers.id >",
)
"""The beginnings of statements that repair an earlier release's rows, some rows at a time."""
NUMBERS = f"WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {MANY}) "


FAULTS = {
    "sqlite": ("/api/games?mine=true", "ix_tenures_player_id_game_key", "tenures"),
    "postgresql": ("/api/me/webhooks", "ix_receivers_player_id", "receivers"),
}
"""A page, the index that it needs, and its table. Each kind of database can do without the others if necessary."""


@pytest.mark.own_database
def test_an_index_that_is_missing_is_noticed(app, cast):
    """It is the fault for which the other tests look."""
    cast.start(BOOMERANG)
    with app.app_context():
        path, index, table = FAULTS[db.engine.dialect.name]
    assert scanned(app, asked(app, lambda: cast.alice.get(path))) == set()
    execute(app, f"DROP INDEX {index}")
    found = scanned(app, asked(app, lambda: cast.alice.get(path)))
    assert table in str({name for name, _ in found})


def test_pages_lists_and_histories(app, cast):
    Office(app).address(*cast.seated)
    over, game_id = cast.start(CARAVAN), cast.start(BOOMERANG, pace="relaxed")
    cast.alice.post(f"/api/games/{over}/resignation", {}, 200)
    cast.open()

    def look():
        for page, person in itertools.product(PAGES.values(), (cast.alice, cast.mallory)):
            answer = person.send("GET", page.format(game_id))
            assert answer.status_code in {200, 204}, page

    statements = asked(app, look)
    assert len(set(statements)) > len(PAGES)
    assert scanned(app, statements) == set()


def test_ratings_of_games_that_have_ended(app, cast):
    registered(cast.alice, cast.bob)
    services = app.extensions["tegami"]

    def rate():
        for _ in range(2):
            game_id = cast.start(CARAVAN)
            cast.bob.post(f"/api/games/{game_id}/resignation", {}, 200)
            with app.app_context():
                assert Ratings(services).rate_some() == 1

    assert scanned(app, asked(app, rate)) == set()


def test_analyses_of_finished_games(app, cast, clock):
    games = [cast.start(CARAVAN) for _ in range(2)]
    worker = Analyses(app.extensions["tegami"], in_turn, lambda *_: 1)
    for game_id in games:
        cast.play(game_id)

    def analyse():
        for game_id in games:
            path = f"/api/games/{game_id}/analysis"
            cast.alice.put(path, None, status=202)
            cast.alice.get(path)
            with app.app_context():
                worker.step()
                while worker.step():
                    pass
            cast.alice.get(path)

    assert scanned(app, asked(app, analyse)) == set()


OF_ALICE = ("", "/games", "/games?limit=1", f"/ratings/{CARAVAN}", f"/ratings/{CARAVAN}?limit=1")


def test_pages_of_players(app, cast):
    registered(cast.alice, cast.bob)
    services, games = app.extensions["tegami"], [cast.start(CARAVAN) for _ in range(3)]
    for game_id in games:
        cast.bob.post(f"/api/games/{game_id}/resignation", {}, 200)
    with app.app_context():
        assert PlayedGames(services).count_some() == Ratings(services).rate_some() == 3
    seat = cast.alice.game(games[0])["seats"][0]["tenure"]

    def look():
        for part, person in itertools.product(OF_ALICE, (cast.alice, cast.bob)):
            page = person.get(f"/api/players/alice{part}")
            if "limit" in part:
                person.get(f"/api/players/alice{part}&cursor={page['next']}")
        cast.bob.get(f"/api/games/{games[0]}/seats/{seat}/player")
        cast.mallory.refused("GET", "/api/players/alice", "not-found")

    assert scanned(app, asked(app, look)) == set()


OF_CIRCLE = (
    *("", "messages?limit=1", "games", "games?status=open", "games?status=over"),
    *("results", f"results?ruleset={CARAVAN}", "invitation"),
)


def test_pages_and_weekly_tables_of_circles(app, cast, clock):
    registered(*cast.everybody)
    circle_id = found(cast.alice, cast.bob)
    circle = cast.alice.get(path(circle_id))
    weekly = {"weekday": 1, "time": "20:00", "time_zone": "UTC", "table": {"ruleset": CARAVAN}}
    game_id = cast.alice.post(path(circle_id, "games"), {"ruleset": CARAVAN})["id"]
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)

    def live():
        said = cast.bob.post(path(circle_id, "messages"), {"text": "Hello", "once": "0" * 16})
        cast.alice.put(path(circle_id, "mark"), {"number": said["number"]}, 204)
        for more, person in itertools.product(OF_CIRCLE, (cast.alice, cast.bob)):
            person.get(path(circle_id, more), headers=key_of(circle))
        cast.bob.send("GET", f"/plain/circles/{circle_id}")
        cast.alice.post(path(circle_id, f"messages/{said['id']}/reports"), {}, 204)
        cast.alice.delete(path(circle_id, f"messages/{said['id']}"))
        added = cast.bob.post(path(circle_id, "weeklies"), weekly)["id"]
        clock.forward(8 * DAY)
        with app.app_context():
            assert WeeklyTables(app.extensions["tegami"]).open_all() == 1
        cast.bob.delete(path(circle_id, f"weeklies/{added}"))
        joined = join(cast.carol, circle)["member"]
        cast.alice.send("PUT", path(circle_id, "host"), json={"member": joined})
        cast.carol.delete(path(circle_id, f"members/{joined}"))
        cast.bob.delete(path(circle_id, f"members/{cast.bob.get(path(circle_id))['member']}"))
        cast.alice.delete(path(circle_id))

    of_tenures = {
        "votes",
        "messages",
    }  # SQLite looks there if tenures go, but nobody sat at that table
    assert scanned(app, asked(app, live), small=of_tenures) == set()


def test_counting_games_that_have_ended(app, cast):
    services = app.extensions["tegami"]

    def count():
        for _ in range(2):
            game_id = cast.start(CARAVAN)
            cast.bob.post(f"/api/games/{game_id}/resignation", {}, 200)
            with app.app_context():
                assert PlayedGames(services).count_some() == 1

    assert scanned(app, asked(app, count)) == set()


def test_feeds_of_programs(app, cast):
    cast.start(BOOMERANG, pace="relaxed")
    feed = cast.alice.post("/api/me/feeds", {"label": "mine"})["feed"]
    path = "/feeds/" + feed["turns"].partition("/feeds/")[2]
    statements = asked(app, lambda: cast.mallory.get(path))
    assert statements
    assert scanned(app, statements) == set()


def test_the_daily_purge(app, cast, clock):
    cast.start(CARAVAN)
    with app.app_context():
        statements = asked(app, lambda: daily_purge.purge(clock() + DAY))
    assert len(statements) >= len(daily_purge.EXPIRING)
    assert scanned(app, statements, small=ONCE_A_DAY) == set()


def test_mails_digests_and_webhooks_of_a_day(app, cast, clock):
    office, hours = Office(app), Hours(app, clock)
    office.address(*cast.seated)
    execute(app, "UPDATE players SET digest = '08:00' WHERE id = :id", id=cast.alice.id)
    receiver = Receiver(app)
    made(cast.alice)
    cast.play(cast.start(CARAVAN, pace="relaxed"), most=4)

    def day():
        for _ in range(24):
            hours.later(HOUR)
            office.deliver()
            receiver.fetch()

    statements = [each for each in asked(app, day) if not each.startswith(ONCE_AN_HOUR)]
    assert receiver.got
    assert scanned(app, statements) == set()


GLANCES = [deliveries.NEWS, next_deliveries.DUE, queue.DUE, waiting_seats(), waiting_games()]
GLANCES += [late(NOW) for late in LATE] + [waiting_analyses(NOW), weeklies.due(NOW)]
GLANCES += [series.due(NOW), rounds.ready(NOW)]


@pytest.mark.own_database
def test_a_glance_looks_at_what_is_due_alone_however_many_receivers_there_are(app, cast, clock):
    cast.start(BOOMERANG, pace="relaxed")
    queries = [fixed_text(app, each, now=clock()) for each in GLANCES]
    few = [work_of(app, each) for each in queries]
    columns = {
        name: kind
        for name, kind in required_columns(app, "players").items()
        if name not in {"id", "name", "language", "created_at"}
    }
    names = "".join(f", {name}" for name in columns)
    values = "".join(f", {kind}" for kind in columns.values())
    for filled in (PLAYERS.format(names=names, values=values), RECEIVERS, LISTENERS):
        into, _, chosen = filled.partition("SELECT")
        execute(app, f"{into} {NUMBERS} SELECT {chosen}")
    execute(app, "ANALYZE")
    for query, before in zip(queries, few, strict=True):
        assert work_of(app, query) <= before + 20, query


OF_ONE = ("somebody's games", "somebody's finished games", "one's own records")


@pytest.mark.own_database
def test_what_is_ones_own_is_found_among_ones_own_games(app, cast):
    """An index alone is not enough: all finished games of all people have an index too."""
    over = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{over}/resignation", {}, 200)
    statements = [
        each
        for name in OF_ONE
        for each in asked(app, lambda path=PAGES[name]: cast.mallory.send("GET", path))
        if " FROM games" in each and "%(" not in each  # those of PostgreSQL's driver have no values
    ]
    few = [work_of(app, each) for each in statements]
    with app.app_context():
        columns = [each["name"] for each in inspect(db.engine).get_columns("games")]
    copied = {"key": '"key" + n', "id": "substr(id, 1, 12) || n"}
    values = ", ".join(copied.get(name, f'"{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    execute(app, f"INSERT INTO games ({names}) {NUMBERS} SELECT {values} FROM games, n")
    for statement, before in zip(statements, few, strict=True):
        assert work_of(app, statement) <= before + 20, statement


def required_columns(app, table):
    """Columns that need a value, each with one."""
    with app.app_context():
        found = inspect(db.engine).get_columns(table)
    return {
        each["name"]: "0" if isinstance(each["type"], Integer) else "''"
        for each in found
        if not each["nullable"] and each["default"] is None
    }


def work_of(app, query):
    """Steps of SQLite, in hundreds, or pages that PostgreSQL looks at."""
    with app.app_context(), db.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            steps = []
            driver = connection.connection.driver_connection
            driver.set_progress_handler(lambda: steps.append(None), 100)
            connection.exec_driver_sql(query).all()
            driver.set_progress_handler(None, 0)
            return len(steps)
        explained = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}".replace("%", "%%")
        plan = connection.exec_driver_sql(explained).scalar_one()[0]["Plan"]
        return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
