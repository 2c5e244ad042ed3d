"""Settings: read from the environment once; the first start makes the data folder and its key."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.config import ROOT, Config


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "not" / "yet"


def test_the_first_start_makes_what_is_missing(folder):
    config = Config.from_environment({"DATA_DIR": str(folder)})
    key = folder / "secret.key"
    assert len(config.secret_key) == 32
    assert key.read_bytes() == config.secret_key
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [each.name for each in folder.iterdir()] == ["secret.key"]


def test_every_start_reads_the_same_key(folder):
    """Also those that are the first at the same moment."""
    with ThreadPoolExecutor(8) as threads:
        starts = [
            threads.submit(Config.from_environment, {"DATA_DIR": str(folder)}) for _ in range(8)
        ]
    assert len({start.result().secret_key for start in starts}) == 1
    assert [each.name for each in folder.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("damaged", [b"", b"x" * 31])
def test_a_damaged_key_stops_the_start(folder, damaged):
    """With an empty key anybody could make invitations."""
    folder.mkdir(parents=True)
    (folder / "secret.key").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"secret\.key"):
        Config.from_environment({"DATA_DIR": str(folder)})


def test_the_key_is_in_no_text(folder):
    config = Config.from_environment({"DATA_DIR": str(folder)})
    assert repr(config.secret_key) not in repr(config)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("postgres://u:p@db/tegami", "postgresql+psycopg://u:p@db/tegami"),
        ("postgresql://u@/tegami?host=/run", "postgresql+psycopg://u@/tegami?host=/run"),
        ("postgresql+psycopg://db/x", "postgresql+psycopg://db/x"),
        ("sqlite:////srv/x.sqlite3", "sqlite:////srv/x.sqlite3"),
    ],
)
def test_addresses_of_databases(folder, given, address):
    environment = {"DATA_DIR": str(folder), "DATABASE_URL": given}
    assert Config.from_environment(environment).database_url == address


def test_defaults_are_those_of_a_first_try(folder):
    config = Config.from_environment({"DATA_DIR": str(folder), "DATABASE_URL": ""})
    assert config.database_url == f"sqlite:///{folder}/tegami.sqlite3"
    assert config.public_url == "http://127.0.0.1:8000"
    assert config.rate_limits and config.trusted_proxies == 0
    assert config.cookie == "tegami" and not config.secure
    assert (ROOT / "openapi.yaml").exists()


def test_what_the_operator_says_counts(folder):
    config = Config.from_environment(
        {
            "DATA_DIR": str(folder),
            "PUBLIC_URL": "https://tegami.example/",
            "RATE_LIMITS": "off",
            "TRUSTED_PROXIES": "1",
            "POLL_AFTER": "0.5",
        }
    )
    assert config.public_url == "https://tegami.example"
    assert not config.rate_limits
    assert (config.trusted_proxies, config.poll_after) == (1, 0.5)
    assert config.cookie == "__Host-tegami" and config.secure


def test_mail_is_sent_as_the_server_unless_the_operator_says_otherwise(folder):
    environment = {"DATA_DIR": str(folder), "PUBLIC_URL": "https://tegami.example:8443"}
    config = Config.from_environment(environment)
    assert (config.smtp_url, config.mail_from) == (None, "Tegami <tegami@tegami.example>")
    said = {"SMTP_URL": "smtp://u:p@mail.example", "MAIL_FROM": "手紙 <post@mail.example>"}
    config = Config.from_environment({**environment, **said})
    assert (config.smtp_url, config.mail_from) == tuple(said.values())
    assert "mail.example:" not in repr(config) and "u:p" not in repr(config)


@pytest.mark.parametrize(
    ("environment", "there"),
    [
        ({}, True),
        ({"PUBLIC_URL": "http://localhost:8000"}, True),
        ({"PUBLIC_URL": "http://[::1]:8000"}, True),
        ({"PUBLIC_URL": "https://localhost"}, False),
        ({"PUBLIC_URL": "http://tegami.example"}, False),
        ({"HOST": "0.0.0.0"}, False),
        ({"SMTP_URL": "smtp://localhost:25"}, False),
    ],
)
def test_mails_are_shown_only_where_nobody_else_can_look(folder, environment, there):
    config = Config.from_environment({"DATA_DIR": str(folder), **environment})
    assert config.mailbox is there
