"""Reading while somebody else moves: each response is one snapshot, on both databases.

One statement reads a game, and what is read of its log in addition never changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from service.core.database.database import db

pytestmark = pytest.mark.both_databases

ANEW = {"Range": "bytes=0-"}
"""With this header, which games ignore, a stored response is not sent again."""


@contextmanager
def after_the_first_read(app: Any, table: str, change: Callable[[], Any]) -> Iterator[None]:
    """Let `change` happen as soon as the next request has read from `table`."""
    with app.app_context():
        engine = db.engine
    done = []

    def interfere(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if f"FROM {table}" in statement and not done:
            done.append(statement)
            meanwhile = threading.Thread(target=change)
            meanwhile.start()
            meanwhile.join()

    event.listen(engine, "after_cursor_execute", interfere)
    yield
    event.remove(engine, "after_cursor_execute", interfere)
    assert done


@pytest.mark.parametrize("path", ["/api/games/{}/events", "/api/games", "/api/me/turns"])
def test_a_move_between_two_reads_does_not_show(app, cast, path):
    game_id = cast.start()
    shown, path = cast.alice.game(game_id), path.format(game_id)
    before = cast.bob.send("GET", path, headers=ANEW)
    with after_the_first_read(app, "games", lambda: cast.alice.answer(shown)):
        during = cast.bob.send("GET", path, headers=ANEW)
    assert during.data == before.data
    assert during.headers.get("ETag") == before.headers.get("ETag")
    assert cast.bob.send("GET", path).data != before.data or path == "/api/games"


def test_people_who_sit_down_between_two_reads_do_not_show(app, cast):
    game_id = cast.open()
    before = cast.alice.send("GET", "/api/games").data
    sits = lambda: cast.bob.post(f"/api/games/{game_id}/seats", {})  # noqa: E731
    with after_the_first_read(app, "games", sits):
        assert cast.alice.send("GET", "/api/games").data == before
    assert cast.alice.send("GET", "/api/games").data != before
