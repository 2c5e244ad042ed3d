"""Errors in a request are described in the caller's language, and name the part that is wrong."""

from __future__ import annotations

import re

import pytest
from marshmallow import fields

from service.core.words.words import LANGUAGES, phrases
from service.web.app import BLUEPRINTS
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import Wrong
from tests.support.cast import CARAVAN, refused, sqlite_only

JAPANESE = {"Accept-Language": "ja"}


def all_bodies(kind: type[Body] = Body) -> list[type[Body]]:
    return [each for sub in kind.__subclasses__() for each in (sub, *all_bodies(sub))]


def messages_of(field: fields.Field) -> list[object]:
    """The possible messages of a field and its checks."""
    checks = [each.error for each in field.validators if hasattr(each, "error")]
    inner = messages_of(field.inner) if isinstance(field, fields.List) else []
    return [*field.error_messages.values(), *checks, *inner]


def test_every_check_of_every_field_is_worded_in_every_language():
    assert len(all_bodies()) > 30, BLUEPRINTS
    for body in all_bodies():
        for name, field in body().fields.items():
            for said in messages_of(field):
                assert isinstance(said, Wrong), (body, name, said)
                for language in LANGUAGES:
                    assert phrases(language).get(f"wrong.{said}"), (said, language)


def test_every_language_words_the_same_with_the_same_fields():
    first, *others = (phrases(language).below("wrong.") for language in LANGUAGES)
    for other in others:
        assert first.keys() == other.keys()
        for key, text in first.items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", other[key])), key


@sqlite_only
def test_errors_are_in_the_language_of_the_caller(cast):
    wrong = {"name": 7, "age": 1, "language": "fr"}
    english = cast.nobody.refused("POST", "/api/players", "invalid-body", wrong)["errors"]
    assert english == {
        "name": ["Text is expected."],
        "age": ["This is not known here."],
        "language": ["One of these is expected: en, ja."],
    }
    more = {"headers": JAPANESE}
    japanese = cast.nobody.refused("POST", "/api/players", "invalid-body", wrong, **more)["errors"]
    assert japanese.keys() == english.keys()
    assert all(re.search("[ぁ-ん]", text) for texts in japanese.values() for text in texts)
    query = cast.nobody.refused("GET", "/api/games?limit=0&x=1", "invalid-query", **more)["errors"]
    assert query["limit"] == ["1から50までの数を指定してください。"]
    assert query["x"] == ["ここでは使えない項目です。"]


@sqlite_only
@pytest.mark.parametrize(
    ("pace", "said"),
    [
        ("fast", "The name of a pace is expected"),
        ({"kind": "hourglass"}, "`kind`: One of these is expected: decision, reserve."),
        ({"kind": "decision"}, "`seconds`: This is missing."),
        ({"kind": "reserve", "reserve": 0, "increment": 1, "cap": 1}, "`reserve`: A number from 1"),
    ],
)
def test_a_wrong_pace_is_told_what_is_wrong(cast, pace, said):
    wish = {"ruleset": CARAVAN, "pace": pace}
    [told] = cast.alice.refused("POST", "/api/games", "invalid-body", wish)["errors"]["pace"]
    assert told.startswith(said)


@sqlite_only
@pytest.mark.parametrize(
    ("data", "why", "name"),
    [
        (b'{"name": "x"', "syntax", None),
        (b'\xef\xbb\xbf{"name": "x"}', "byte-order-mark", None),
        ('{"name": "x"}'.encode("utf-16"), "not-utf8", None),
        (b'{"name": "\\ud800"}', "not-utf8", None),
        (b'{"name": "x", "language": "ja", "name": "y"}', "repeated", "name"),
        (b"[" * 10_000, "too-deep", None),
    ],
)
def test_what_is_no_json_is_told_why(cast, data, why, name):
    problem = refused(cast.nobody, "POST", "/api/players", "malformed-json", data)
    assert (problem["why"], problem["name"]) == (why, name)
    assert why == "syntax" or problem["detail"] != "Send the body as JSON."
