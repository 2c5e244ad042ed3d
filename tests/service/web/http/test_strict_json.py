"""The texts that are read as JSON, and their values; test_bad_bodies.py has the responses over HTTP."""

from __future__ import annotations

import json

import pytest

from service.web.http.bodies.strict_json import MAX_DEPTH, parse

VALUES = {
    "true": True,
    "null": None,
    ' {"a": [1, 2.5, "x"]}\n': {"a": [1, 2.5, "x"]},
    "-0": 0,
    "1E+2": 100.0,
    "1e-400": 0.0,
    f"{2**64 - 1}": 2**64 - 1,
    f"{-(2**63)}": -(2**63),
    f"{2**64}": float(2**64),
    f"{-(2**63) - 1}": -float(2**63),
    '"\x7f"': "\x7f",
    r'"\ud83d\ude00"': "😀",
    r'"\\ud800"': r"\ud800",
    '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}': {"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]},
}
NOT_JSON = (
    b"",
    b"NaN",
    b"-Infinity",
    b"1e400",
    b"1" * 400,
    b"1" * 5000,
    b"01",
    b"1.",
    b"[1,]",
    b"[1] 2",
    b'"\t"',
    b'"\\x41"',
    b'"\xff"',
    b'"\xed\xa0\x80"',
    b'"\\ud800"',
    b'"\\uD83D\\u0041"',
    b'{"\\udc00": 1}',
    b"\xef\xbb\xbf1",
    b'{"a": 1, "a": 1}',
    b'{"a": 1, "\\u0061": 2}',
    b'[{"b": {"a": 1, "a": 2}}]',
)


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_a_value_is_read_with_its_type(text, value):
    found = parse(text.encode())
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("data", NOT_JSON, ids=lambda data: repr(data[:20]))
def test_everything_else_is_refused(data):
    with pytest.raises(ValueError):
        parse(data)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_has_a_limit(opening, closing):
    def nested(depth):
        return f"{opening * depth}[]{closing * depth}".encode()

    assert parse(nested(500)) == json.loads(nested(500))
    for depth in (MAX_DEPTH, 10_000):
        with pytest.raises((ValueError, RecursionError)):
            parse(nested(depth))


def test_many_values_side_by_side_are_not_deep():
    assert parse(json.dumps([[]] * 5000).encode()) == [[]] * 5000
