"""Requests that are derived from the examples of the document, and the people who send them."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict, deque
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Flask

from tests.contract import Operation, operations, resolved
from tests.endurance.mutating import NASTY, changed_bytes, changed_text, mutated
from tests.support.cast import BOOMERANG, CARAVAN, Cast, Person
from tests.support.every_operation import NAMES, made_up

_ID = re.compile(r"\b([a-z])_[0-9A-Za-z]{16,32}\b")
_NO_OPERATIONS = ("streamChanges",)
"""The operations without an end."""
_ENDING = (
    "eraseMe",
    "signOut",
    "endSignIn",
    "endOtherSignIns",
    "revokeToken",
    "putPassword",
    "changePassword",
)
"""The operations that end a sign-in; they are tried rarely."""
_HEADERS = (
    "If-None-Match",
    "Idempotency-Key",
    "Invitation",
    "Accept-Language",
    "Origin",
    "Prefer",
    "Range",
)
_TYPES = (
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "x",
)


class Call(NamedTuple):
    """A request, as a test client sends it."""

    operation: str
    method: str
    path: str
    headers: dict[str, str]
    data: bytes | None

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.headers} {(self.data or b'')[:400]!r}"


class Callers:
    """The people of one application, the ids that they know, and the calls that they make."""

    def __init__(self, app: Flask, rng: random.Random) -> None:
        self.app, self.rng = app, rng
        self._operations = [each for each in operations() if each.name not in _NO_OPERATIONS]
        self._examples = {each.name: _examples(each) for each in self._operations}
        self._ids: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=60))
        self.renew()

    def renew(self) -> None:
        """Let other people come and sit down at new tables."""
        self._cast = Cast(self.app)
        self._people = [*self._cast.everybody, self._cast.nobody]
        self._games = [self._cast.start(CARAVAN), self._cast.start(BOOMERANG), self._cast.open()]
        self._ids["g"].extend(self._games)

    def call(self) -> tuple[Call, int]:
        """Make a call and learn from its response; returns the call and the status of the response."""
        operation = self._chosen()
        person = self.rng.choice(self._people)
        made = self._made(operation, person)
        headers = {**person.headers, **made.headers}
        answer = person.http.open(
            made.path, method=made.method, headers=headers, data=made.data, buffered=False
        )
        status: int = answer.status_code
        if status < 300 and made.operation != "getOpenapi":
            for found in _ID.finditer(answer.get_data(as_text=True)[:20_000]):
                self._ids[found[1]].append(found[0])
        answer.close()
        return made, status

    def _chosen(self) -> Operation:
        operation = self.rng.choice(self._operations)
        if operation.name in _ENDING and self.rng.random() < 0.9:
            return self._chosen()
        return operation

    def _made(self, operation: Operation, person: Person) -> Call:
        path = re.sub(r"\{(\w+)\}", lambda found: self._part(found[1]), operation.path)
        method = operation.method.upper()
        if self.rng.random() < 0.01:
            method = self.rng.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
        headers = self._headers()
        data = self._body(operation, path, person) if "requestBody" in operation.spec else None
        if data is not None:
            usual = self.rng.random() < 0.97
            headers["Content-Type"] = _type(operation) if usual else self.rng.choice(_TYPES)
        return Call(operation.name, method, path + self._query(operation), headers, data)

    def _part(self, name: str) -> str:
        """A part of a path: a known id, an unknown one, or anything."""
        dice = self.rng.random()
        if name in NAMES:
            value = NAMES[name]
        else:
            made = made_up(name)
            known = self._ids[made[0]]
            value = self.rng.choice(known) if known and dice < 0.9 else made
        if dice > 0.93:
            value = changed_text(value, self.rng)
        if dice > 0.98:
            value = str(self.rng.choice(NASTY))[:3000]
        return quote(value, safe="", errors="replace")

    def _query(self, operation: Operation) -> str:
        known = [each for each in operation.parameters if each["in"] == "query"]
        words = [
            f"{each['name']}={self._value(each)}"
            for each in known
            if self.rng.random() < (0.9 if each.get("required") else 0.3)
        ]
        if self.rng.random() < 0.03:
            words.append(quote(str(self.rng.choice(NASTY))[:300], errors="replace"))
        return f"?{'&'.join(words)}" if words else ""

    def _value(self, parameter: Any) -> str:
        schema = resolved(parameter.get("schema", {}))
        given = [
            *schema.get("enum", []),
            schema.get("default"),
            schema.get("minimum"),
            schema.get("maximum"),
        ]
        given += [parameter.get("example"), "true", "1", "50", "en"]
        usable = [each for each in given if each is not None]
        value = self.rng.choice(usable if self.rng.random() < 0.7 else NASTY)
        return quote(str(value)[:3000], errors="replace")

    def _headers(self) -> dict[str, str]:
        """Rarely some headers; some of them are nonsense, but all are valid headers."""
        headers = {}
        for name in _HEADERS:
            if self.rng.random() < 0.04:
                value = str(self.rng.choice([*NASTY, "ja", '"x"', "0123456789abcdef", "bytes=0-"]))
                headers[name] = value.encode("latin-1", "replace").decode("latin-1")[:2000]
                headers[name] = re.sub(r"[\r\n\x00]", "", headers[name])
        return headers

    def _body(self, operation: Operation, path: str, person: Person) -> bytes:
        examples = self._examples[operation.name] or [{}]
        value = self.rng.choice(examples)
        if operation.name in ("postAction", "previewAction", "whyNot") and self.rng.random() < 0.6:
            value = self._present_action(path, person) or value
        if self.rng.random() < 0.75:
            value = mutated(value, self.rng)
        if isinstance(value, str):
            return value.encode("utf-8", "replace")
        data = json.dumps(value).encode("utf-8", "replace")
        return changed_bytes(data, self.rng) if self.rng.random() < 0.1 else data

    def _present_action(self, path: str, person: Person) -> Any:
        """An action that is legal at this table now."""
        shown = person.send("GET", path.rpartition("/")[0])
        game = shown.json if shown.status_code == 200 else None
        if not isinstance(game, dict) or not game.get("legal"):
            return None
        return {"asked": game["asked"], "action": self.rng.choice(game["legal"])["action"]}


def _type(operation: Operation) -> str:
    return next(iter(operation.spec["requestBody"]["content"]))


def _examples(operation: Operation) -> list[Any]:
    """The bodies of this operation in the examples of the document."""
    found = []
    for media in operation.spec.get("requestBody", {}).get("content", {}).values():
        found += [resolved(each)["value"] for each in media.get("examples", {}).values()]
        found += [media["example"]] if "example" in media else []
    return found
