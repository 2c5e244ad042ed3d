"""What has to be true of a database, whatever failed: what was acknowledged is there once, and nothing is wrong."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from service.core.runtime.judged_clock import LONGEST_LOOK
from service.core.settings.config import Config
from service.log.verification import log_checks
from service.web.app import create_app
from tests.support.dump import execute
from tests.support.servers.databases import disconnect

_EVENTS = """
SELECT games.id, events.number, events.seat, events.at
FROM events JOIN games ON games.key = events.game_key ORDER BY 1, 2
"""


def assert_sound(database: str, folder: Path, moves: Sequence[tuple[str, int]]) -> None:
    """Each acknowledged move, by its game and number, is there once, no log is damaged, and time did not go back.

    A process knows the time of the database to half of what that took to tell it, a second at most.
    """
    assert max(Counter(moves).values()) == 1
    keys = {"secret_key": bytes(32), "signing_key": bytes(32)}
    app = create_app(Config(data_dir=folder, database_url=database, **keys))
    rows = execute(app, _EVENTS)
    assert not set(moves) - {(game, number) for game, number, seat, _ in rows if seat is not None}
    with app.app_context():
        damaged = [each for each in log_checks.all_games() if log_checks.check_and_note(each, 0)]
        assert damaged == []
    for _, log in itertools.groupby(rows, lambda row: row[0]):
        times = [at for *_, at in log]
        assert all(after - before > -LONGEST_LOOK for before, after in itertools.pairwise(times))
    disconnect(app)
