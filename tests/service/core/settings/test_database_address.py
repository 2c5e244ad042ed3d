"""The address of the database, as libpq reads it, and the limits on waiting for it."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url

from service.core.settings import database_address
from service.core.settings.config import Config


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "not" / "yet"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("postgres://u:p@db/tegami", "postgresql+psycopg://u:p@db/tegami"),
        ("postgresql://u@/tegami?host=/run", "postgresql+psycopg://u@/tegami?host=/run"),
        ("postgresql+psycopg://db/x", "postgresql+psycopg://db/x"),
        ("sqlite:////srv/x.sqlite3", "sqlite:////srv/x.sqlite3"),
    ],
)
def test_addresses_of_databases(folder, given, address):
    environment = {"DATA_DIR": str(folder), "DATABASE_URL": given}
    assert Config.from_environment(environment).database_url == address


@pytest.mark.parametrize(
    "given",
    [
        "postgresql://u@h1:5432,h2:5433/db?target_session_attrs=read-write",
        "postgresql://u:p%40%2Fx@h1,h2/db",
        "postgres://u@%2Fvar%2Frun%2Fpostgresql/db",
        "postgresql://u@%2Frun%2Fa,%2Frun%2Fb/db?port=5433,5434",
        "postgresql:///db?host=/run&user=u&password=p",
        "postgresql://u@[::1]:5432,[::2]:5433/db",
        "postgresql://u@h/db?application_name=a%20b&options=-c%20geqo%3Doff",
        "postgresql://h/db?hostaddr=127.0.0.1&keepalives_idle=7",
        "postgresql://",
    ],
)
def test_addresses_of_libpq_reach_the_driver_and_pg_dump_as_libpq_reads_them(folder, given):
    config = Config.from_environment({"DATA_DIR": str(folder), "DATABASE_URL": given})
    said = conninfo_to_dict(given)
    url = make_url(config.database_url)
    assert database_address.parameters(url) == said
    assert conninfo_to_dict(database_address.libpq_address(url)) == said


def test_one_port_for_all_hosts(folder):
    given = {"DATABASE_URL": "postgresql://h1,h2/db?port=5433", "DATA_DIR": str(folder)}
    url = make_url(Config.from_environment(given).database_url)
    found = {"dbname": "db", "host": "h1,h2", "port": "5433"}
    assert database_address.parameters(url) == found
    assert database_address.hosts(url) == ["h1", "h2"]


def test_how_long_anybody_waits_for_postgresql(folder):
    usual = Config.from_environment({"DATA_DIR": str(folder)}).patience
    assert all(seconds > 0 for seconds in usual)
    given = {"DATABASE_LOCK_TIMEOUT": "0.5", "DATABASE_STATEMENT_TIMEOUT": "0"}
    set_ = Config.from_environment({"DATA_DIR": str(folder), **given}).patience
    assert set_ == usual._replace(lock=0.5, statement=0)
    told = database_address.waiting(set_, session=True)
    assert told["connect_timeout"] == 3 and told["tcp_user_timeout"] == 10_000
    assert "-c lock_timeout=500" in str(told["options"])
    assert "options" not in database_address.waiting(set_, session=False)


@pytest.mark.parametrize(
    ("given", "so"),
    [
        ({}, {}),
        ({"connect_timeout": "7"}, {"connect": 7}),
        ({"connect_timeout": 0}, {"connect": 0}),
        ({"options": "-c statement_timeout=2500"}, {"statement": 2.5}),
        ({"options": "-cstatement_timeout=2min --lock-timeout=0"}, {"statement": 120, "lock": 0}),
        ({"options": "-c idle_in_transaction_session_timeout=1h -c x=y"}, {"idle": 3600}),
        ({"options": "-c statement_timeout=1\\ s"}, {"statement": 1}),
        ({"options": "-c STATEMENT_TIMEOUT=300s -c search_path=a,b"}, {"statement": 300}),
        ({"options": "-c statement_timeout=soon -c lock_timeout=9parsecs"}, {}),
    ],
)
def test_times_of_the_address_are_what_we_wait(given, so):
    """PostgreSQL is told them, so a process that waits for its response waits as long."""
    found = database_address.given_patience(database_address.USUAL, given)
    assert found == database_address.USUAL._replace(**so)
