"""The address of the database, and the time limits for waiting for it.

PostgreSQL is named by libpq's own addresses, with several hosts, sockets, and all of libpq's parameters. SQLAlchemy
writes several hosts differently, so an address is converted to its form here, and back to libpq's for PostgreSQL's own
programs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

LIBPQ = frozenset({"postgres", "postgresql"})
"""The schemes of libpq's addresses."""
_DRIVER = "postgresql+psycopg"
_SCHEMES = LIBPQ | {_DRIVER, "sqlite"}
_APART = {"user", "password", "host", "port", "dbname"}
"""The parts of an address that are not in its query."""
_PLAIN = re.compile(r"[0-9A-Za-z.-]+")
"""The pattern of a host that can be written into an address unchanged."""


class Patience(NamedTuple):
    """The limits of waiting for PostgreSQL, in seconds; 0 means no limit. See docs/hosting.md."""

    connect: float = 3
    """The time that a connection to each host may take."""
    statement: float = 10
    """The time that a statement may take."""
    lock: float = 1
    """The time to wait for a row that somebody else is changing."""
    idle: float = 30
    """The time between two statements of a transaction after which the database ends it."""
    tcp: float = 10
    """The time to wait for a sign of life from the database's machine."""


USUAL = Patience()
FOR_COMMANDS = Patience(statement=0, lock=0, idle=0)
"""The time limits of commands that work through the whole database, and that the operator can interrupt."""


def database_url(given: str | None, data_dir: Path) -> str:
    """The address in SQLAlchemy's form; if none is given, the address of the embedded database.

    Raises ValueError if it is malformed.
    """
    if not given:
        return f"sqlite:///{data_dir / 'tegami.sqlite3'}"
    scheme, _, rest = given.partition("://")
    if scheme in LIBPQ:
        return _of_libpq(rest)
    if make_url(given).drivername not in _SCHEMES:
        raise ValueError(scheme)
    return given


def _of_libpq(rest: str) -> str:
    """SQLAlchemy's form of an address that libpq understands. Raises ValueError if libpq does not understand it."""
    from psycopg import ProgrammingError, conninfo  # not loaded with SQLite

    try:
        said = conninfo.conninfo_to_dict(f"postgresql://{rest}")
    except ProgrammingError as error:
        raise ValueError from error
    found = {name: str(value) for name, value in said.items() if value is not None}
    plain = f"{_DRIVER}://{rest}"
    if _is_the_same(plain, found):
        return plain
    hosts, ports = _listed(found.get("host")), _listed(found.get("port"))
    if any(not port.isdecimal() for port in ports if port):
        raise ValueError
    place = {"host": ",".join(hosts)} if hosts else {}
    if ports:
        place["port"] = ",".join(ports * len(hosts) if len(ports) == 1 and hosts else ports)
    url = URL.create(
        _DRIVER,
        username=found.get("user"),
        password=found.get("password"),
        database=found.get("dbname"),
        query={**place, **_beside(found)},
    )
    return url.render_as_string(hide_password=False)


def _is_the_same(plain: str, said: Mapping[str, str]) -> bool:
    """Whether SQLAlchemy understands an address in the same way as libpq."""
    try:
        return parameters(make_url(plain)) == said
    except (ArgumentError, ValueError):  # SQLAlchemy takes "h1:5432,h2" for no port
        return False


def parameters(url: URL) -> dict[str, str]:
    """libpq's parameters of a PostgreSQL address, as SQLAlchemy hands them to the driver."""
    from sqlalchemy.dialects.postgresql import psycopg

    _, told = psycopg.dialect().create_connect_args(url)  # type: ignore[no-untyped-call]
    return {name: str(value) for name, value in told.items() if name not in _OF_DRIVER}


_OF_DRIVER = {"context", "prepare_threshold", "autocommit"}
"""The parameters that SQLAlchemy passes to the driver and that libpq does not know."""


def libpq_address(url: URL) -> str:
    """The address of a PostgreSQL database in the form of PostgreSQL's own programs."""
    told = parameters(url)
    who = quote(told.get("user", ""), safe="")
    who += f":{quote(told['password'], safe='')}" if "password" in told else ""
    where, port = told.get("host", ""), told.get("port", "")
    query = _beside(told)
    if _PLAIN.fullmatch(where):
        place = f"{where}:{port}" if port else where
    else:
        place, query = "", {name: told[name] for name in ("host", "port") if name in told} | query
    address = f"postgresql://{who}{'@' * bool(who)}{place}/{quote(told.get('dbname', ''), safe='')}"
    # A plus would not become a space again, since libpq takes it literally.
    return address + ("?" + urlencode(query, quote_via=quote) if query else "")


def hosts(url: URL) -> list[str]:
    """The machines on which a PostgreSQL database may be, and the folders of sockets."""
    return _listed(parameters(url).get("host"))


def _listed(value: str | None) -> list[str]:
    return value.split(",") if value else []


def _beside(found: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in found.items() if name not in _APART}


def waiting(patience: Patience, *, session: bool) -> dict[str, str | int]:
    """libpq's parameters for this patience. `session` is whether the database may keep settings for a connection."""
    told: dict[str, str | int] = {}
    if patience.connect:
        told["connect_timeout"] = max(2, math.ceil(patience.connect))  # libpq's minimum
    if patience.tcp:
        told |= {
            "tcp_user_timeout": round(patience.tcp * 1000),
            "keepalives_idle": max(1, round(patience.tcp / 2)),
            "keepalives_interval": max(1, round(patience.tcp / 6)),
            "keepalives_count": 3,
        }
    if session:
        told["options"] = " ".join(f"-c {name}={ms}" for name, ms in limits(patience).items())
    return told


def given_patience(patience: Patience, given: Mapping[str, str | int | None]) -> Patience:
    """The patience of a connection with these parameters of libpq; time limits among them take precedence."""
    told: dict[str, float | None] = {}
    if str(given.get("connect_timeout")).isdecimal():
        told["connect"] = float(given["connect_timeout"] or 0)
    for name, value in _SETTING.findall(str(given.get("options") or "")):
        field = _FIELDS.get(name.replace("-", "_").lower())
        if field:
            told[field] = _seconds(value)
    return patience._replace(**{name: each for name, each in told.items() if each is not None})


_FIELDS = {
    "statement_timeout": "statement",
    "lock_timeout": "lock",
    "idle_in_transaction_session_timeout": "idle",
}
_SETTING = re.compile(r"(?:(?<=\s)|^)(?:-c\s*|--)([A-Za-z_-]+)=((?:\\.|\S)*)")
"""The pattern of a setting among libpq's `options`: `-c name=value`, `--name=value`."""
_TIME = re.compile(r"'?\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*'?")
_UNITS = {"us": 1e-6, "": 1e-3, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def _seconds(value: str) -> float | None:
    """The seconds of a time as PostgreSQL reads it; None if PostgreSQL would reject it."""
    found = _TIME.fullmatch(value.replace("\\", ""))
    unit = _UNITS.get(found[2]) if found else None
    return float(found[1]) * unit if found and unit else None


def limits(patience: Patience) -> dict[str, int]:
    """PostgreSQL's own settings for this patience, in ms."""
    return {
        "statement_timeout": round(patience.statement * 1000),
        "lock_timeout": round(patience.lock * 1000),
        "idle_in_transaction_session_timeout": round(patience.idle * 1000),
    }
