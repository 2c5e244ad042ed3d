"""Two releases serve at once while the tables are migrated under load, and back again: nothing fails or is lost.

Four pairs of people play without a pause on the last release. The tables are migrated; a server of the present release
is started next to it, and both are used in turn; then the server of the last release is stopped. Then all of it goes
back, tables too. Each move that was confirmed is in the log, everybody still has a seat, no answer is one that nobody
should get, and neither release has crashed.

A round takes two minutes. It counts confirmed moves, people, and migrations each way. Its everyday form is
tests/service/core/models/test_side_by_side.py, where both releases answer in turn.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from service.core.settings.config import Config
from service.operations.stored_data import migrating
from service.web.app import create_app
from tests.endurance.application import settings
from tests.endurance.frame import Definition, Run
from tests.support.damaging import damage
from tests.support.dump import execute
from tests.support.servers.databases import disconnect
from tests.support.servers.earlier_release import LAST, NO_HISTORY, EarlierRelease
from tests.support.servers.key_files import write_keys
from tests.support.servers.preloaded import ROOT
from tests.support.servers.server import Server
from tests.support.steady_load import SteadyLoad

_LOGGED = "SELECT games.id, events.number FROM events JOIN games ON games.key = game_key"


def missing() -> str:
    """The history of the clone has the last release; without it, the run is not possible."""
    found = ["git", "-C", str(ROOT), "cat-file", "-e", f"{LAST}^{{commit}}"]
    return NO_HISTORY if subprocess.run(found, capture_output=True, check=False).returncode else ""


def server_over(config: Config, folder: Path) -> Server:
    """A server over the same database and with the same keys."""
    folder.mkdir()
    write_keys(folder, config)
    return Server(folder, config.database_url, preloaded=False)


class Update:
    """Both releases over one database."""

    def __init__(self, run: Run) -> None:
        self.run, config = run, settings(run)
        release = EarlierRelease.unpacked(LAST)
        self.earlier = release.revisions.last
        self.app = create_app(config)
        run.until_the_end.callback(disconnect, self.app)
        migrating.upgrade(self.app, self.earlier)
        self.last, self.new = (server_over(config, run.folder / each) for each in ("last", "new"))
        self.last.root = release.root

    def migrate(self, *words: str) -> None:
        """Migrate to the present tables, as the operator does, or as `words` say."""
        done = self.new.python("-m", "service.operations.commands", "migrate", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        self.run.count("migrations back" if words else "migrations")

    def forwards_and_back(self, load: SteadyLoad) -> None:
        """Go from the last release to the present one and back; the last release runs at the end."""
        self.migrate()
        load.go_on()
        with self.new:
            load.urls = [self.last.url, self.new.url]
            load.go_on(24)
            self.last.stop("web", "worker")
            load.urls = [self.new.url]
            load.go_on()
            self.new.stop("web", "worker")
        self.migrate("--to", self.earlier)
        for name in ("web", "worker"):
            self.last.launch(name)
        self.last.await_health()
        load.urls = [self.last.url]
        load.go_on()


def endure(run: Run) -> None:
    """Update and go back this many times."""
    update = Update(run)
    with SteadyLoad(4, [update.last.url]) as load, update.last:
        load.go_on()
        for _ in range(run.rounds):
            update.forwards_and_back(load)
    run.counts |= {"confirmed moves": len(load.moves), "people": len(load.people)}
    migrating.upgrade(update.app)
    if run.fault == "lost-move":
        game, number = load.moves[-1]
        command = "DELETE FROM events WHERE number = :n AND game_key = (SELECT key FROM games WHERE id = :g)"
        damage(update.app, command, n=number, g=game)
    judge(update, load)


def judge(update: Update, load: SteadyLoad) -> None:
    """Check that confirmed moves are logged, everybody still has a seat, and nothing has crashed."""
    logged = {tuple(row) for row in execute(update.app, _LOGGED)}
    lost = set(load.moves) - logged
    assert not lost, f"{len(lost)} confirmed moves are in no log: {sorted(lost)[:3]}"
    client = update.app.test_client(use_cookies=False)
    for token, game in load.people:
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get(f"/api/games/{game}", headers=headers).status_code == 200
    for server in (update.last, update.new):
        assert '"event": "crash"' not in server.logged(), server.logged()[-3000:]


DEFINITION = Definition(
    endure, rounds=3, quick=1, faults=("lost-move",), missing=missing, daily=False
)
