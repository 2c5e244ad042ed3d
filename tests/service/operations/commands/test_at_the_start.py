"""What `tegami serve` and `tegami migrate` say about a server that should not start like this."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from service.core.readiness.key_checks import OTHER_KEY, OtherKeys, note_keys, refuse_other_keys
from service.core.settings.config import ROOT
from service.operations.commands.main import PROGRAMS
from tests.support import operator_command
from tests.support.cast import sqlite_only
from tests.support.servers.server import free_port

pytestmark = pytest.mark.of_service


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


@pytest.fixture
def hosts(config, databases, tmp_path):
    """Makes hosts of one database, each with its own data folder."""
    url = databases.empty("sqlite", tmp_path)

    def host(name):
        (tmp_path / name).mkdir(exist_ok=True)
        return replace(config, database_url=url, data_dir=tmp_path / name)

    return host


KEYS = ("secret.key", "signing.key", "push.key")
COMMANDS = (
    ("migrate",),
    ("work",),
    ("people", "list"),
    ("people", "invite"),
    ("outbox", "list"),
    ("reports", "list"),
    ("upgrade-games", "caravan"),
    ("ratings",),
    ("played",),
)
"""All commands that use the keys."""


@sqlite_only
def test_a_second_host_with_other_keys_does_not_start_and_says_which(hosts):
    operator_command.run(hosts("first"), "migrate")
    second = hosts("second")
    for command in COMMANDS:
        said = operator_command.told(second, *command, status=78)
        assert "The keys differ" in said and "secret.key, signing.key, push.key" in said
    done = operator_command.run(second, "serve", status=78)
    (line,) = map(json.loads, done.output.splitlines())
    assert "The keys differ" in line["event"]
    assert (line["level"], line["program"]) == ("error", "serve")


@sqlite_only
def test_nor_do_its_web_processes(hosts):
    operator_command.run(hosts("first"), "migrate")
    second = hosts("second")
    environment = {**os.environ, "DATA_DIR": str(second.data_dir), "PORT": str(free_port())}
    command = [sys.executable, "-m", *PROGRAMS["web"].split()]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**environment, "DATABASE_URL": second.database_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == os.EX_CONFIG
    (line,) = [each for each in map(json.loads, done.stderr.splitlines()) if "cause" in each]
    assert line["cause"] == OTHER_KEY and "secret.key" in line["told"]


@sqlite_only
@pytest.mark.parametrize("other", KEYS)
def test_each_key_is_compared_and_none_is_shown(hosts, other):
    first, second = hosts("first"), hosts("second")
    operator_command.run(first, "migrate")
    for name in KEYS:
        (second.data_dir / name).write_bytes((first.data_dir / name).read_bytes())
    operator_command.run(second, "migrate")
    key = bytes(range(1, 33))
    (second.data_dir / other).write_bytes(key)
    said = operator_command.told(second, "migrate", status=78)
    assert f"used: {other}." in said
    assert key.hex() not in said and str(key) not in said


@sqlite_only
def test_the_keys_of_the_first_host_as_settings(hosts):
    first = hosts("first")
    operator_command.run(first, "migrate")
    given = {}
    for name in KEYS:
        setting = name.replace(".", "_").upper()
        given[setting] = (first.data_dir / name).read_bytes().hex()
    second = hosts("second")
    operator_command.run(second, "migrate", env=given)
    assert list(second.data_dir.glob("*.key")) == [], "no file of it is made"
    files = {f"{setting}_FILE": str(second.data_dir / setting.lower()) for setting in given}
    for setting, value in given.items():
        (second.data_dir / setting.lower()).write_text(f"{value}\n")
    operator_command.run(second, "migrate", env=files)
    of_first = {
        f"{name.replace('.', '_').upper()}_FILE": str(first.data_dir / name) for name in KEYS
    }
    operator_command.run(second, "people", "list", env=of_first)


@sqlite_only
def test_whoever_replaces_a_key_says_so_before_the_next_start(hosts):
    """As docs/hosting.md says; the earlier key then counts as another server's."""
    host = hosts("first")
    operator_command.run(host, "migrate")
    before = (host.data_dir / "secret.key").read_bytes()
    (host.data_dir / "secret.key").unlink()
    operator_command.run(host, "migrate", status=78)
    operator_command.run(host, "accept-keys")
    operator_command.run(host, "migrate")
    (host.data_dir / "secret.key").write_bytes(before)
    operator_command.run(host, "migrate", status=78)


@sqlite_only
def test_a_mail_that_comes_to_a_host_with_other_keys_is_kept_for_later(hosts):
    """With another key every reply address would seem wrong, and the mail would go back."""
    operator_command.run(hosts("first"), "migrate")
    settings = {"INCOMING_MAIL": "reply@tegami.example"}
    second = hosts("second")
    operator_command.run(second, "receive-mail", status=75, input="From: a", env=settings)


@pytest.mark.both_databases
def test_two_hosts_that_start_first_at_once_agree_on_the_keys_of_one(app, config):
    """Each notes its own keys; the later one learns that it was later."""
    for key in (bytes(range(1, 33)), bytes(range(2, 34))):
        with app.app_context():
            note_keys(replace(config, secret_key=key))
    with app.app_context():
        refuse_other_keys(replace(config, secret_key=bytes(range(1, 33))))
        with pytest.raises(OtherKeys, match=r"secret\.key"):
            refuse_other_keys(replace(config, secret_key=bytes(range(2, 34))))
