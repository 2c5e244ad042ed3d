"""docs/scale.md: three machines with web processes and two with workers over one PostgreSQL, as one server.

Each is in a network of its own, with a clock that is up to two seconds wrong. Games are played through all of them
while one is killed and another cut off: acknowledged moves are there once, and each mail is sent once. All of this
needs --thorough: a browser that another test uses loses its requests when this machine gets another network.
"""

from __future__ import annotations

import itertools
import random
import re
import secrets
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from service.core.settings.config import ROOT
from tests.support.acknowledged import assert_sound
from tests.support.cast import BOOMERANG
from tests.support.servers.databases import Databases
from tests.support.servers.machines import Machine, Network, needs_machines
from tests.support.servers.relay import Relay
from tests.support.servers.remote import Remote
from tests.support.servers.server import PATIENCE, free_port, wait_until
from tests.support.servers.smtp_server import MailServer
from tests.support.steady_load import SteadyLoad
from tests.test_by_mail import Browser

pytestmark = needs_machines

CLOCKS = {"web1": 2000, "web2": -2000, "web3": 700, "worker1": -1300, "worker2": 1900}
"""The ms by which the clock of each machine is ahead."""
WEBS, WORKERS = ("web1", "web2", "web3"), ("worker1", "worker2")
ROUNDS = 20
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"(?s)```nginx\n(.*?)```", PAGE)
KEPT = {"compressed", "metrics"}
"""The files that a machine whose keys are settings may have in its DATA_DIR, by docs/scale.md."""
IMPATIENT = 1.0
"""The seconds after which a player asks another machine."""


class Site:
    """All machines, and the mail servers next to the workers."""

    def __init__(
        self, network: Network, machines: dict[str, Machine], mail: list[MailServer]
    ) -> None:
        self.network, self.machines, self._mail = network, machines, mail
        self.addresses = list[str]()

    @property
    def urls(self) -> list[str]:
        """The addresses at which people can play."""
        return [self.machines[name].url for name in WEBS]

    def register(self, url: str) -> None:
        """Register somebody there, who is sent one mail."""
        name = f"mailed{len(self.addresses)}"
        body = {"handle": name, "address": f"{name}@example.org"}
        browser = Browser(url)
        browser.send("POST", "/api/players", {"name": name})
        browser.send("POST", "/api/me/registration", body)
        self.addresses.append(body["address"])

    def await_mails(self) -> None:
        """Return when all have been sent their mail; after a minute another worker has those of a dead one."""
        wait_until(lambda: all(self.mailed().values()), "each mail has been sent", 2 * PATIENCE)

    def mailed(self) -> dict[str, set[str]]:
        """The ids of the mails that each address was sent."""
        found = {address: set[str]() for address in self.addresses}
        for mail in itertools.chain(*(server.mails for server in self._mail)):
            found[mail.to[0]].add(mail.id)
        return found


@contextmanager
def site(databases: Databases, folder: Path) -> Iterator[Site]:
    """Five machines that are started."""
    database = databases.fresh("postgresql", folder)
    with Network() as network, Relay(database, network.address) as relay, ExitStack() as stack:
        keys = {name: secrets.token_hex(32) for name in ("SECRET_KEY", "SIGNING_KEY", "PUSH_KEY")}
        machines, mail = dict[str, Machine](), list[MailServer]()
        for name, ahead in CLOCKS.items():
            (folder / name).mkdir()
            made = Machine(network, name, folder / name, relay.url, ahead, **keys)
            machines[name] = made
        for name in WORKERS:
            with network.inside(name):  # each has a mail server of its own, as hosts often do
                mail.append(stack.enter_context(MailServer()))
            machines[name]._environment["SMTP_URL"] = mail[-1].url
        for made in machines.values():
            stack.enter_context(made)
        yield Site(network, machines, mail)
    databases.drop(database)


@pytest.fixture
def five(databases: Databases, tmp_path: Path) -> Iterator[Site]:
    with site(databases, tmp_path) as started:
        yield started


def test_the_page_names_what_a_machine_keeps() -> None:
    assert all(f"| `{name}/` |" in PAGE for name in KEPT)


