"""Settings: read from the environment once; the first start makes the data folder and its key."""

from __future__ import annotations

import re
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from service.core.settings.config import ROOT, Config
from service.core.settings.environment import EXPECTED, KEY_BYTES, REQUIRED_BY_HTTPS, WrongSettings
from service.operations.commands.main import main

FOR_OTHERS = {"TRUSTED_PROXIES": "1", "REGISTRATION": "invited"}
"""What an https address requires besides the folder."""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "not" / "yet"


def test_the_first_start_makes_what_is_missing(folder):
    config = Config.from_environment({"DATA_DIR": str(folder)})
    keys = {"secret.key": config.secret_key, "signing.key": config.signing_key}
    keys["push.key"] = config.push_key
    for name, key in keys.items():
        assert len(key) == 32
        assert (folder / name).read_bytes() == key
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert len(set(keys.values())) == len(keys)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(each.name for each in folder.iterdir()) == [
        "push.key",
        "secret.key",
        "signing.key",
    ]


def test_every_start_reads_the_same_key(folder):
    """This holds even if several first starts coincide."""
    with ThreadPoolExecutor(8) as threads:
        starts = [
            threads.submit(Config.from_environment, {"DATA_DIR": str(folder)}) for _ in range(8)
        ]
    configs = [start.result() for start in starts]
    assert len({(each.secret_key, each.signing_key, each.push_key) for each in configs}) == 1
    assert sorted(each.name for each in folder.iterdir()) == [
        "push.key",
        "secret.key",
        "signing.key",
    ]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"DATABASE_REPLICA_URL": "postgresql://h2/tegami"}, "DATABASE_REPLICA_URL is for Post"),
        ({"DATABASE_REPLICA_URL": "sqlite:///the-marker"}, "DATABASE_REPLICA_URL has to be"),
        ({"DATABASE_REPLICA_URL": "h2 the-marker"}, "DATABASE_REPLICA_URL has to be"),
        ({"DATABASE_REPLICA_LAG": "0"}, "DATABASE_REPLICA_LAG has to be"),
    ],
)
def test_only_a_postgresql_has_a_replica(folder, given, wrong):
    with pytest.raises(WrongSettings, match=wrong) as refused:
        Config.from_environment({"DATA_DIR": str(folder), **given})
    assert "the-marker" not in str(refused.value)


def test_a_replica_has_an_address_as_the_database_has(folder):
    given = {"DATABASE_URL": "postgresql://h1/tegami", "DATABASE_REPLICA_LAG": "2.5"}
    given |= {"DATA_DIR": str(folder), "DATABASE_REPLICA_URL": "postgresql://h2/tegami"}
    config = Config.from_environment(given)
    assert config.replica_url == "postgresql+psycopg://h2/tegami"
    assert config.replica_lag == 2.5


def test_machines_can_be_given_one_key_to_sign_with(folder):
    """Upper or lower case does not matter; no file is made for it then."""
    given = {"DATA_DIR": str(folder), "SIGNING_KEY": "0A" * 32}
    assert Config.from_environment(given).signing_key == bytes([10] * 32)
    assert {each.name for each in folder.iterdir()} == {"push.key", "secret.key"}


KEYS = ("SECRET_KEY", "SIGNING_KEY", "PUSH_KEY")


def key_of(name, config):
    return getattr(config, name.lower())


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("content", [b"0a" * 32, b"0A" * 32 + b"\r\n", bytes([10] * 32)])
def test_each_key_can_come_from_a_file_that_a_setting_names(folder, tmp_path, name, content):
    """It is in hexadecimal, perhaps with a newline, or in the form of our own files."""
    file = tmp_path / "secret"
    file.write_bytes(content)
    given = {"DATA_DIR": str(folder), f"{name}_FILE": str(file)}
    config = Config.from_environment(given)
    assert key_of(name, config) == bytes([10] * 32)
    assert config.secret_files == (file,)
    own = name.lower().replace("_", ".")
    assert config.given_keys == {own} and not (folder / own).exists()


def test_addresses_with_passwords_can_come_from_files(folder, tmp_path):
    for name, value in (
        ("DATABASE_URL", "postgresql://u:p@db/tegami\n"),
        ("SMTP_URL", "smtp://u:p@mail.example\n"),
    ):
        (tmp_path / name).write_text(value)
    given = {f"{name}_FILE": str(tmp_path / name) for name in ("DATABASE_URL", "SMTP_URL")}
    config = Config.from_environment({"DATA_DIR": str(folder), **given})
    assert config.database_url.endswith("://u:p@db/tegami")
    assert config.smtp_url == "smtp://u:p@mail.example"


