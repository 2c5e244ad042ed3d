"""Conditions for a database after any failure: acknowledged moves are there once, and no log is damaged."""

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
    """Check that each acknowledged move (by game and number) is there once, that no log is damaged, and that time
    never ran back.

    A process knows the time of the database up to half of the time that it took to ask, which is a second at most.
    """
    twice = [each for each, times in Counter(moves).items() if times > 1]
    assert not twice, f"acknowledged twice: {twice[:3]}"
    keys = {"secret_key": bytes(32), "signing_key": bytes(32)}
    app = create_app(Config(data_dir=folder, database_url=database, **keys))
    rows = execute(app, _EVENTS)
    lost = set(moves) - {(game, number) for game, number, seat, _ in rows if seat is not None}
    assert not lost, f"{len(lost)} acknowledged moves are in no log: {sorted(lost)[:3]}"
    with app.app_context():
        damaged = [each for each in log_checks.all_games() if log_checks.check_and_note(each, 0)]
        assert damaged == [], f"damaged: {damaged}"
    for game, log in itertools.groupby(rows, lambda row: row[0]):
        times = [at for *_, at in log]
        back = min((after - before for before, after in itertools.pairwise(times)), default=0)
        assert back > -LONGEST_LOOK, f"time went back by {-back} ms in {game}"
    disconnect(app)