@pytest.mark.thorough
def test_one_is_killed_and_one_is_cut_off(five: Site, tmp_path: Path) -> None:
    with SteadyLoad(2, five.urls, IMPATIENT) as load:
        load.go_on(6)
        for url in five.urls:
            five.register(url)
        five.await_mails()
        five.machines["web1"].kill()
        five.network.cut_off("worker1")
        load.go_on(6)
        five.register(five.urls[1])
        five.network.cut_off("web2")
        load.go_on(2)
        load.urls = five.urls[2:]  # by now a balancer asks the others
        load.go_on(6)
        five.register(five.urls[2])
        play_against_the_house(five.urls[2])
        five.network.connect("web2")
        five.network.connect("worker1")
        five.machines["web1"].again()
        for url in five.urls:
            wait_until(lambda url=url: is_ready(url), f"{url} is ready")
        load.urls = five.urls
        load.go_on(6)
    assert_whole(five, tmp_path, load.moves)


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_many_failures_behind_a_balancer(five: Site, tmp_path: Path) -> None:
    """Twenty times one of the five is killed or cut off; people know only the balancer, and see moves continue."""
    chosen, longest = random.Random(ROUNDS), 0.0
    with balancer(five.urls, tmp_path) as url, SteadyLoad(4, [url], IMPATIENT) as load:
        load.go_on()
        for n in range(ROUNDS):
            name = chosen.choice([*CLOCKS])
            five.register(url)
            begun = time.monotonic()
            fail = chosen.choice([fall, five.network.cut_off])
            fail(five.machines[name] if fail is fall else name)
            load.go_on(1)
            longest = max(longest, time.monotonic() - begun)
            load.go_on()
            if fail is fall:
                five.machines[name].again()
            else:
                five.network.connect(name)
            for each in five.urls:
                wait_until(lambda url=each: is_ready(url), f"{each} is ready")
            play_against_the_house(url)
            print(f"{n + 1}: {name} {fail.__name__}, {len(load.moves)} moves")
    assert_whole(five, tmp_path, load.moves)
    print(f"{ROUNDS} failures, {len(load.moves)} moves acknowledged and there once, ", end="")
    print(f"{len(five.addresses)} mails sent once, at most {longest:.1f} s until the next move")
    assert longest < 30


def fall(machine: Machine) -> None:
    """Let the machine lose its power."""
    machine.kill()


@contextmanager
def balancer(urls: list[str], folder: Path) -> Iterator[str]:
    """nginx with the settings of docs/scale.md, except that it does not send all of this machine to one machine."""
    upstream, beside = EXAMPLES
    servers = iter(url.removeprefix("http://") for url in urls)
    upstream = re.sub(r"10\.0\.0\.\d+:8000", lambda _: next(servers), upstream)
    upstream = upstream.replace("hash $remote_addr consistent;", "")
    port = free_port()
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{ access_log off; {places}\n{upstream}\nserver {{\n"
        f"listen 127.0.0.1:{port};\n{beside}\nlocation / {{\nproxy_pass http://tegami;\n"
        f'proxy_http_version 1.1; proxy_set_header Connection "";\n'
        f"proxy_set_header Host $http_host;\n}}\n}}\n}}\n"
    )
    nginx = subprocess.Popen(
        ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: is_ready(url), "nginx")
        yield url
    finally:
        nginx.kill()
        nginx.wait(PATIENCE)


def is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            return b'"database":"ok"' in answer.read()
    except OSError:
        return False


def play_against_the_house(url: str) -> None:
    """Workers do their part."""
    player = Remote(url, "Carol")
    game_id = player.open(BOOMERANG, house=2)
    for _ in range(2):
        assert player.answer(player.asked(game_id))[0] in {200, 201}


def assert_whole(five: Site, folder: Path, moves: list[tuple[str, int]]) -> None:
    """Check that acknowledged moves are there once, each mail was sent once, and machines have only the
    allowed files.
    """
    assert_sound(five.machines["web1"].database, folder, moves)
    for machine in five.machines.values():
        kept = {each.name for each in machine.folder.iterdir() if each.suffix != ".log"}
        assert kept <= KEPT, machine.name
    five.await_mails()
    assert {len(ids) for ids in five.mailed().values()} == {1}
