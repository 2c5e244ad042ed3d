"""Tests hold what openapi.yaml says: each sentence of its introduction and of an operation's description.

Somebody who writes or changes a sentence there writes its test, and names it in introduction_prose.toml or
operations_prose.toml; promises of fields, parameters, headers and responses are in fields_prose.toml.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.contract import document, nodes, operations

ROOT = Path(__file__).resolve().parent
OF_INTRODUCTION = tomllib.loads((ROOT / "introduction_prose.toml").read_text(encoding="utf-8"))
OF_OPERATIONS = tomllib.loads((ROOT / "operations_prose.toml").read_text(encoding="utf-8"))
OF_FIELDS = tomllib.loads((ROOT / "fields_prose.toml").read_text(encoding="utf-8"))
PROMISE = re.compile(
    r"\b(never|at most|always|only|alone|sorted|in (the )?order|oldest|newest|unique|lowest|highest"
    r"|without gaps|from 1)\b",
    re.IGNORECASE,
)
"""The checkable promises about a field: lengths, bounds, order, and what never happens."""


def introduction() -> dict[str, list[str]]:
    """The sentences under each heading; items of a list are separate too."""
    parts = re.split(r"(?m)^#+ (.*)$", "# Tegami\n" + document()["info"]["description"])[1:]
    return {
        heading: [
            sentence
            for item in re.split(r"\n\s*\n|\n(?=\* |[0-9]\. )", text.strip())
            for sentence in re.split(
                r"(?<=\.) (?=[A-Z`*])", re.sub(r"^(\* |[0-9]\. )", "", " ".join(item.split()))
            )
        ]
        for heading, text in zip(parts[::2], parts[1::2], strict=True)
        if text.strip()
    }


def sentences(description: str) -> list[str]:
    """The sentences of a description."""
    return re.split(r"(?<=[.:])\s+(?=[A-Z`0-9])", " ".join(description.split()))


def test_every_sentence_of_the_introduction_has_its_tests():
    said = introduction()
    assert said.keys() == OF_INTRODUCTION.keys()
    for heading, each in said.items():
        assert list(OF_INTRODUCTION[heading]) == each, heading


def test_every_sentence_of_an_operation_has_its_tests():
    said = {each.name: sentences(each.spec["description"]) for each in operations()}
    assert said.keys() == OF_OPERATIONS.keys()
    for name, each in said.items():
        assert list(OF_OPERATIONS[name]) == each, name


def promises() -> list[str]:
    """The promises in descriptions other than those of the document, a tag or an operation, each once."""
    texts = [
        node["description"]
        for path, node in nodes(document())
        if path[:1] not in {("info",), ("tags",)}
        and isinstance(node, dict)
        and isinstance(node.get("description"), str)
        and "operationId" not in node
    ]
    parts = [part for text in texts for part in re.split(r"(?<=[.:;])\s+", " ".join(text.split()))]
    return list(dict.fromkeys(each for each in parts if PROMISE.search(each)))


def test_every_promise_of_a_field_has_its_tests():
    assert list(OF_FIELDS) == promises()


@pytest.mark.parametrize(
    ("entries", "fewest"),
    [
        ([each for entries in OF_INTRODUCTION.values() for each in entries.values()], 200),
        ([each for entries in OF_OPERATIONS.values() for each in entries.values()], 200),
        ([*OF_FIELDS.values()], 100),
    ],
    ids=["introduction", "operations", "fields"],
)
def test_the_tests_that_hold_a_sentence_exist(entries, fewest):
    assert all(entries), "each names a test, or says why there is none"
    assert sum(each.startswith("(") for each in entries) < len(entries) / 10
    text = "\n".join(each.read_text(encoding="utf-8") for each in ROOT.rglob("test_*.py"))
    defined = set(re.findall(r"(?m)^(?:async )?def test_(\w+)", text))
    named = " ".join(each for each in entries if not each.startswith("(")).split()
    assert len(named) > fewest
    assert [each for each in named if each not in defined] == []
