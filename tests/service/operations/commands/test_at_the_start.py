"""What `tegami serve` and `tegami migrate` say of a server that should not start like this."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from service.operations.commands.main import OTHER_KEY, migrate_database
from tests.support import operator_command
from tests.support.cast import sqlite_only


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"PUBLIC_URL": "ftp://tegami.example"}, "PUBLIC_URL has to be"),
        ({"DATABASE_URL": "postgresql://a:b@127.0.0.1:1/t"}, "database out of reach"),
    ],
)
@sqlite_only
def test_what_keeps_a_server_from_starting_is_a_line_of_the_log(config, settings, why):
    done = operator_command.run(config, "serve", status=1, env=settings)
    (line,) = map(json.loads, done.output.splitlines())
    assert why in line["event"]
    assert (line["level"], line["program"]) == ("error", "serve")


@sqlite_only
def test_a_key_of_another_server_is_in_the_log_at_each_start(config, tmp_path, capsys):
    fresh = replace(config, database_url=f"sqlite:///{tmp_path / 'fresh.sqlite3'}")

    def logged() -> list[tuple[str, str]]:
        lines = map(json.loads, capsys.readouterr().err.splitlines())
        return [(line["cause"], line["key"]) for line in lines if line["event"] == "failing"]

    migrate_database(fresh)
    assert logged() == []
    other = replace(fresh, secret_key=bytes(range(1, 33)))
    for _ in range(2):
        migrate_database(other)
        assert logged() == [(OTHER_KEY, "secret.key")]
    migrate_database(fresh)
    assert logged() == []
