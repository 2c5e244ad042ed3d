"""The last release and the present one on one database, during an update and back: nothing fails or is lost.

With whole servers, under load: tests/endurance/runs/rolling_update.py.
"""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.log.verification.verify_record import verify
from service.operations.stored_data import migrating
from service.operations.worker import half_new_rows
from service.web.app import create_app
from tests.support.cast import CARAVAN
from tests.support.dump import execute
from tests.support.servers.databases import disconnect
from tests.support.servers.earlier_release import (
    EARLIER,
    LAST,
    Answer,
    EarlierProcess,
    EarlierRelease,
)
from tests.support.servers.key_files import write_keys

pytestmark = [pytest.mark.both_databases, pytest.mark.own_database, pytest.mark.of_service]


class Present:
    """The present release, asked as an earlier one is."""

    def __init__(self, app):
        self._client = app.test_client(use_cookies=False)

    def ask(self, method, path, headers, body=None):
        answer = self._client.open(path, method=method, headers=headers, json=body)
        return Answer(answer.status_code, answer.get_json(silent=True))


class Players:
    """Two people with programs that play with any release; confirmed moves are kept."""

    def __init__(self, release):
        self.tokens = [self.arrive(release, name) for name in ("Alice", "Bob")]
        self.confirmed = set()

    def ask(self, release, who, method, path, body=None, status=200):
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        answer = release.ask(method, path, headers, body)
        assert answer.status == status, (path, answer)
        return answer.body

    def arrive(self, release, name):
        scopes = ["read", "play", "talk", "account"]
        body = {"name": name, "token": f"{name}'s program"}
        answer = release.ask("POST", "/api/players", {}, body | {"scopes": scopes})
        assert answer.status == 201, answer
        return answer.body["token"]["secret"]

    def open(self, release):
        body = {"ruleset": CARAVAN, "seating": "order", "nonce": None}
        return self.ask(release, 0, "POST", "/api/games", body, 201)["id"]

    def begin(self, release, game):
        self.ask(release, 1, "POST", f"/api/games/{game}/seats", {}, 201)
        self.ask(release, 0, "POST", f"/api/games/{game}/start")

    def opened_and_begun(self, first, then):
        """A game whose table one release opened and another one started."""
        game = self.open(first)
        self.begin(then, game)
        return game

    def play(self, releases, games):
        """A move in every game by each of the releases in turn."""
        for release in releases:
            for game in games:
                self.move(release, game)

    def move(self, release, game):
        """Make one move for a player who is asked."""
        for who in (0, 1):
            shown = self.ask(release, who, "GET", f"/api/games/{game}")
            if shown["legal"]:
                body = {"asked": shown["asked"], "action": shown["legal"][0]["action"]}
                played = self.ask(release, who, "POST", f"/api/games/{game}/actions", body, 201)
                self.confirmed.add((game, played["number"]))
                return

    def end(self, release, game):
        """Let Alice resign; the record, which was verified."""
        self.ask(release, 0, "POST", f"/api/games/{game}/resignation")
        record = self.ask(release, 0, "GET", f"/api/games/{game}/record")
        return verify(text(record).encode())


@pytest.fixture
def present(config):
    app = create_app(config)
    yield app
    disconnect(app)


def earlier_process(release, config):
    """A process of a release over the same database and with the same keys."""
    write_keys(config.data_dir, config)
    settings = {
        "DATABASE_URL": config.database_url,
        "DATA_DIR": str(config.data_dir),
        "PUBLIC_URL": config.public_url,
        "RATE_LIMITS": "off",
    }
    return EarlierProcess(release, settings, config.data_dir / "earlier.log")


@pytest.mark.parametrize("ref", [LAST, pytest.param(EARLIER, marks=pytest.mark.thorough)])
def test_an_old_process_and_a_new_one_play_the_same_games_forwards_and_back(config, present, ref):
    release = EarlierRelease.unpacked(ref)
    earlier = release.revisions.last
    migrating.upgrade(present, earlier)
    with earlier_process(release, config) as old:
        new, players = Present(present), Players(old)
        games = [players.open(old), players.open(old)]
        players.begin(old, games[0])
        players.move(old, games[0])
        migrating.upgrade(present)
        players.begin(old, games[1])
        games += [players.opened_and_begun(*each) for each in ((old, old), (old, new), (new, old))]
        assert Players(old).ask(new, 0, "GET", "/api/me")["player"]["name"] == "Alice"
        players.play((old, new), games)
        with present.app_context():
            half_new_rows.repair()
        players.play((new, old), games)
        migrating.upgrade(present, earlier)
        players.play((old,), games)
    migrating.upgrade(present)
    players.play((new,), games)
    for game in games:
        logged = {event["number"] for event in players.end(new, game)["events"]}
        assert {number for played, number in players.confirmed if played == game} <= logged
    tokens = "SELECT count(*) FROM credentials WHERE kind = 'token' AND scopes IS NULL"
    assert [tuple(row) for row in execute(present, tokens)] == [(0,)]
