"""`tegami doctor`: its findings, and that they reveal no secrets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from service.core.database.database import transaction
from service.core.database.schema import OURS
from service.core.readiness.heartbeats import SILENCE, WorkerProcess
from service.core.runtime.time_and_random import Runtime, rfc3339, steady_clock, system_clock
from service.core.runtime.units import HOUR
from service.notifications.mail_sending import budgets
from service.notifications.mail_sending.budgets import CountedMail
from service.notifications.receivers.guarded_post import PostOutcome
from service.operations.commands import doctor
from service.operations.commands.doctor import BAD, LAG, NOTE, OK, OVERDUE
from service.operations.commands.main import main
from service.outbox import queue
from service.web.app import create_app
from tests.support.browsers import Browser, PushService
from tests.support.cast import CARAVAN, START, postgresql_only, sqlite_only
from tests.support.dump import execute
from tests.support.findings import levels, told
from tests.support.receiving import DOWN, PATH, Receiver, made
from tests.support.servers.databases import WITH_PASSWORD
from tests.support.servers.server import free_port
from tests.support.servers.smtp_server import MailServer

HOSTED = "https://tegami.example"


def alive(app, at):
    execute(app, "INSERT INTO heartbeats (name, at) VALUES ('worker', :at)", at=at)
    with app.app_context():
        WorkerProcess("w_alive", "home", 1).begin([1], at)


@pytest.mark.both_databases
def test_all_is_well(app, examine):
    alive(app, START)
    found = examine(mails_per_day=100)
    assert levels(found) == [
        ("settings", OK),
        ("data", OK),
        ("signatures", OK),
        ("disk", OK),
        ("database", OK),
        ("migrations", OK),
        ("worker", OK),
        ("keys", OK),
        ("house", OK),
        ("budgets", OK),
        ("budgets", OK),
        ("budgets", OK),
        ("logs", OK),
        ("outbox", OK),
        ("unreached", OK),
        ("webhooks", OK),
        ("push", OK),
        ("mail", OK),
    ]


@pytest.mark.both_databases
def test_the_database_is_named_with_its_version(examine, database):
    level, text = told(examine(), "database")
    assert level == OK
    assert text.split()[0] == database.partition(":")[0].partition("+")[0]
    assert text.split()[1][0].isdigit()


@pytest.mark.parametrize(("silence", "level"), [(SILENCE, OK), (SILENCE + 1, BAD)])
def test_a_worker_that_stopped(app, examine, clock, silence, level):
    alive(app, START)
    clock.forward(silence)
    assert told(examine(), "worker")[0] == level


def test_a_worker_that_never_ran(examine):
    assert told(examine(), "worker")[0] == BAD


def test_house_players_that_wait_for_thinkers(app, cast, examine, clock):
    wish = {"ruleset": CARAVAN, "house": 1, "start": "full", "nonce": None}
    none = "0 thinkers alive, 1 set for each worker; "
    assert told(examine(), "house") == (NOTE, f"{none}nobody waits")
    cast.alice.post("/api/games", wish)
    assert told(examine(), "house") == (BAD, f"{none}1 to move, the first asked 0 s ago")
    alive(app, START)
    clock.forward(OVERDUE)
    there = "1 thinkers alive, 2 set for each worker; 1 to move, the first asked"
    assert told(examine(thinkers=2), "house") == (OK, f"{there} 60 s ago")
    clock.forward(1000)
    assert told(examine(thinkers=2), "house") == (BAD, f"{there} 61 s ago")


@pytest.mark.parametrize(("lag", "level"), [(0, OK), (LAG, OK), (LAG + 1, BAD)])
def test_late_mails(app, runtime, examine, clock, lag, level):
    with app.app_context(), transaction():
        queue.put(runtime, "turn", "one", run_at=START)
        queue.put(runtime, "turn", "two", run_at=START + 2 * LAG)
    clock.forward(lag)
    found = told(examine(), "outbox")
    assert found[0] == level and found[1].startswith("1 due")
    assert told(examine(public_url=HOSTED), "outbox")[0] == (OK if level == OK else NOTE)


def test_a_mail_that_waits_for_its_next_try_is_not_late(app, runtime, examine, clock):
    with app.app_context(), transaction():
        queue.put(runtime, "turn", "one", run_at=START)
    execute(app, "UPDATE outbox SET lease_until = :at, attempts = 3", at=START + 4 * LAG)
    clock.forward(4 * LAG - 1)
    assert told(examine(), "outbox") == (OK, "nothing is due")
    clock.forward(LAG + 2)
    assert told(examine(), "outbox")[0] == BAD


def test_a_budget_of_the_server_that_is_used_up(app, runtime, examine, clock):
    settings = {"mails_per_day": 10}
    spender = create_app(replace(app.extensions["tegami"].config, **settings), runtime)
    services = spender.extensions["tegami"]
    with spender.app_context():
        for n in range(3):
            budgets.spend(services, CountedMail("stranger", f"ann@example{n}.org", None, None))
    found = [each for each in examine(**settings) if each.about == "budgets"]
    assert [each.level for each in found] == [OK, BAD]
    assert found[0].told == "2 of 10 mails of the server in a day"
    until = rfc3339(START + doctor.DAY)
    told = f"2 of 2 mails of the server to strangers in a day, the others wait until {until}"
    assert found[1].told == told
    clock.forward(doctor.DAY)
    levels = [each.level for each in examine(**settings) if each.about == "budgets"]
    assert levels == [OK, OK]
    (switched_off,) = [each for each in examine() if each.about == "budgets"]
    assert switched_off.level == NOTE


def test_undelivered_mails(app, runtime, examine, clock):
    with app.app_context(), transaction():
        queue.put(runtime, "turn", "one", run_at=START)
    execute(app, "UPDATE outbox SET done_at = :at, outcome = 'failed'", at=START)
    levels_then = [each.level for each in examine() if each.about == "outbox"]
    clock.forward(doctor.DAY)
    levels_later = [each.level for each in examine() if each.about == "outbox"]
    assert (levels_then, levels_later) == ([OK, NOTE], [OK])


NEEDED = f"and this release needs {OURS.last}: run bin/tegami migrate"


@pytest.mark.both_databases
@pytest.mark.own_database
def test_tables_of_another_release(app, examine):
    execute(app, "UPDATE alembic_version SET version_num = '0001'")
    found = examine()
    assert told(found, "migrations") == (BAD, f"at 0001, {NEEDED}")
    assert "worker" not in dict(levels(found))


@sqlite_only
def test_a_database_that_does_not_exist_yet(examine, databases, tmp_path):
    found = examine(database_url=databases.empty("sqlite", tmp_path))
    assert told(found, "migrations") == (BAD, f"at nothing, {NEEDED}")


@sqlite_only
def test_a_database_out_of_reach(examine):
    url = f"postgresql+psycopg://tegami:hidden-word@127.0.0.1:{free_port()}/tegami"
    found = examine(database_url=url)
    level, text = told(found, "database")
    assert level == BAD and text == "postgresql cannot be used (database out of reach)"
    assert levels(found)[-1] == ("mail", OK)
    assert "hidden-word" not in str(found)


@postgresql_only
def test_a_wrong_password_is_not_a_server_out_of_reach(app, examine, database):
    execute(app, f"DROP ROLE IF EXISTS {WITH_PASSWORD}")
    execute(app, f"CREATE ROLE {WITH_PASSWORD} LOGIN PASSWORD 'hidden-word'")
    for password, level in (("hidden-word", OK), ("hidden-sword", BAD), ("", BAD)):
        url = make_url(database).set(username=WITH_PASSWORD, password=password or None)
        found = examine(database_url=url.render_as_string(hide_password=False))
        assert told(found, "database")[0] == level
        assert "hidden-" not in str(found)
    assert told(found, "database")[1] == (
        "postgresql cannot be used (database refuses the sign-in)"
    )
    execute(app, f"DROP ROLE {WITH_PASSWORD}")


def test_a_clock_that_was_set(app, runtime, examine, clock):
    assert "clock" not in dict(levels(examine()))
    execute(app, "INSERT INTO heartbeats (name, at) VALUES ('clock set', :at)", at=START)
    clock.forward(doctor.DAY - 1)
    assert told(examine(), "clock")[0] == NOTE
    clock.forward(1)
    assert "clock" not in dict(levels(examine()))


@postgresql_only
@pytest.mark.parametrize(("ahead", "found"), [(0, []), (-90_000, [BAD]), (90_000, [BAD])])
def test_the_clock_of_the_databases_machine(app, config, runtime, ahead, found):
    here = Runtime(now=lambda: system_clock() + ahead, steady=steady_clock)
    findings = list(doctor.examine(create_app(config, here)))
    assert [each.level for each in findings if each.about == "clock"] == found


@sqlite_only
def test_a_key_file_that_others_can_read(examine, tmp_path):
    (tmp_path / "secret.key").chmod(0o640)
    assert told(examine(), "data")[0] == BAD
    (tmp_path / "secret.key").unlink()
    assert told(examine(), "data")[0] == BAD


@sqlite_only
def test_the_key_that_signs_heads(examine, tmp_path):
    """Its public half is printed, so that the operator can publish it elsewhere."""
    public = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
    assert told(examine(), "signatures") == (OK, f"heads are signed; the public key is {public}")
    key = tmp_path / "signing.key"
    key.write_bytes(bytes(32))
    key.chmod(0o644)
    found = [each for each in examine() if each.about == "signatures"]
    assert [each.level for each in found] == [BAD, OK]
    key.chmod(0o600)
    assert told(examine(), "signatures")[0] == OK
    key.write_bytes(bytes(range(32)))
    level, text = told(examine(), "signatures")
    assert level == NOTE and "SIGNING_KEY is used" in text and public in text


@sqlite_only
@pytest.mark.parametrize(
    ("folder", "file", "well"),
    [(0o755, 0o644, False), (0o755, 0o600, True), (0o700, 0o644, True)],
)
def test_a_database_that_others_can_read(examine, databases, tmp_path, folder, file, well):
    kept = tmp_path / "kept"
    kept.mkdir()
    url = databases.fresh("sqlite", kept)
    Path(url.removeprefix("sqlite:///")).chmod(file)
    kept.chmod(folder)
    found = [each for each in examine(database_url=url) if "read the database" in each.told]
    assert [each.level for each in found] == ([] if well else [BAD])


@sqlite_only
def test_settings_worth_a_note(examine):
    assert told(examine(public_url="http://tegami.example"), "settings")[0] == BAD
    found = examine(public_url=HOSTED)
    assert (told(found, "settings")[0], told(found, "privacy")[0]) == (OK, NOTE)
    assert told(found, "mail")[0] == NOTE
    assert told(found, "proxies")[0] == NOTE
    named = examine(
        public_url=HOSTED,
        operator="The club",
        contact="post@tegami.example",
        trusted_proxies=1,
    )
    assert not {"privacy", "proxies"} & set(dict(levels(named)))


@sqlite_only
@pytest.mark.parametrize(
    ("host", "query", "noted"),
    [
        ("127.0.0.1", "", False),
        ("localhost", "", False),
        ("127.0.0.2", "", True),
        ("127.0.0.2", "?sslmode=require", True),
        ("127.0.0.2", "?sslmode=prefer&connect_timeout=1", True),
        ("127.0.0.2", "?sslmode=verify-ca", False),
        ("127.0.0.2", "?sslmode=verify-full", False),
    ],
)
def test_a_database_on_another_machine_has_to_prove_itself(examine, host, query, noted):
    """127.0.0.2 stands for another machine."""
    url = f"postgresql+psycopg://tegami:hidden-word@{host}:{free_port()}/tegami{query}"
    found = examine(database_url=url)
    found += examine(replica_url=url)
    assert [each.level for each in found if "sslmode" in each.told] == [NOTE, NOTE] * noted
    assert "hidden-word" not in str(found)


@sqlite_only
def test_the_mail_server_is_tried_without_sending(examine):
    with MailServer(users={"tegami": "hidden-word"}) as server:
        at = f"127.0.0.1:{server.port}"
        right = examine(smtp_url=f"smtp://tegami:hidden-word@{at}")
        assert told(right, "mail") == (OK, f"{at} answers and accepts our password")
        wrong = examine(smtp_url=f"smtp://tegami:hidden-sword@{at}")
        assert told(wrong, "mail") == (BAD, f"{at} refuses us (535)")
        assert server.mails == [] and "MAIL" not in server.commands
    gone = examine(smtp_url=f"smtp://tegami:hidden-word@{at}")
    assert told(gone, "mail") == (BAD, f"{at} cannot be reached (ConnectionRefusedError)")
    assert "hidden-" not in str([right, wrong, gone])


@pytest.fixture
def tegami(config, database):
    """Runs the command on the same database and checks its exit code."""

    def run(*words, **environment):
        known = {"DATA_DIR": str(config.data_dir), "DATABASE_URL": database}
        done = CliRunner().invoke(main, ["doctor", *words], env={**known, **environment})
        return done.exit_code, done.output.splitlines()

    return run


def test_the_exit_code(app, tegami):
    code, lines = tegami()
    assert code == 1
    assert [line.split()[1] for line in lines if line.startswith("bad")] == ["worker"]
    alive(app, system_clock())
    code, lines = tegami()
    assert code == 0 and all(line.startswith("ok ") for line in lines)


@sqlite_only
def test_wrong_settings_are_reported_in_one_line(tegami):
    code, lines = tegami(SMTP_URL="hidden-word")
    assert code == 1 and len(lines) == 1
    assert "SMTP_URL" in lines[0] and "hidden-word" not in lines[0]


def test_what_mail_servers_answer(app, runtime, examine):
    def refused(key, refusal, **columns):
        with app.app_context(), transaction():
            queue.put(runtime, "plain", key, run_at=START)
        columns = {"refusal": refusal, "lease_until": START + 9, **columns}
        told = ", ".join(f"{name} = :{name}" for name in columns)
        execute(app, f"UPDATE outbox SET {told} WHERE key = :key", key=key, **columns)

    assert "refused" not in dict(levels(examine()))
    refused("one", "550 5.7.26 at DATA")
    refused("two", "550 5.7.26 at DATA", done_at=START - 1, outcome="expired")
    refused("three", "550 5.7.26 at DATA", done_at=START - 2 * 86_400_000, outcome="expired")
    refused("nobody", "550 5.1.1 at RCPT", done_at=START - 1, outcome="failed")
    refused("busy", "450 at RCPT")
    refused("defect", "failed here: ZeroDivisionError")
    found = [(each.level, each.told) for each in examine() if each.about == "refused"]
    assert found == [
        (BAD, "emails that wait: 1, given up: 1; 550 5.7.26 at DATA"),
        (NOTE, "emails that wait: 1, given up: 0; 450 at RCPT"),
        (NOTE, "emails that wait: 0, given up: 1; 550 5.1.1 at RCPT"),
        (BAD, "emails that wait: 1, given up: 0; failed here: ZeroDivisionError"),
    ]


def test_webhooks_are_numbered(app, cast, examine, clock):
    receiver = Receiver(app)
    alive(app, clock.at)
    assert told(examine(), "webhooks") == (
        OK,
        "0 on, 0 of them failing, 0 switched off for failing",
    )
    webhook = made(cast.alice)
    cast.alice.post(f"{PATH}/{webhook['id']}/ping", status=202)
    receiver.usually = DOWN
    receiver.fetch()
    level, text = told(examine(), "webhooks")
    assert (level, text) == (NOTE, "1 on, 1 of them failing, 0 switched off for failing")
    clock.forward(LAG + HOUR)
    level, text = told(examine(), "webhooks")
    assert (level, "1 receivers wait" in text) == (BAD, True)
    receiver.answers.append(PostOutcome(status=410))
    receiver.fetch()
    assert told(examine(), "webhooks")[1].endswith("1 switched off for failing")
    assert told(examine(webhooks="off"), "webhooks")[0] == OK


@sqlite_only
def test_browsers_that_are_told(app, cast, examine, clock):
    """Counted apart from webhooks."""
    assert told(examine(), "push") == (
        OK,
        "0 browsers, 0 of them not reached through their push service",
    )
    browser = Browser()
    browser.subscribe(cast.alice)
    service = PushService(app, browser)
    service.usually = PostOutcome(status=403)
    cast.start(CARAVAN)
    service.send()
    level, text = told(examine(), "push")
    assert level == NOTE and text.startswith("1 browsers, 1 of them not reached")
    assert told(examine(), "webhooks")[1].startswith("0 on, 0 of them failing")
    clock.forward(HOUR)
    assert told(examine(), "push")[0] == BAD
    assert told(examine(push="off"), "push")[0] == OK
