"""Values, documents and bytes that careless and hostile programs send, derived from correct ones."""

from __future__ import annotations

import copy
import random
from typing import Any

NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**40, 0.5, -0.0, 1e308, 1e-320),
    *(
        "",
        " ",
        "0",
        "null",
        "\x00",
        "\x7f",
        "\ud83c",
        "é",
        "e\u0301",
        "\u202e",
        "🂡" * 9,
        "A" * 70_000,
    ),
    *(
        "../../etc/passwd",
        "%00",
        "%s{0}${x}{{7*7}}",
        "' OR 1=1 --",
        "\r\nX-Evil: 1",
        "=?utf-8?q?=00?=",
    ),
    *(
        "g_" + "0" * 22,
        "2026-02-30",
        "9999-12-31",
        "0001-01-01",
        "25:61-00:00",
        "22:00-22:00",
        "Mars/Base",
    ),
    *(
        "x@y.z",
        "a" * 300 + "@example.org",
        "xn--" + "z" * 60,
        "http://127.0.0.1:22/",
        "tgm_" + "x" * 43,
    ),
    *([], {}, [[]], [None], {"": ""}, {"type": []}, {"__proto__": {}}, [0] * 2000),
)
_DEEP = 600


def mutated(value: Any, rng: random.Random) -> Any:
    """A document with one to three changes."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        value = _changed(value, rng)
    return value


def _changed(value: Any, rng: random.Random) -> Any:
    """The value with one change: in one of its parts, or as a whole."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        dice = rng.random()
        if dice < 0.12:
            del value[key]
        elif dice < 0.2:
            value[rng.choice(["", "x", key.upper(), key + "\x00", "id"])] = value[key]
        else:
            value[key] = _changed(value[key], rng)
        return value
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        if rng.random() < 0.3:
            value.insert(at, value[at])  # no copy: it can be too deep for one
        elif rng.random() < 0.3:
            del value[at]
        else:
            value[at] = _changed(value[at], rng)
        return value
    if isinstance(value, str) and value and rng.random() < 0.4:
        return changed_text(value, rng)
    if isinstance(value, int) and rng.random() < 0.4:
        return value + rng.choice([-1, 1, 1000, -(10**9)])
    return deep(rng) if rng.random() < 0.01 else copy.copy(rng.choice(NASTY))


def deep(rng: random.Random) -> Any:
    """Something in something in something."""
    found: Any = None
    for _ in range(rng.randrange(_DEEP)):
        found = [found] if rng.random() < 0.5 else {"a": found}
    return found


def changed_text(value: str, rng: random.Random) -> str:
    """A text in which a character is missing, doubled, or another one."""
    at = rng.randrange(len(value))
    other = rng.choice(["", value[at] * 2, chr(rng.randrange(1, 0x3000)), "\u200b", "%", "/"])
    return value[:at] + other + value[at + 1 :]


def changed_bytes(data: bytes, rng: random.Random) -> bytes:
    """The bytes, of which some are changed, missing or moved."""
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at = rng.randrange(len(found)) if found else 0
        dice = rng.random()
        if dice < 0.4 and found:
            found[at] = rng.randrange(256)
        elif dice < 0.6:
            del found[at : at + rng.choice([1, 2, 30, 900])]
        elif dice < 0.8:
            begun = rng.randrange(len(found) + 1)
            found[at:at] = found[begun : begun + rng.choice([1, 9, 200])]
        else:
            found[at:at] = rng.choice(_PIECES)
    return bytes(found)


_PIECES = (
    *(
        b"\r\n",
        b"\r\n\r\n",
        b"\x00",
        b"\xff\xfe",
        b"=?utf-8?q?=00?=",
        b"--",
        b'"',
        b"{",
        b"[",
        b"9" * 40,
    ),
    *(
        b"Content-Type: multipart/mixed; boundary=x\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"<div>" * 50,
    ),
    *(
        b"charset=utf-7",
        b"charset=idna",
        b"charset=punycode",
        b"\x1b$B",
        b"NaN",
        b"1e999",
        b"\\ud800",
        b"-0",
    ),
)
