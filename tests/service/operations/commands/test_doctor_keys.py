"""`tegami doctor`: keys of another server, and keys and secrets that come from settings and files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.core.readiness import key_checks
from service.operations.commands.doctor import BAD, NOTE, OK
from tests.support import operator_command
from tests.support.cast import sqlite_only
from tests.support.findings import told


def test_a_key_of_another_server(app, config, examine, tegami_accepts):
    """As after a restore with the wrong key file; an operator who has replaced the key says so."""
    with app.app_context():
        key_checks.note_keys(config)
        key_checks.note_keys(replace(config, secret_key=bytes(32)))  # whoever came first is known
    assert told(examine(), "keys") == (OK, "those of this database")
    other = bytes(range(1, 33))
    level, text = told(examine(secret_key=other), "keys")
    assert level == BAD and "used: secret.key." in text
    assert (
        "secret.key, signing.key." in told(examine(secret_key=other, signing_key=other), "keys")[1]
    )
    tegami_accepts(replace(config, secret_key=other))
    assert told(examine(secret_key=other), "keys")[0] == OK
    assert told(examine(), "keys")[0] == BAD


@sqlite_only
def test_a_key_that_is_a_setting_needs_no_file(examine, tmp_path):
    (tmp_path / "secret.key").unlink()
    given = {"given_keys": frozenset({"secret.key"})}
    assert told(examine(**given), "data")[0] == OK


@sqlite_only
def test_a_file_of_a_secret_that_others_can_read_is_worth_a_note(examine, tmp_path):
    file = tmp_path / "database-url"
    for mode, noted in ((0o600, []), (0o644, [NOTE])):
        file.touch(mode)
        file.chmod(mode)
        found = [each for each in examine(secret_files=(file,)) if str(file) in each.told]
        assert [each.level for each in found] == noted


@pytest.fixture
def tegami_accepts(config):
    """`tegami accept-keys`, with the keys of these settings in the folder."""

    def run(settings):
        for name, key in (
            ("secret.key", settings.secret_key),
            ("signing.key", settings.signing_key),
            ("push.key", settings.push_key),
        ):
            (settings.data_dir / name).write_bytes(key)
        assert "belong to this database" in operator_command.told(settings, "accept-keys")

    return run
