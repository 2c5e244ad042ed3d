"""Canonical JSON, digests and shuffles for the second verifier, written from docs/record.md."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import re
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

LIMIT = 9007199254740991
DECIMAL = re.compile(r"-?([1-9][0-9]{0,8}|0)\.([0-9]{0,3}[1-9])", re.ASCII)
ESCAPES = dict(zip('"\\\b\t\n\f\r', [f"\\{c}" for c in '"\\btnfr'], strict=True))


class Refused(Exception):
    """The record breaks a rule of the document."""


def must(holds: object, what: str) -> None:
    """Raise Refused with `what` unless `holds` is true."""
    if not holds:
        raise Refused(what)


# Canonical JSON


def canonical(value: Any) -> str:
    """The canonical text of a value."""
    if isinstance(value, dict):
        members = (f"{quoted(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def quoted(letters: str) -> str:
    """A string with its quotation marks."""
    escaped = (ESCAPES.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in letters)
    return '"' + "".join(escaped) + '"'


def parse(data: bytes) -> Any:
    """The value of a canonical text."""
    try:
        value = json.loads(data.decode(), parse_int=integer, parse_float=decimal)
        must(canonical(value).encode() == data, "it is not canonical")
    except (ValueError, RecursionError) as error:
        raise Refused(str(error)) from None
    return value


def integer(digits: str) -> int:
    """An integer in the range that every language reads exactly."""
    number = int(digits)
    must(-LIMIT <= number <= LIMIT, "an integer is too large")
    return number


def decimal(digits: str) -> float:
    """A short decimal."""
    must(DECIMAL.fullmatch(digits), "a decimal is too long")
    return float(digits)


def decimals(value: Any) -> Iterator[float]:
    """All numbers in the value that are not integers."""
    if isinstance(value, float):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, (dict, list, float)):
            yield from [each] if isinstance(each, float) else decimals(each)


# Digests and shuffles


def sha256(data: bytes) -> str:
    """The digest in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digests(texts: list[str]) -> list[str]:
    """The digest after each event."""
    digest, found = bytes(32), []
    for each in texts:
        digest = hashlib.sha256(digest + each.encode()).digest()
        found.append(digest.hex())
    return found


class Shuffles(NamedTuple):
    """The values from which the shuffles of a game are derived."""

    seed: str
    game: str
    nonces: list[str | None]
    derivation: int = 2

    def message(self, k: int, block: int) -> bytes:
        """The message that is hashed with the seed as key."""
        parts = [f"tegami/shuffle/{self.derivation}".encode("ascii"), self.game.encode("ascii")]
        nonces = sorted(filter(None, self.nonces)) if self.derivation == 2 else self.nonces
        parts += [nonce.encode("ascii") if nonce else b"" for nonce in nonces]
        parts += [struct.pack(">Q", k), struct.pack(">I", block)]
        return b"".join(struct.pack(">I", len(part)) + part for part in parts)

    def words(self, k: int) -> Iterator[int]:
        """An endless stream of 32-bit numbers."""
        key = bytes.fromhex(self.seed)
        for block in itertools.count():
            yield from struct.unpack(">8I", hmac.digest(key, self.message(k, block), "sha256"))

    def shuffled(self, k: int, items: list[str]) -> list[str]:
        """The outcome of a shuffle."""
        sort = self.derivation == 2 and k > 0
        entries = sorted(items, key=lambda item: item.encode()) if sort else list(items)
        words = self.words(k)
        for i in reversed(range(1, len(entries))):
            j = number_below(i + 1, words)
            entries[i], entries[j] = entries[j], entries[i]
        return entries


def number_below(n: int, words: Iterator[int]) -> int:
    """The next number below n."""
    word = next(words)
    while word >= 2**32 - (2**32 % n):
        word = next(words)
    return word % n
