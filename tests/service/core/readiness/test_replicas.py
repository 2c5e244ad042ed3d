"""How far the standby servers of PostgreSQL are behind, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask

from service.core.readiness.replicas import Replicas, replicas
from service.core.settings.config import Config
from service.web.app import create_app
from tests.support.servers.databases import disconnect
from tests.support.servers.postgres import Postgres, with_standby
from tests.support.servers.server import wait_until


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Postgres]]:
    with with_standby(tmp_path_factory.mktemp("replicas"), fsync="off") as pair:
        pair[0].execute("CREATE ROLE tegami LOGIN")
        yield pair


@pytest.fixture
def known(config: Config, servers: tuple[Postgres, Postgres]) -> Callable[[str], Replicas]:
    """What we know as this user of the primary server."""

    def ask(user: str) -> Replicas:
        app = create_app(replace(config, database_url=servers[0].url(user=user)))
        with app.app_context():
            found = replicas()
        disconnect(app)
        assert found is not None
        return found

    return ask


def test_how_far_a_standby_server_is_behind(
    servers: tuple[Postgres, Postgres], known: Callable[[str], Replicas]
) -> None:
    primary, standby = servers
    wait_until(lambda: known("postgres") == (1, 0, 0), "it has caught up")
    standby.execute("SELECT pg_wal_replay_pause()")
    primary.execute("CREATE TABLE written AS SELECT generate_series(1, 1000) AS number")
    behind = wait_until(
        lambda: (found := known("postgres")).behind_bytes and found.behind_seconds and found,
        "it is behind",
    )
    assert behind.number == 1 and behind.behind_bytes > 30_000 and 0 < behind.behind_seconds < 60
    assert known("tegami") == (1, None, None), "its rights do not suffice"
    primary.execute("GRANT pg_read_all_stats TO tegami")
    assert known("tegami").behind_bytes >= behind.behind_bytes
    standby.execute("SELECT pg_wal_replay_resume()")
    wait_until(lambda: known("postgres") == (1, 0, 0), "it has caught up")
    standby.kill()
    wait_until(lambda: known("postgres") == (0, None, None), "it is gone")


def test_an_embedded_database_has_none(app: Flask) -> None:
    with app.app_context():
        assert replicas() is None
