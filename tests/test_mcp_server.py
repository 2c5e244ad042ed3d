"""`examples/mcp_server.py`: an assistant looks at turns and plays, by a client of the official SDK."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests
from mcp import Client, StdioServerParameters

from tests.support.changed import UNCHANGED, changed
from tests.support.servers.server import ROOT, Server, wait_until

pytestmark = pytest.mark.skipif(
    not changed("examples/mcp_server.py", "openapi.yaml", "tests/test_mcp_server.py"),
    reason=UNCHANGED,
)

EXAMPLE = ROOT / "examples/mcp_server.py"
MOVES = 3


class Person:
    """A player with a table of Caravan against a house player, and with tokens for an assistant."""

    def __init__(self, server: Server) -> None:
        self.url, self.http = server.url, requests.Session()
        self.http.post(f"{self.url}/api/players", json={"name": "Mina"})
        wish = {"ruleset": "caravan", "players": 2, "house": 1, "start": "full", "nonce": None}
        self.game_id = self.http.post(f"{self.url}/api/games", json=wish).json()["id"]
        wait_until(self.asked, "a question")

    def asked(self) -> Any:
        """The number of the present question, if there is something to answer."""
        game = self.http.get(f"{self.url}/api/games/{self.game_id}").json()
        return game["asked"] if game["legal"] else None

    def ask(self, work: Callable[[Client], Awaitable[None]], *scopes: str) -> None:
        """Let an assistant with a token for these scopes do something."""
        wish = {"label": "assistant", "scopes": scopes}
        token = self.http.post(f"{self.url}/api/me/tokens", json=wish).json()["token"]["secret"]
        environment = {"TEGAMI_URL": self.url, "TEGAMI_TOKEN": token}
        program = StdioServerParameters(
            command=sys.executable, args=[str(EXAMPLE)], env=environment
        )

        async def run() -> None:
            async with Client(program) as client:
                await work(client)

        with ThreadPoolExecutor(1) as thread:  # a browser's driver may have a loop in this one
            thread.submit(asyncio.run, run()).result()


@pytest.fixture
def person(server: Server) -> Person:
    return Person(server)


async def say(client: Client, tool: str, **given: Any) -> str:
    """The text of a tool's result."""
    found = await client.call_tool(tool, given)
    return "\n".join(each.text for each in found.content if each.type == "text")


def test_an_assistant_looks_at_turns_and_plays(person: Person) -> None:
    async def work(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"turns", "table", "play", "history", "rules"}
        assert f"{person.game_id}: Caravan (caravan), with " in await say(client, "turns")
        for _ in range(MOVES):
            await asyncio.to_thread(wait_until, person.asked, "a question")
            shown = await say(client, "table", game_id=person.game_id)
            question = int(re.findall(r"^Question (\d+)", shown, re.M)[0])
            first = re.findall(r"^1: (.*)$", shown, re.M)[0]
            where = {"game_id": person.game_id, "question": question}
            assert await say(client, "play", **where, number=1) == f"Played: {first}"
            again = await say(client, "play", **where, number=1)
            assert "look at the table again" in again
        told = await say(client, "history", game_id=person.game_id)
        assert told.startswith("The game begins.") and len(told.splitlines()) > MOVES

    person.ask(work, "read", "play")


def test_what_the_token_may_not_is_refused_in_words(person: Person) -> None:
    async def work(client: Client) -> None:
        shown = await say(client, "table", game_id=person.game_id)
        question = int(re.findall(r"^Question (\d+)", shown, re.M)[0])
        where = {"game_id": person.game_id, "question": question}
        before = person.asked()
        assert "There is no action 0" in await say(client, "play", **where, number=0)
        refused = await client.call_tool("play", {**where, "number": 1})
        assert refused.is_error and "token" in refused.content[0].text
        assert person.asked() == before

    person.ask(work, "read")


def test_it_tells_the_rules_as_text(person: Person) -> None:
    async def work(client: Client) -> None:
        told = await say(client, "rules", slug="caravan")
        assert "Caravan" in told and "<" not in told and len(told) > 2000
        missing = await client.call_tool("rules", {"slug": "whist"})
        assert missing.is_error

    person.ask(work, "read")