def test_an_address_as_long_as_a_key_is_none(folder, tmp_path):
    address = "postgresql://u:password@db/tegam"
    (tmp_path / "address").write_bytes(address.encode())
    assert len(address) == KEY_BYTES
    given = {"DATA_DIR": str(folder), "DATABASE_URL_FILE": str(tmp_path / "address")}
    assert Config.from_environment(given).database_url.endswith("@db/tegam")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "SECRET_KEY_FILE: .* cannot be read .FileNotFoundError"),
        (b"", "SECRET_KEY_FILE: .* is empty"),
        (b"\n", "SECRET_KEY_FILE: .* is empty"),
        (b"\xff" * 31, "SECRET_KEY_FILE: .* cannot be read .UnicodeDecodeError"),
        (b"hidden-word", "SECRET_KEY has to be 64 hexadecimal digits"),
        (b"0" * 63, "SECRET_KEY has to be 64 hexadecimal digits"),
    ],
)
def test_a_file_of_a_secret_that_cannot_be_used_stops_the_start(folder, tmp_path, content, told):
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(WrongSettings, match=told) as refused:
        Config.from_environment({"DATA_DIR": str(folder), "SECRET_KEY_FILE": str(file)})
    assert "hidden" not in str(refused.value)


def test_a_secret_comes_from_one_place(folder, tmp_path):
    (tmp_path / "secret").write_text("0" * 64)
    given = {"SMTP_URL": "smtp://mail.example", "SMTP_URL_FILE": str(tmp_path / "secret")}
    with pytest.raises(WrongSettings, match="Set SMTP_URL or SMTP_URL_FILE, not both"):
        Config.from_environment({"DATA_DIR": str(folder), **given})


@pytest.mark.parametrize("damaged", [b"", b"x" * 31, b"x" * 33])
@pytest.mark.parametrize("name", ["secret.key", "signing.key", "push.key"])
def test_a_damaged_key_stops_the_start(folder, name, damaged):
    """With an empty key anybody could forge invitations."""
    folder.mkdir(parents=True)
    (folder / name).write_bytes(damaged)
    with pytest.raises(ValueError, match=name):
        Config.from_environment({"DATA_DIR": str(folder)})


def test_the_key_is_not_in_the_repr(folder):
    config = Config.from_environment({"DATA_DIR": str(folder)})
    assert repr(config.secret_key) not in repr(config)
    assert repr(config.signing_key) not in repr(config)


def test_a_server_for_others_sends_nothing_into_private_networks(folder):
    for_others = {"PUBLIC_URL": "https://a.example", "DATA_DIR": str(folder), **FOR_OTHERS}
    assert Config.from_environment(for_others).webhooks == "on"
    with pytest.raises(WrongSettings, match="WEBHOOKS"):
        Config.from_environment({**for_others, "WEBHOOKS": "anywhere"})


def test_defaults_are_for_trying_it_out(folder):
    config = Config.from_environment({"DATA_DIR": str(folder), "DATABASE_URL": ""})
    assert config.database_url == f"sqlite:///{folder}/tegami.sqlite3"
    assert config.public_url == "http://127.0.0.1:8000"
    assert config.rate_limits and config.trusted_proxies == 0
    assert config.cookie == "tegami" and not config.secure
    assert (ROOT / "openapi.yaml").exists()


def test_settings_override_defaults(folder):
    config = Config.from_environment(
        {
            "DATA_DIR": str(folder),
            "PUBLIC_URL": "https://tegami.example/",
            "RATE_LIMITS": "off",
            "POLL_AFTER": "0.5",
            "SMTP_CONNECTIONS": "7",
            "MAILS_PER_DAY": "900",
            "THINKERS": "3",
            "THINKING_TIME": "0.5",
            "OPERATOR": "The card club",
            "CONTACT": "post@tegami.example",
            **FOR_OTHERS,
        }
    )
    assert config.public_url == "https://tegami.example"
    assert not config.rate_limits
    assert (config.trusted_proxies, config.poll_after) == (1, 0.5)
    assert config.mails_per_day == 900
    assert (config.thinkers, config.thinking_time) == (3, 0.5)
    assert config.registration == "invited"
    assert (config.operator, config.contact) == ("The card club", "post@tegami.example")
    assert config.cookie == "__Host-tegami" and config.secure


