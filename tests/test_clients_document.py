"""Every snippet of docs/clients.md is run; the bot, its first one in Python, in test_clients.py."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import random
import re
import secrets
import shlex
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import requests

import rules
from tests.support.oauth_client import form_token_in
from tests.support.servers.server import ROOT, Server, free_port, wait_until

TEXT = (ROOT / "docs/clients.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", TEXT)
TESTS = "".join(file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/*.py"))
LOCAL = "http://127.0.0.1:8000"
FOR_SIGNING_IN = {
    each.__name__: each
    for each in (
        *(base64, hashlib, requests, secrets, BaseHTTPRequestHandler, HTTPServer),
        *(parse_qsl, urlencode, urlsplit),
    )
}
"""What the snippet that signs in has imported."""


def snippet(beginning: str) -> str:
    """The snippet with these words in its first line."""
    (found,) = (text for _, text in SNIPPETS if beginning in text.partition("\n")[0])
    return found


def defined(beginning: str, **known: Any) -> Any:
    """The names that a snippet defines."""
    names = {"json": json, "time": time, **known}
    exec(compile(snippet(beginning), "docs/clients.md", "exec"), names)
    return names


def test_every_snippet_is_run_by_a_test():
    """Tests ask for each by words of its first line; the bot begins with `import random`."""
    asked_for = re.findall(r'(?:snippet|defined)\("([^"]+)"', TESTS)
    first = [text.partition("\n")[0] for _, text in SNIPPETS]
    left = [line for line in first if not any(each in line for each in asked_for)]
    assert len(first) >= 5 and [line for line in left if not line.startswith("import random")] == []


@pytest.fixture(scope="module")
def http(server: Server) -> requests.Session:
    """A session with a token, like that of the guide's bot."""
    made = requests.post(f"{server.url}/api/players", json={"name": "Pip", "token": "x"}).json()
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {made['token']['secret']}"
    return session


def opened(http: requests.Session, server: Server, slug: str) -> Any:
    """A game with house players, once this player is asked something."""
    ruleset = http.get(f"{server.url}/api/rulesets/{slug}").json()
    wish = {"ruleset": slug, "house": ruleset["players"][0] - 1, "start": "full", "nonce": None}
    wish["players"] = ruleset["players"][0]
    game = http.post(f"{server.url}/api/games", json=wish).json()
    until = time.monotonic() + 60
    while not game["legal"] and time.monotonic() < until:
        time.sleep(0.05)
        game = http.get(f"{server.url}/api/games/{game['id']}").json()
    return game


@pytest.mark.parametrize("agrees", [True, False])
def test_a_program_on_the_device_signs_in(server, agrees):
    """With a browser that follows the program's address, and presses a button there."""
    person = requests.Session()
    person.post(f"{server.url}/api/players", json={"name": "Pip"})
    sign_in = defined("def sign_in(", **FOR_SIGNING_IN)["sign_in"]

    def show(address: str) -> None:
        page = person.get(address).text
        form = {"form": form_token_in(page), "request": urlsplit(address).query}
        form |= {"do": "allow", "agreed": "yes"} if agrees else {"do": "refuse"}
        pressed = functools.partial(person.post, f"{server.url}/oauth/authorize", data=form)
        threading.Thread(target=pressed).start()

    if not agrees:
        with pytest.raises(PermissionError, match="access_denied"):
            sign_in(server.url, show)
        return
    headers = {"Authorization": f"Bearer {sign_in(server.url, show)}"}
    me = requests.get(f"{server.url}/api/me", headers=headers).json()
    assert me["player"]["name"] == "Pip"


def test_the_first_move_takes_five_requests(server):
    """The commands have their placeholders replaced by values from the responses."""
    lines = snippet("api=").replace(LOCAL, server.url).splitlines()
    variables: dict[str, str] = {}
    answers: list[Any] = []
    for line in lines:
        if found := re.fullmatch(r'(\w+)="?(.*?)"?', line):
            variables[found[1]] = filled(found[2], answers)
        elif line.startswith("curl "):
            answers.append(curl(line, variables, answers))
    _, _, game, seen, moved = answers
    assert game["id"] == seen["id"] == moved["game"]["id"]
    assert moved["number"] > 0


def filled(text: str, answers: list[Any]) -> str:
    """The text with the values from the responses."""
    if "tgm_…" in text:
        text = text.replace("tgm_…", answers[0]["token"]["secret"])
    return text.replace("g_…", answers[2]["id"]) if "g_…" in text else text


