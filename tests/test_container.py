"""The container without an engine: the content of the image starts, is healthy, and writes only its data."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
import yaml

from service.core.settings.config import ROOT
from service.core.settings.environment import EXPECTED, REQUIRED_BY_HTTPS
from service.core.settings.key_file import PUSH_KEY, SECRET_KEY, SIGNING_KEY
from tests.hosting_page import PAGE, example
from tests.support.changed import UNCHANGED, changed
from tests.support.servers.server import free_port, wait_until

WHOLE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
FIRST, LAST = re.split(r"(?m)^(?=FROM )", WHOLE)[1:]
"""The stage in which packages are installed, and the image."""
LINES = LAST.splitlines()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def steps(kind: str, stage: str = LAST) -> list[str]:
    """The contents of the instructions of a kind."""
    lines = stage.splitlines()
    return [line.removeprefix(f"{kind} ") for line in lines if line.startswith(f"{kind} ")]


def copied() -> list[str]:
    """The files that are copied from the clone into the image."""
    return [step for step in steps("COPY") if not step.startswith("--from")]


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The folder of the image, with only what the Dockerfile copies."""
    root = tmp_path / "srv"
    root.mkdir()
    for step in copied():
        *sources, target = step.split()
        for source in sources:
            place = root / (f"{target}{Path(source).name}" if target.endswith("/") else target)
            place = root / source if target == "." else place
            place.parent.mkdir(exist_ok=True)
            ignored = shutil.ignore_patterns("__pycache__")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=ignored)
            else:
                shutil.copy(ROOT / source, place)
    (root / ".venv").symlink_to(Path(sys.executable).parents[1])
    (compiling,) = (step for step in steps("RUN") if "compileall" in step)
    subprocess.run(["sh", "-euc", compiling], cwd=root, check=True)
    return root


def files(folder: Path) -> dict[Path, float]:
    """All files of a folder, with their times."""
    return {path: path.lstat().st_mtime for path in folder.rglob("*")}


@pytest.mark.skipif(
    not changed(
        "Dockerfile",
        ".dockerignore",
        "requirements.txt",
        "bin",
        "docs",
        "examples",
        "openapi.yaml",
        "tests/test_container.py",
    ),
    reason=UNCHANGED,
)
def test_the_image_starts_is_healthy_and_writes_only_data(image: Path, tmp_path: Path) -> None:
    given = dict(each.split("=", 1) for step in steps("ENV") for each in step.split())
    here = {"PORT": str(free_port()), "DATA_DIR": str(tmp_path / "data"), "HOST": "127.0.0.1"}
    environment = {**os.environ, **given, **here, "PYTHONPATH": str(image), "WEB_CONCURRENCY": "1"}
    (command,) = (yaml.safe_load(step) for step in steps("CMD"))
    (check,) = (step.partition(" CMD ")[2] for step in steps("HEALTHCHECK"))
    before = files(image)
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=image, env=environment, stdout=log, stderr=log)
    healthy = ["sh", "-c", check]
    run = {"cwd": image, "env": environment, "capture_output": True}
    try:
        assert subprocess.run(healthy, check=False, **run).returncode != 0, "not before it listens"
        wait_until(lambda: subprocess.run(healthy, check=False, **run).returncode == 0, "health")
        for path in (
            "/",
            "/openapi.yaml",
            "/docs/clients",
            "/docs/examples/bot.py",
            "/privacy",
            "/rules/caravan",
        ):
            with urllib.request.urlopen(f"http://127.0.0.1:{here['PORT']}{path}") as answer:
                assert answer.status == 200
    finally:
        server.send_signal(signal.Signals[steps("STOPSIGNAL")[0]])
        server.wait(40)
    assert {path.relative_to(image) for path, _ in files(image).items() ^ before.items()} == set()
    assert (tmp_path / "data/secret.key").exists()


def test_the_image_runs_as_a_user_of_its_own() -> None:
    last = [line for line in LINES if line.startswith(("USER ", "CMD "))]
    (user,) = steps("USER")
    assert last[0] == f"USER {user}" and int(user) > 0
    assert any(f"--uid {user}" in step for step in steps("RUN"))
    allowed = (ROOT / ".dockerignore").read_text().splitlines()
    for step in [*copied(), *steps("COPY", FIRST)]:
        for source in step.split()[:-1]:
            assert f"!{source.split('/')[0]}" in allowed


