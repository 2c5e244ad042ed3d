"""PgBouncer between the service and PostgreSQL, in transaction mode, with only a few connections to the database."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.support.servers.relay import Relay
from tests.support.servers.server import PATIENCE, free_port, wait_until

needs_pgbouncer = pytest.mark.skipif(
    not shutil.which("pgbouncer"), reason="pgbouncer is not installed"
)
_SETTINGS = """
[databases]
* = host=127.0.0.1 port={to} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 200
ignore_startup_parameters = {ignored}
"""


@contextmanager
def pgbouncer(url: str, *, size: int = 3, ignored: str = "extra_float_digits") -> Iterator[str]:
    """The address through PgBouncer of the database at `url`; it ignores the parameters in `ignored`."""
    port, database = free_port(), make_url(url)
    with Relay(url) as relay, tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # it refuses to run as root
        settings = Path(folder) / "pgbouncer.ini"
        told = {"to": relay.port, "user": database.username, "port": port}
        settings.write_text(_SETTINGS.format(**told, size=size, ignored=ignored))
        as_nobody = ["--user=nobody"] if os.getuid() == 0 else []
        with (Path(folder) / "log").open("wb") as log:
            command = ["pgbouncer", "--quiet", *as_nobody, str(settings)]
            process = subprocess.Popen(command, stdout=log, stderr=log)
        through = f"postgresql://{database.username}@127.0.0.1:{port}/{database.database}"
        try:
            wait_until(lambda: _answers(through), f"pgbouncer: {Path(log.name).read_text()}")
            yield through.replace("postgresql", "postgresql+psycopg")
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