def curl(line: str, variables: dict[str, str], answers: list[Any]) -> Any:
    """The response to a command; looking at the table is repeated until there is something to do."""
    for name, value in variables.items():
        line = line.replace(f"${name}", value)
    _, url, *options = shlex.split(filled(line, answers))
    given = dict(zip(options[::2], options[1::2], strict=True))
    headers = dict([given["-H"].split(": ")]) if "-H" in given else {}
    body = json.loads(given["--json"]) if "--json" in given else None
    if url.endswith("/actions"):
        legal = answers[-1]["legal"]
        body = {"asked": answers[-1]["asked"], "action": legal[0]["action"]}
    until = time.monotonic() + 60
    while True:
        method = "GET" if body is None else "POST"
        answer = requests.request(method, url, json=body, headers=headers)
        assert answer.ok, answer.text
        told = answer.json()
        if "/games/g_" not in url or body or told["legal"] or time.monotonic() > until:
            return told
        time.sleep(told["poll_after"])


def test_what_changes_is_told(server, http):
    """The first response comes before the table is opened, as the session says."""
    told = threading.Event()

    class Watched(requests.Session):
        """Says when the first response has come."""

        def get(self, *args: Any, **more: Any) -> Any:
            answer = super().get(*args, **more)
            told.set()
            return answer

    def table() -> None:
        assert told.wait(60)
        opened(http, server, "boomerang-auction")

    watched = Watched()
    watched.headers.update(http.headers)
    opener = threading.Thread(target=table)
    opener.start()
    found = defined("def changes")["changes"](watched, f"{server.url}/api")
    turn = next(each for each in found if each["kind"] == "turn")
    opener.join()
    assert turn["fetch"] == f"/api/games/{turn['game']}"


@pytest.mark.parametrize("slug", rules.slugs())
def test_any_table_is_drawn_and_any_action_found_step_by_step(server, http, slug):
    game = opened(http, server, slug)
    drawn = defined("def draw")["draw"](game)
    for said in ("zones", "facts"):
        assert all(each["words"] in drawn for each in game["view"][said])
    assert game["view"]["prompt_words"] in drawn
    assert all(each["words"] in drawn for each in game["legal"])
    actions = [each["action"] for each in game["legal"]]
    version = game["ruleset"]["version"]
    known = http.get(f"{server.url}/api/rulesets/{slug}?version={version}").json()["actions"]
    narrow = defined("def narrow")["narrow"]
    chance = random.Random(slug)
    for _ in range(20):
        assert narrow(actions, known, chance.choice) in actions


def test_the_glossary_of_a_game_is_printed(server, capsys):
    names = {"requests": requests, "server": f"{server.url}/api"}
    exec(compile(snippet("ruleset = requests.get("), "docs/clients.md", "exec"), names)
    printed = capsys.readouterr().out
    for group in ("zones", "facts", "prompts", "lines", "marks"):
        assert f"\nCaravan: {group}\n" in printed
    for line in (
        "sold: {seat} sells {lane} at {value} points.",
        "    {cards}: list of card. Only {seat} is told; the others are told only how many there are.",
        "    Nobody sees the cards; everybody sees how many there are. (dealing, opening, trading, over)",
    ):
        assert f"\n{line}\n" in printed


def test_the_receiver_of_the_documentation_takes_what_is_signed(server, tmp_path):
    code, port = snippet("from http.server"), free_port()
    url, api = f"http://127.0.0.1:{port}/", f"{server.url}/api"
    wish = {"name": "Bot", "token": "my bot", "scopes": ["account"]}
    token = requests.post(f"{api}/players", json=wish, timeout=60).json()["token"]
    http = requests.Session()
    http.headers["Authorization"] = f"Bearer {token['secret']}"
    made = http.post(f"{api}/me/webhooks", json={"url": url, "label": "my bot"}).json()["webhook"]
    file = tmp_path / "receiver.py"
    file.write_text(code.replace("whsec_…", made["secret"]).replace("5000", str(port)), "utf-8")
    with subprocess.Popen([sys.executable, "-I", file], stdout=subprocess.PIPE, text=True) as it:
        try:
            wait_until(lambda: refuses(url), "the receiver to listen")
            http.post(f"{api}/me/webhooks/{made['id']}/ping")
            assert it.stdout.readline() == "1 A test from Tegami\n"
        finally:
            it.kill()


def refuses(url):
    """Whether a program listens there that refuses unsigned messages."""
    try:
        return requests.post(url, data=b"{}", timeout=60).status_code == 401
    except requests.ConnectionError:
        return False
