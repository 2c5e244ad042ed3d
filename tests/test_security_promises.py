"""Statements of docs/security.md about the whole source: what it never does, and what the guide for hosts shows."""

from __future__ import annotations

import ast
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import ROOT
from tests.contract import document, operations
from tests.test_imports import files, imported, nodes

SOURCES = files("service", ".py") + files("rules", ".py")
CLIENTS = {"ftplib", "http.client", "httpx", "imaplib", "requests", "smtplib", "urllib.request"}
"""Modules with which a program connects to another server."""
PROGRAMS = {"multiprocessing", "pty", "subprocess"}
"""Modules that start programs."""
UNSAFE = {"marshal", "pickle", "shelve", "xml", "yaml"}
"""Modules that make objects, or more, from their input."""
HOSTING = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")


def users(modules: set[str]) -> set[str]:
    """The files of the service that import one of these modules, or a part of it."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if any(is_in(name, module) for name in imported(path) for module in modules)
    }


def is_in(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def called(path: Path) -> Iterator[str]:
    """The functions that a file calls, as written."""
    return (ast.unparse(node.func) for node in nodes(path) if isinstance(node, ast.Call))


def block(text: str) -> str:
    """The example in the guide for hosts that contains this text."""
    (found,) = (each for each in re.findall(r"```\w*\n(.*?)```", HOSTING, re.S) if text in each)
    return str(found)


def test_one_module_opens_addresses_of_users() -> None:
    """Mail leaves to the server of the settings, and webhooks through one guard, which vets the address."""
    guard = "service/notifications/receivers/guarded_post.py"
    mail = "service/notifications/mail_sending/smtp.py"
    assert users(CLIENTS) == {"service/operations/commands/doctor.py", mail, guard}
    cuts = "service/notifications/time_limits.py"  # and opens nothing
    others = users({"socket"}) - {guard, mail, cuts, "service/notifications/receivers/addresses.py"}
    assert all(path.startswith("service/web/serving/") for path in others)


def test_only_serve_backup_and_the_worker_start_programs() -> None:
    """No input from outside is part of a command."""
    assert users(PROGRAMS) == {
        "service/operations/stored_data/backup.py",
        "service/operations/commands/tied_program.py",
        "service/operations/thinking/processes.py",
    }
    starting = re.compile(r"os\.(system|popen|exec|spawn|posix_spawn|fork)")
    assert not [path for path in SOURCES if any(starting.match(name) for name in called(path))]


def test_nothing_is_made_into_objects_or_run() -> None:
    assert users(UNSAFE) == set()
    assert not [path for path in SOURCES if {"eval", "exec", "__import__"} & set(called(path))]


def test_the_service_redirects_nowhere_but_to_its_own_pages() -> None:
    """Every answer in every test is one of these; where a form leads is part of the document.

    A site where somebody signs in with Tegami is reached only by the button of the page that names it.
    """
    sending_on = {
        (each.path.startswith("/plain"), status)
        for each in operations()
        for status in each.responses
        if 300 <= status < 400 and each.name != "authorize"
    }
    assert sending_on == {(False, 304), (True, 303)}
    location = document()["components"]["responses"]["SeePage"]["headers"]["Location"]
    assert location["schema"]["pattern"] == "^/($|[a-z])"


def test_ids_are_drawn_from_the_systems_generator() -> None:
    runtime = Runtime()
    assert runtime.entropy is secrets.token_bytes
    assert re.fullmatch(r"g_[0-9A-Za-z]{22}", runtime.new_id("g"))
    assert re.fullmatch(r"[0-9A-Za-z]{43}", runtime.new_secret())
    assert (
        users({"random"})
        == {
            "service/core/database/changing_tables.py",  # how long it waits
            "service/tables/play/moves.py",  # for previews, with fixed seeds: nothing in them is a secret
            "service/people/circles/series/exchanges.py",  # for fair pairings, with fixed seeds
            "service/people/circles/series/round_robin.py",
            "service/tables/before_start/series_rounds.py",
            "service/operations/thinking/agents.py",  # with seeds of the next two
            "service/operations/worker/house_players.py",
            "service/operations/worker/loop.py",
        }
    )


def test_nothing_hinders_pasting() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in files("web", ".js", ".html"))
    assert not re.search(r"paste|oncopy|oncut", scripts, re.I)
    assert {"current-password", "new-password", "username"} <= set(
        re.findall(r'autocomplete: "([a-z-]+)"', scripts)
    )


def test_the_unit_for_systemd_confines_the_service() -> None:
    unit = block("[Service]").splitlines()
    for line in (
        "User=tegami",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "PrivateDevices=yes",
        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
        "SystemCallFilter=@system-service",
        "LimitCORE=0",
        "UMask=0077",
    ):
        assert line in unit


def test_the_example_for_nginx_allows_current_tls_only() -> None:
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in block("proxy_pass")