def test_mails_come_from_the_server_unless_set_otherwise(folder):
    environment = {"DATA_DIR": str(folder), "PUBLIC_URL": "https://tegami.example:8443"}
    environment |= FOR_OTHERS
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
        ({"PUBLIC_URL": "https://localhost", **FOR_OTHERS}, False),
        ({"PUBLIC_URL": "http://tegami.example"}, False),
        ({"HOST": "0.0.0.0"}, False),
        ({"HOST": "0.0.0.0", "PUBLIC_URL": "http://localhost:8000"}, False),
        ({"HOST": "192.0.2.7", "PUBLIC_URL": "http://localhost:8000"}, False),
        ({"HOST": "::1"}, True),
        ({"SMTP_URL": "smtp://localhost:25"}, False),
    ],
)
def test_mails_are_shown_only_where_nobody_else_can_look(folder, environment, there):
    config = Config.from_environment({"DATA_DIR": str(folder), **environment})
    assert config.mailbox is there


@pytest.mark.parametrize("missing", REQUIRED_BY_HTTPS)
@pytest.mark.parametrize("said", [None, ""])
def test_an_https_server_requires_more_settings(folder, missing, said):
    environment = {"PUBLIC_URL": "https://tegami.example", "DATA_DIR": str(folder), **FOR_OTHERS}
    environment.pop(missing)
    if said is not None:
        environment[missing] = said
    with pytest.raises(WrongSettings, match=missing) as wrong:
        Config.from_environment(environment)
    assert [name for name in REQUIRED_BY_HTTPS if name in str(wrong.value)] == [missing]
    assert not folder.exists()


def test_all_missing_settings_are_named_at_once():
    with pytest.raises(WrongSettings) as wrong:
        Config.from_environment({"PUBLIC_URL": "https://tegami.example"})
    assert all(name in str(wrong.value) for name in REQUIRED_BY_HTTPS)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PUBLIC_URL", "tegami.example"),
        ("PUBLIC_URL", "ftp://tegami.example"),
        ("PUBLIC_URL", "http://tegami.example/cards"),
        ("PUBLIC_URL", "http://tegami.example:x"),
        ("PUBLIC_URL", "http://"),
        ("PORT", "http"),
        ("SIGNING_KEY", "hidden-word"),
        ("SIGNING_KEY", "0" * 63),
        ("SECRET_KEY", "hidden-word"),
        ("PUSH_KEY", "0" * 65),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "one"),
        ("REGISTRATION", "shut"),
        ("RATE_LIMITS", "never"),
        ("GUESTS_TALK", "some"),
        ("SMTP_CONNECTIONS", "0"),
        ("SMTP_CONNECTIONS", "21"),
        ("MAILS_PER_DAY", "-1"),
        ("MAILS_PER_DAY", "few"),
        ("POLL_AFTER", "soon"),
        ("POLL_AFTER", "0"),
        ("POLL_AFTER", "nan"),
        ("PORT", "65536"),
        ("PORT", "9" * 5000),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "many"),
        ("THINKERS", "0"),
        ("THINKERS", "65"),
        ("THINKING_TIME", "0"),
        ("THINKING_TIME", "1.1"),
        ("MAIL_FROM", "Tegami"),
        ("MAIL_FROM", "Tegami <=?utf-8?q?tegami?=@tegami.example>"),
        ("MAIL_FROM", 'Tegami <"te gami"@tegami.example>'),
        ("MAIL_FROM", "Tegami <tegami@tegami.example>\nBcc: x@example.org"),
        ("DATABASE_URL", "hidden-word"),
        ("DATABASE_URL", "postgresql://u:hidden-word@db/tegami?no_such=1"),
        ("DATABASE_LOCK_TIMEOUT", "-1"),
        ("DATABASE_TCP_TIMEOUT", "long"),
        ("DATABASE_PREPARED_STATEMENTS", "never"),
        ("DATABASE_URL", "mysql://u:hidden-word@db/tegami"),
        ("DATABASE_URL", "postgresql://u:hidden-word@db:port/tegami"),
        ("SMTP_URL", "hidden-word"),
        ("SMTP_URL", "https://u:hidden-word@mail.example"),
    ],
)
def test_a_wrong_setting_stops_the_start(folder, name, said):
    """The message contains no secret."""
    with pytest.raises(WrongSettings) as wrong:
        Config.from_environment({"DATA_DIR": str(folder), name: said})
    assert str(wrong.value) == f"{name} has to be {EXPECTED[name]}."
    assert "hidden-word" not in str(wrong.value)
    assert not folder.exists()