def test_nothing_in_the_image_installs_or_builds_programs() -> None:
    """Packages come from another stage, without pip; the image has neither tests nor the tools that set a clone up."""
    (installing,) = steps("RUN", FIRST)
    first, second, third = installing.split(" && ")
    assert shlex.split(first) == ["bin/setup"]
    assert "--require-hashes --requirement $REQUIREMENTS" in second
    assert shlex.split(third)[1:4] == ["-m", "pip", "uninstall"]
    assert steps("COPY")[0] == "--from=packages /srv/tegami/.venv .venv"
    assert {step.split()[0] for step in copied()}.isdisjoint({"bin/setup", "bin", "tests", "."})
    removing = next(step for step in steps("RUN") if "apt-get" in step)
    assert "rm -rf /usr/local/lib/python3.11/site-packages/*" in removing
    packages = set(re.findall(r"(?<=--no-install-recommends )[^&]*", removing))
    named = {name for each in packages for name in each.split()}
    assert named == {"ca-certificates", "postgresql-common", "postgresql-client-18"}
    assert not re.search(r"\b(gcc|build-essential|-dev|git|make)\b", removing)


def test_a_bucket_can_be_reached_from_the_container() -> None:
    """`COLD_STORAGE` is a setting like all others, but the packages for a bucket are not installed everywhere."""
    (usual,) = steps("ARG", FIRST)
    name, usual = usual.split("=")
    build = COMPOSE["services"]["tegami"]["build"]
    assert build["args"] == {name: f"${{{name}:-{usual}}}"}
    with_bucket = re.search(rf"`{name}=([\w.-]+)`", PAGE)
    assert with_bucket is not None, "hosting.md says what to write"
    locked = {usual, with_bucket[1]}
    assert locked < set(" ".join(steps("COPY", FIRST)).split())
    assert "\ns3fs==" in (ROOT / with_bucket[1]).read_text(encoding="utf-8")


def test_pg_dump_in_the_image_is_as_new_as_the_database() -> None:
    """An older one refuses a newer server."""
    version = COMPOSE["services"]["database"]["image"].removeprefix("postgres:")
    assert f"postgresql-client-{version}" in " ".join(steps("RUN"))
    assert f"tested with version {version}" in PAGE


def test_the_documented_backup_holds_the_database_and_every_key() -> None:
    script = example("bin/tegami backup /var/lib/tegami/backup")
    folder = next(each.split("=")[1] for each in steps("ENV")[0].split() if "DATA_DIR" in each)
    for name in ("backup", SECRET_KEY, SIGNING_KEY, PUSH_KEY):
        assert f"docker compose cp tegami:{folder}/{name} " in script
    (volume,) = COMPOSE["services"]["tegami"]["volumes"]
    assert volume.endswith(f":{folder}")


def test_the_health_check_asks_for_all_that_is_needed() -> None:
    (check,) = steps("HEALTHCHECK")
    assert "/readyz" in check


def test_logs_are_bounded() -> None:
    for name, service in COMPOSE["services"].items():
        kept = service["logging"]
        assert kept["driver"] == "json-file", name
        assert kept["options"] == {"max-size": "10m", "max-file": "5"}, name


def test_the_services_are_confined_and_start_after_the_database() -> None:
    tegami = COMPOSE["services"]["tegami"]
    assert tegami["read_only"] is True and tegami["cap_drop"] == ["ALL"]
    assert tegami["security_opt"] == ["no-new-privileges:true"]
    assert tegami["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "ports" not in tegami and "ports" not in COMPOSE["services"]["database"]
    mounted = {
        each.split(":")[0] for one in COMPOSE["services"].values() for each in one["volumes"]
    }
    assert mounted == COMPOSE["volumes"].keys()


def test_every_setting_can_be_reached_from_the_file_beside_compose() -> None:
    """A value that compose sets takes precedence: it is made of the file's own values, or of what compose runs."""
    tegami = COMPOSE["services"]["tegami"]
    assert tegami["env_file"] == ".env"
    given = tegami["environment"]
    settings = EXPECTED.keys() | {"OPERATOR", "CONTACT", "HOST", "DATA_DIR"}
    assert given.keys() <= settings
    for name, value in given.items():
        made_of = {"PUBLIC_URL": "DOMAIN", "DATABASE_URL": "DATABASE_PASSWORD"}.get(name, name)
        assert f"${{{made_of}:" in value, name
    in_image = {each.split("=")[0] for step in steps("ENV") for each in step.split()}
    assert REQUIRED_BY_HTTPS.keys() <= given.keys() | in_image


def test_the_proxy_has_the_settings_of_the_page() -> None:
    written = COMPOSE["configs"]["caddy"]["content"].replace("$${", "${")
    page = example("reverse_proxy").replace("tegami.example {", "${DOMAIN} {")
    assert written == page.replace("127.0.0.1:8000", "tegami:8000")
    assert re.search(r"^\$\{DOMAIN\} \{$", written, re.M)
