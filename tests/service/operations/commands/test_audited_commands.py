"""Commands of the operator leave a line in the audit log: the action, the outcome, the person, and no names."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from service.operations.commands.main import main
from tests.support.accounts import Bag, register
from tests.support.cast import sqlite_only
from tests.support.dump import execute
from tests.support.talking import say

pytestmark = [sqlite_only, pytest.mark.own_database]


@pytest.fixture
def audited(config, database):
    """Runs a command; returns the one line of the audit log that it leaves."""
    environment = {"DATA_DIR": str(config.data_dir), "DATABASE_URL": database}

    def run(*words, status=0):
        done = CliRunner().invoke(main, words, env=environment)
        assert done.exit_code == status, (done.output, done.exception)
        (line,) = [json.loads(each) for each in done.stderr.splitlines() if each.startswith("{")]
        assert line["event"] == "audit" and line["who"] == "operator" and line["uid"] >= 0
        assert not [word for word in ("alice", "Alice", "example") if word in json.dumps(line)]
        return line["what"], line["outcome"], line.get("about")

    return run


def test_what_is_done_to_people_is_logged(app, cast, audited):
    register(Bag(app), cast.alice, "alice")
    assert audited("people", "list") == ("tegami people list", "done", None)
    assert audited("people", "pairs") == ("tegami people pairs", "done", None)
    assert audited("people", "show", "alice") == ("tegami people show", "done", cast.alice.id)
    assert audited("people", "show", "alice9", status=1) == ("tegami people show", "failed", None)
    erased = audited("people", "erase", "--yes", "alice@example.org")
    assert erased == ("tegami people erase", "done", cast.alice.id)
    assert audited("people", "invite") == ("tegami people invite", "done", None)


def test_what_is_done_about_reports_is_logged(app, cast, game_id, audited):
    message = say(cast.alice, game_id, "Hello")
    path = f"/api/games/{game_id}/messages/{message['id']}/reports"
    cast.bob.post(path, {}, 204)
    (report,) = execute(app, "SELECT id FROM reports")
    assert audited("reports", "list") == ("tegami reports list", "done", None)
    closed = audited("reports", "close", report.id, "--hide")
    assert closed == ("tegami reports close", "done", f"{report.id} (hidden)")
    assert audited("reports", "close", "r_x", status=1)[1] == "failed"


def test_what_is_done_to_mails_and_data_is_logged(audited, app, tmp_path):
    assert audited("outbox", "requeue", "--lost") == ("tegami outbox requeue", "done", "0 mails")
    assert audited("backup", str(tmp_path / "alice")) == ("tegami backup", "done", None)
    assert audited("backup", str(tmp_path / "alice"), status=1)[1] == "failed"
    assert audited("migrate")[:2] == ("tegami migrate", "done")