def test_all_wrong_settings_are_named_at_once():
    with pytest.raises(WrongSettings) as wrong:
        Config.from_environment({"PUBLIC_URL": "here", "PORT": "80 or so", "POLL_AFTER": "soon"})
    assert all(name in str(wrong.value) for name in ("PUBLIC_URL", "PORT", "POLL_AFTER"))


def test_an_https_server_requires_an_absolute_folder():
    environment = {"PUBLIC_URL": "https://tegami.example", "DATA_DIR": "data", **FOR_OTHERS}
    with pytest.raises(WrongSettings, match="DATA_DIR"):
        Config.from_environment(environment)


def test_a_folder_that_cannot_be_made_stops_the_start(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(WrongSettings, match="DATA_DIR"):
        Config.from_environment({"DATA_DIR": str(tmp_path / "file" / "data")})


@pytest.mark.parametrize("sender", ["tegami@tegami.example", "手紙 <post@tegami.example>"])
def test_mails_come_from_an_address_perhaps_with_a_name(folder, sender):
    config = Config.from_environment({"DATA_DIR": str(folder), "MAIL_FROM": sender})
    assert config.mail_from == sender


def test_an_ipv6_host_in_the_address(folder):
    config = Config.from_environment({"DATA_DIR": str(folder), "HOST": "::1", "PORT": "81"})
    assert config.public_url == "http://[::1]:81"


def test_the_command_reports_wrong_settings_in_one_line():
    done = CliRunner().invoke(main, ["work"], env={"PUBLIC_URL": "https://tegami.example"})
    assert done.exit_code == 1
    assert done.output.startswith("Error: ") and len(done.output.splitlines()) == 1


def test_the_command_reports_a_missing_database_in_one_line(tmp_path):
    """Only the owner can read what it creates, even in a folder that already exists."""
    settings = {"DATA_DIR": str(tmp_path)}
    done = CliRunner().invoke(main, ["people", "list"], env=settings)
    assert done.exit_code == 1
    (told,) = [line for line in done.output.splitlines() if '"audit"' not in line]
    assert told.startswith("Error: ")
    assert CliRunner().invoke(main, ["migrate"], env=settings).exit_code == 0
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    done = CliRunner().invoke(main, ["people", "list"], env=settings)
    assert (done.exit_code, done.stdout) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ["people", "invite", "--days", "0"],
        ["people", "invite", "--number", "0"],
        ["people", "list", "--most", "-1"],
        ["outbox", "list", "--most", "-1"],
        ["outbox", "requeue", str(2**31)],
    ],
)
def test_numbers_out_of_range_are_refused(tmp_path, command):
    done = CliRunner().invoke(main, command, env={"DATA_DIR": str(tmp_path)})
    assert done.exit_code == 2
    assert "is not in the range" in done.output


class Read(dict):
    """An environment that records which settings are read."""

    def __init__(self, **known):
        super().__init__(known)
        self.names = set()

    def get(self, name, default=None):
        self.names.add(name)
        return super().get(name, default)


def test_the_table_of_settings_is_complete(folder):
    """It lists nothing else."""
    read = Read(PUBLIC_URL="https://tegami.example", DATA_DIR=str(folder), **FOR_OTHERS)
    Config.from_environment(read)
    rows = (ROOT / "docs/hosting.md").read_text("utf-8").split("## Settings")[1].split("\n## ")[0]
    documented = {
        name
        for row in rows.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`([A-Z_]+)`", row.split("|")[1])
    }
    assert documented == read.names


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("127.0.0.1:9100", ("127.0.0.1", 9100)),
        ("[::1]:9100", ("::1", 9100)),
        ("", None),
    ],
)
def test_where_prometheus_reads(folder, given, read):
    assert Config.from_environment({"DATA_DIR": str(folder), "METRICS": given}).metrics == read


@pytest.mark.parametrize(
    "given", ["on", "9100", "127.0.0.1", "a:b", "a:0", "http://a:9100", "a:9100/metrics", "a:8000"]
)
def test_prometheus_has_an_address_of_its_own(folder, given):
    """The port that people use is refused, on any address."""
    with pytest.raises(WrongSettings, match="METRICS has to be"):
        Config.from_environment({"DATA_DIR": str(folder), "METRICS": given})
