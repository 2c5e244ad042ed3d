"""JSON of request bodies, read strictly by RFC 8259, and without repeated members in an object.

Only Python's own parser reports repeated members; here it also refuses everything that it accepts beyond the standard.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections import Counter
from itertools import chain
from typing import Any

MAX_DEPTH = 1024
"""The deepest nesting of arrays and objects."""
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_INTEGERS = range(-(2**63), 2**64)
"""The range of integers; a larger one is read as a float."""


class Malformed(ValueError):
    """The text is not JSON; `why` is the last part of the key of the message that names the error."""

    def __init__(self, why: str, name: str | None = None) -> None:
        super().__init__(why)
        self.why, self.name = why, name


def parse(data: bytes) -> object:
    """The value of a JSON text in UTF-8. Raises ValueError (Malformed if there is more to say) or RecursionError."""
    if data.startswith(codecs.BOM_UTF8):
        raise Malformed("byte-order-mark")
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        raise Malformed("not-utf8") from None
    value: object = _DECODER.decode(decoded)
    if _SURROGATE_ESCAPE.search(data):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:  # half of a surrogate pair can be escaped, but is no text
            raise Malformed("not-utf8") from None
    if len(data) > MAX_DEPTH and data.count(b"[") + data.count(b"{") > MAX_DEPTH:
        _refuse_deep_nesting(value)
    return value


def _object(members: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(members)
    if len(found) != len(members):  # parsers differ in which of the two members they keep
        counts = Counter(name for name, _ in members)
        raise Malformed("repeated", counts.most_common(1)[0][0])
    return found


def _integer(digits: str) -> int | float:
    number = int(digits)
    return number if number in _INTEGERS else _float(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _refuse_deep_nesting(value: object) -> None:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        within = (each.values() if isinstance(each, dict) else each for each in level)
        level = [each for each in chain(*within) if isinstance(each, (dict, list))]
        if not level:
            return
    raise Malformed("too-deep")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=_float,
    parse_int=_integer,
    parse_constant=_constant,
)
