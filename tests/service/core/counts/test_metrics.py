"""The metrics of a whole server: counts of two web processes and a worker, at a separate address."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.web.app import create_app
from tests.hosting_page import PAGE
from tests.support.dump import execute
from tests.support.monitoring import named_metrics, needs_promtool, promtool
from tests.support.servers.databases import disconnect
from tests.support.servers.raw_client import Client
from tests.support.servers.server import PATIENCE, ROOT, Server, free_port, wait_until
from tests.support.servers.smtp_server import MailServer
from tests.test_by_mail import Browser

GAME = {"ruleset": "caravan", "start": "full", "nonce": None, "house": 1}
POLL = ("/api/games/{game_id}", "GET", "304")


class Watched(Server):
    """A server that Prometheus reads."""

    def __init__(self, folder, database, **environment):
        self.metrics = free_port()
        super().__init__(folder, database, METRICS=f"127.0.0.1:{self.metrics}", **environment)

    def text(self):
        url = f"http://127.0.0.1:{self.metrics}/metrics"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain")
            return answer.read().decode()

    def values(self, name):
        """Label values in their order → value, of all samples with this name."""
        families = text_string_to_metric_families(self.text())
        samples = [each for family in families for each in family.samples if each.name == name]
        return {tuple(each.labels.values()): each.value for each in samples}

    def requests(self, route, method, status):
        labels = {"route": route, "method": method, "status": status}
        families = text_string_to_metric_families(self.text())
        samples = (each for family in families for each in family.samples)
        found = [
            s.value for s in samples if s.name == "tegami_requests_total" and s.labels == labels
        ]
        return sum(found)

    def value(self, name):
        (found,) = self.values(name).values()
        return found


@pytest.fixture(scope="module")
def mail():
    with MailServer() as started:
        yield started


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, databases, mail, tmp_path_factory):
    folder = tmp_path_factory.mktemp("metrics")
    database = databases.fresh(request.param, folder)
    with Watched(folder, database, SMTP_URL=mail.url) as started:
        yield started


def connect(server):
    return closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE))


def web_processes(server):
    """The ids of the processes that have responded."""
    return {int(file.stem.rpartition("_")[2]) for file in server.folder.glob("metrics/web/gauge*")}


def ask_both(server, path):
    """Send requests on new connections until both processes have responded; returns the number of requests."""
    asked = 0
    counters = server.folder / "metrics/web"
    while asked < 10 or len(list(counters.glob("counter_*"))) < 2:
        asked += 1
        assert asked < 500
        with connect(server) as opened:
            assert Client(opened).ask("GET", path)[0] == 200
    return asked


@pytest.mark.of_service
def test_counts_of_all_processes_add_up_and_outlive_one_that_is_killed(server):
    route = ("/api/rulesets", "GET", "200")
    before = server.requests(*route)
    asked = ask_both(server, "/api/rulesets")
    assert server.requests(*route) == before + asked
    wait_until(lambda: len(web_processes(server)) == 2, "both tell how many connections they have")
    killed = web_processes(server).pop()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: killed not in web_processes(server), "it has no connections any more")
    wait_until(lambda: len(web_processes(server)) == 2, "there is another in its place")
    assert server.requests(*route) == before + asked
    with connect(server) as opened:
        Client(opened).ask("GET", "/api/rulesets")
    assert server.requests(*route) == before + asked + 1


def test_a_process_that_has_just_begun_its_files_is_no_trouble(server):
    """Its counts are empty for a moment."""
    begun = server.folder / "metrics/web/counter_0.db"
    begun.touch()
    assert server.value("tegami_database_up") == 1
    begun.unlink()


def test_every_way_to_an_answer_is_counted(server):
    """They are counted in Flask, before it, after it, in place of it, and in the server itself."""
    with connect(server) as opened:
        one = Client(opened)
        made = one.ask("POST", "/api/players", {"name": "Way", "token": "a"})[2]
        auth = {"Authorization": f"Bearer {made['token']['secret']}"}
        game = one.ask("POST", "/api/games", {**GAME, "house": 0, "start": "host"}, **auth)[2]
        path = f"/api/games/{game['id']}"
        _, head, _ = one.ask("GET", path, **auth)
        tag = re.search(rb"ETag: (\S+)", head)[1].decode()
        before = server.requests(*POLL)
        for _ in range(5):
            assert one.ask("GET", path, If_None_Match=tag, **auth)[0] == 304
        assert server.requests(*POLL) == before + 5
        held = {**auth, "If-None-Match": tag, "Prefer": "wait=1"}
        assert one.ask("GET", path, **held)[0] == 304
        assert server.requests(*POLL) == before + 6
    assert status(f"{server.url}/every_page.css") == 200
    for refused, sent in (
        (b"414", b"GET /%b HTTP/1.1\r\n\r\n" % (b"x" * 5000)),
        (b"400", b"?\r\n\r\n"),
    ):
        with connect(server) as opened:
            opened.sendall(sent)
            assert opened.recv(12).split()[1] == refused
    assert server.requests("/api/players", "POST", "201") >= 1
    assert server.requests("files of the page", "GET", "200") >= 1
    assert server.requests("other", "other", "414") == 1
    assert server.requests("other", "other", "400") == 1


OF_STANDBY = {"tegami_database_replica_lag_bytes", "tegami_database_replica_lag_seconds"}
"""Metrics that exist only with a standby server: tests/service/core/test_replicas.py."""
OF_REPLICA = {"tegami_replica_behind_bytes", "tegami_replica_reads_total"}
"""Metrics that exist only with a replica: tests/service/core/test_replicas.py."""


def test_rules_and_dashboard_ask_for_what_there_is(server):
    """The page about hosting has a line for each metric, and for no other."""
    play_a_move(server)
    wait_until(lambda: server.values("tegami_moves_total").get(("house",)), "the house moves")
    verify_an_address(server, "asked")
    wait_until(lambda: server.values("tegami_mails_total"), "a mail leaves")
    wait_until(lambda: server.values("tegami_process_silent_seconds"), "the worker has begun")
    families = [*text_string_to_metric_families(server.text())]
    samples = {each.name for family in families for each in family.samples}
    missing = named_metrics() - samples
    of_postgresql = OF_STANDBY | {"tegami_database_replicas"}
    without = {"tegami_replica_reads_total"} | OF_STANDBY
    assert missing == without | (of_postgresql if server.database.startswith("sqlite") else set())
    rows = re.findall(r"(?m)^\| (`tegami_.*?) \|", PAGE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    exported = {name for name in samples if not name.endswith(("_bucket", "_sum", "_count"))}
    assert documented == exported | of_postgresql | OF_REPLICA | {"tegami_thinking_seconds"}


@needs_promtool
def test_promtool_finds_nothing_wrong_with_what_it_reads(server):
    promtool("check", "metrics", given=server.text())


def test_each_process_has_its_own_sign_of_life(server):
    told = wait_until(lambda: server.values("tegami_process_silent_seconds"), "the worker begins")
    assert {machine for machine, _ in told} == {os.uname().nodename}
    assert {re.sub(r"\d+", "N", process) for _, process in told} == {
        "worker N",
        "thinker N of worker N",
    }
    assert all(0 <= seconds < 60 for seconds in told.values())


def play_a_move(server):
    """Let somebody move in a game against the house, twice with the same request."""
    with connect(server) as opened:
        one = Client(opened)
        made = one.ask("POST", "/api/players", {"name": "Mover", "token": "a"})[2]
        auth = {"Authorization": f"Bearer {made['token']['secret']}"}
        game = one.ask("POST", "/api/games", GAME, **auth)[2]
        path = f"/api/games/{game['id']}"

        def asked():
            view = one.ask("GET", path, **auth)[2]
            return view if view["legal"] else None

        view = wait_until(asked, "it is our move")
        sent = {"asked": view["asked"], "action": view["legal"][0]["action"]}
        assert one.ask("POST", f"{path}/actions", sent, **auth)[0] == 201
        assert one.ask("POST", f"{path}/actions", sent, **auth)[0] == 200  # the same answer again


def verify_an_address(server, name):
    browser = Browser(server.url)
    browser.send("POST", "/api/players", {"name": "Mailed"})
    address = {"handle": name, "address": f"{name}@example.org"}
    browser.send("POST", "/api/me/registration", address)


def test_moves_thoughts_and_mails_are_counted(server, mail):
    moved, mailed = server.values("tegami_moves_total"), server.values("tegami_mails_total")
    play_a_move(server)
    assert server.values("tegami_moves_total")[("seat",)] == moved.get(("seat",), 0) + 1
    wait_until(lambda: server.values("tegami_moves_total").get(("house",)), "the house moves")
    assert server.value("tegami_thinking_seconds_count") >= 1
    assert server.value("tegami_thinking_seconds_sum") < 60
    verify_an_address(server, "mailed")
    sent = {("verify", "sent"): mailed.get(("verify", "sent"), 0) + 1}
    wait_until(lambda: server.values("tegami_mails_total") == sent, "a mail leaves")


@pytest.mark.both_databases
def test_the_present(server):
    assert server.value("tegami_database_up") == 1
    for name in (
        "outbox_due",
        "outbox_lag_seconds",
        "house_players_waiting",
        "deadline_lag_seconds",
    ):
        assert server.value(f"tegami_{name}") >= 0
    assert server.value("tegami_oldest_wait_seconds") < 60
    assert server.value("tegami_worker_silent_seconds") < 120


def status(url):
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_neither_address_has_what_is_at_the_other(server):
    """This holds whatever a client claims to be."""
    own = f"http://127.0.0.1:{server.metrics}"
    assert status(f"{server.url}/metrics") == 404
    assert status(f"{own}/healthz") == status(f"{own}/") == status(f"{own}/api/games") == 404
    with connect(server) as opened:
        for name in ("Host", "X-Forwarded-Host", "X-Forwarded-Port"):
            headers = {"Host": "a", name: f"127.0.0.1:{server.metrics}"}
            assert Client(opened).ask("GET", "/metrics", **headers)[0] == 404


def test_labels_tell_of_nobody(server):
    """They have no ids, names or secret links; and a client that invents paths and methods adds only one line."""
    with connect(server) as opened:
        one = Client(opened)
        made = one.ask("POST", "/api/players", {"name": "Nemo Somebody", "token": "a"})[2]
        auth = {"Authorization": f"Bearer {made['token']['secret']}"}
        game = one.ask("POST", "/api/games", GAME, **auth)[2]
        for n in range(20):
            one.ask("GET", f"/invented/{n}")
            one.ask(f"METHOD{n}", f"/api/games/{game['id']}")
            one.ask("GET", f"/moves/secret-{n}")
            one.ask("GET", f"/seats/secret-{n}?key=secret")
    text = server.text()
    for secret in (
        "Nemo",
        made["player"]["id"],
        game["id"],
        made["token"]["secret"],
        "secret",
        "invented",
        "METHOD",
    ):
        assert secret not in text
    labels = [line.partition("} ")[0] for line in text.splitlines() if "{" in line]
    values = {value for line in labels for value in re.findall(r'="([^"]*)"', line)}
    assert {
        each for each in values if not re.fullmatch(r"[a-z0-9_.+{} /-]+|[A-Z]+|\+Inf", each)
    } == set()


@pytest.mark.both_databases
def test_lag_and_silence_grow_without_a_worker(server):
    wait_until(lambda: server.values("tegami_worker_silent_seconds"), "the worker has begun")
    server.kill("worker")
    (left,) = server.folder.glob("metrics/worker-*")
    app = create_app(server.config)
    execute(app, "UPDATE heartbeats SET at = at - 600000 WHERE name = 'worker'")
    disconnect(app)
    assert server.value("tegami_worker_silent_seconds") >= 600
    assert server.values("tegami_thinking_seconds_count"), "it stays until another one begins"
    server.launch("worker")
    wait_until(lambda: not left.exists(), "the next worker has deleted what was left")


def test_without_the_setting_nothing_is_loaded_and_nothing_answers(cast):
    """What a server does not use costs it neither time nor memory."""
    assert cast.nobody.send("GET", "/metrics").status_code == 404
    modules = "service.web.serving.gunicorn, service.web.serving.application, service.operations.worker.loop, sys"
    program = f"import {modules}; sys.exit('prometheus_client' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
