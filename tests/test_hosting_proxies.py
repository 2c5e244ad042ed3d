"""The proxies of docs/hosting.md, run with the settings of the page: they compress, and log no link of a mail."""

from __future__ import annotations

import gzip
import http.client
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask

from tests.hosting_page import example
from tests.support.changed import UNCHANGED, changed
from tests.support.servers.server import PATIENCE, Server, free_port, wait_until
from tests.support.servers.smtp_server import TLS

SECRET = "s3cr3t-0f-a-m41l"
AREAS = (
    *("moves", "votes", "tables", "seats", "extensions", "vacations", "mails", "webhooks"),
    *("records", "offers", "rematches", "invitations", "invited", "plain/invited", "plain/keys"),
    *("unsubscribe", "links", "feeds"),
)


if_the_page_changed = pytest.mark.skipif(
    not changed("docs/hosting.md", "tests/test_hosting_proxies.py"), reason=UNCHANGED
)


def test_every_link_of_a_mail_is_kept_out_of_the_logs(app: Flask) -> None:
    signed = {
        rule.rule.removeprefix("/")
        for rule in app.url_map.iter_rules()
        if re.search(r"[<:](token|key)>", rule.rule)
    }
    shown = [
        each for each in signed if not each.startswith((*(f"{area}/" for area in AREAS), "api/"))
    ]
    assert shown == []
    for proxy in ("upstream tegami", "reverse_proxy"):
        assert f"({'|'.join(AREAS)})" in example(proxy)


@contextmanager
def running(command: list[str], port: int, log: Path) -> Iterator[None]:
    """The proxy, which listens on this port."""
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=log.parent)
    try:
        wait_until(lambda: process.poll() is None and answers(port), log.name)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def answers(port: int) -> bool:
    try:
        return ask(connection_to(port), "/healthz")[0] in {200, 400}
    except OSError:
        return False


def connection_to(port: int, *, tls: bool = False) -> http.client.HTTPConnection:
    if not tls:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    trusting = ssl._create_unverified_context()
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusting)


def ask(connection: http.client.HTTPConnection, path: str) -> tuple[int, dict[str, str], bytes]:
    host = f"tegami.example:{connection.port}"
    headers = {"Accept-Encoding": "gzip", "Host": host, "Referer": f"/{SECRET}"}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def tries(connection: http.client.HTTPConnection) -> None:
    """The checks for both proxies."""
    status, headers, body = ask(connection, "/api/rulesets")
    assert status == 200 and headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body).startswith(b"{")
    for area in AREAS:
        ask(connection, f"/{area}/{SECRET}")
        ask(connection, f"/{area}/{SECRET}/deeper?x={SECRET}")
    assert ask(connection, f"/api/games?cursor={SECRET}")[0] == 400
    assert ask(connection, f"/mailbox?x={SECRET}")[0] in {200, 400, 404}


@if_the_page_changed
@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx(server: Server, tmp_path: Path) -> None:
    port = free_port()
    outer = example("upstream tegami").replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    inner = example("proxy_pass").replace("/var/log/nginx/tegami.log", f"{tmp_path}/access.log")
    places = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;\n"
        f"events {{}}\nhttp {{\n{places}{outer}\nserver {{\nlisten 127.0.0.1:{port} ssl;\n"
        f"ssl_certificate {TLS}/server.pem; ssl_certificate_key {TLS}/server.pem;\n{inner}\n}}\n}}\n"
    )
    nginx = ["nginx", "-p", str(tmp_path), "-e", f"{tmp_path}/error.log"]
    nginx += ["-c", f"{tmp_path}/nginx.conf"]
    checked = subprocess.run([*nginx, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    with running(nginx, port, tmp_path / "nginx.out"):
        tries(connection_to(port, tls=True))
    logged = (tmp_path / "access.log").read_text()
    assert '"GET /moves/*" 404' in logged and '"GET /api/rulesets" 200' in logged
    assert SECRET not in logged


@if_the_page_changed
@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
def test_caddy(server: Server, tmp_path: Path) -> None:
    """It runs over http: a certificate for the page's name needs an authority."""
    port = free_port()
    text = example("reverse_proxy").replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    text = text.replace("tegami.example {", f"http://tegami.example:{port} {{")
    text = text.replace("{\n", "{\n    admin off\n", 1)
    file = tmp_path / "Caddyfile"
    file.write_text(text)
    caddy = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
    checked = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    log = tmp_path / "caddy.out"
    with running(caddy, port, log):
        tries(connection_to(port))
    logged = log.read_text()
    assert "/moves/…" in logged and '"uri":"/api/rulesets"' in logged
    assert SECRET not in logged
