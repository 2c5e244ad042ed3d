"""openapi.yaml is written in one style throughout, and generated clients get one type for each thing."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
import yaml

from service.core.settings.config import ROOT
from tests import contract, example_files, record_examples
from tests.contract import Json, bodies, document, nodes, operations, problem_schemas, resolved

SCHEMAS: Json = document()["components"]["schemas"]
EXAMPLES: Json = document()["components"]["examples"]


def test_every_component_is_used():
    used = {
        each["$ref"] for _, each in nodes(document()) if isinstance(each, dict) and "$ref" in each
    }
    kept = {
        f"#/components/{kind}/{name}"
        for kind, members in document()["components"].items()
        for name in members
        if kind != "securitySchemes"
    }
    assert kept == used


def test_each_problem_has_a_type_of_its_own():
    """The type distinguishes problems; the catch-all comes last and has no type that any operation may respond with."""
    types = [each["properties"]["type"]["const"] for each in problem_schemas().values()]
    assert len(types) == len(set(types)) > 60
    assert all("request_id" in each["properties"] for each in problem_schemas().values())
    usual = yaml.load((ROOT / "openapi.yaml").read_bytes(), yaml.CSafeLoader)["components"][
        "schemas"
    ]["UsualProblem"]
    *known, last = (each["$ref"].rpartition("/")[2] for each in usual["oneOf"])
    told = [SCHEMAS[name]["properties"]["type"]["const"] for name in known]
    assert list(usual["discriminator"]["mapping"]) == told
    assert last == "Problem" and SCHEMAS[last]["properties"]["type"]["not"]["enum"] == told


def test_no_class_of_a_generated_client_is_named_like_its_field():
    """A generator for Python would give two things one name; `title` names the class."""
    for name, schema in SCHEMAS.items():
        made = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", schema.get("title", name)).lower()
        assert made not in schema.get("properties", {}), name
        assert "title" not in schema or schema["title"] not in SCHEMAS, name


def test_each_operation_answers_with_one_media_type():
    for operation in operations():
        kinds = {
            kind
            for status, each in operation.responses.items()
            if status < 300
            for kind in each.get("content", {})
        }
        assert len(kinds) <= 1, operation.name


def test_descriptions_are_sentences():
    for path, node in nodes(document()):
        if isinstance(node, dict) and isinstance(node.get("description"), str):
            text = node["description"].strip()
            assert text[0].isupper() or text[0] in "`#", (path, text)
            assert text[-1] in ".)", (path, text)


SOMETIMES = defaultdict(lambda: {"request_id"}) | {
    name: {"request_id", "nearest"}
    for name in ("InvalidBody", "InvalidQuery", "NotFound", "UnknownRuleset")
}
"""Members that a problem may lack: a request that never reached the application has no id, and often nothing is
similar.
"""


def test_problems_have_one_shape():
    for name, schema in problem_schemas().items():
        slug = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
        properties = schema["properties"]
        assert properties["type"] == {"const": f"/problems/{slug}"}
        assert list(properties)[:4] == ["type", "title", "status", "detail"]
        told = [each for each in list(properties)[4:] if each not in SOMETIMES[name]]
        assert schema["required"] == ["type", "title", "status", *told]


def object_schemas(names: set[str]) -> Iterator[tuple[str, Json]]:
    """The object schemas among these names and everything that they refer to."""
    seen: set[str] = set()
    while names - seen:
        name = min(names - seen)
        seen.add(name)
        for path, node in nodes(SCHEMAS[name]):
            if isinstance(node, dict) and "$ref" in node:
                names = names | {node["$ref"].rpartition("/")[2]}
            if isinstance(node, dict) and "properties" in node and path[-1:] != ("properties",):
                yield name, node


def names_of_bodies(kind: str) -> set[str]:
    """The schemas of all requests, or of all answers."""
    return {
        name
        for operation in operations()
        for body, media in bodies(operation)
        if body.startswith("request") == (kind == "request") and media["schema"].get("type") is None
        for name in contract.variants(media["schema"])
    }


ADDED_TO = {"Action", "CodeExchange", "TokenEnd"}
"""Actions are compared with `legal`; of OAuth's requests, servers have to ignore what they do not know."""


def test_unknown_fields_in_requests_are_refused():
    for name, schema in object_schemas(names_of_bodies("request")):
        assert schema.get("additionalProperties") is (name in ADDED_TO), name


NOT_ADDED_TO = {"OptionsSchema"}
"""Generators would use this field name for the rest of an open object; the object says that it gets no new fields."""


def test_unknown_fields_in_answers_are_allowed():
    """Compatibility: fields may be added."""
    for name, schema in object_schemas(names_of_bodies("answer")):
        assert (schema.get("additionalProperties") is False) == (name in NOT_ADDED_TO), name


def test_fields_are_declared_and_named_consistently():
    """`p256dh` is what browsers call it."""
    for name, schema in object_schemas(set(SCHEMAS)):
        for member in schema["properties"]:
            theirs = member in {"additionalProperties", "oneOf", "const", "p256dh"}
            assert theirs or re.fullmatch(r"[a-z]+(_[a-z]+)*", member), name
        assert set(schema.get("required", [])) <= set(schema["properties"]), name


def test_names_of_schemas_are_in_pascal_case():
    assert all(re.fullmatch(r"([A-Z][a-z]+)+", name) for name in SCHEMAS)


def test_sent_values_are_bounded():
    for name, kind in object_schemas(names_of_bodies("request")):
        if name == "Action":
            continue  # actions are compared with `legal`
        for member, schema in kind["properties"].items():
            bounds = resolved(schema) | schema
            if bounds.get("type") == "string":
                assert bounds.keys() & {"maxLength", "pattern", "enum"}, (name, member)
            if bounds.get("type") == "integer":
                assert bounds.keys() >= {"minimum", "maximum"}, (name, member)


def test_times_are_in_utc_with_milliseconds():
    time = SCHEMAS["Time"]
    assert re.fullmatch(time["pattern"], "2026-11-24T10:00:00.000Z")
    for other in (
        "2026-11-24T10:00:00Z",
        "2026-11-24T10:00:00.000+09:00",
        "2026-11-24 10:00:00.000Z",
    ):
        assert not re.fullmatch(time["pattern"], other)
    named = {"at", "since", "due", "nudge_from"}
    for name, schema in object_schemas(set(SCHEMAS)):
        for member, value in schema["properties"].items():
            if member in named or member.endswith(("_at", "_until", "_since")):
                kinds = [resolved(each) for each in (value, *value.get("oneOf", ()))]
                assert time["pattern"] in {each.get("pattern") for each in kinds}, (name, member)


def test_paths_are_short_words():
    for path in document()["paths"].keys() - {"/"}:
        assert re.fullmatch(r"(/([a-z.-]+|\{[a-z_]+\}))+", path)
        assert path == path.rstrip("/")


def test_lines_are_not_too_long():
    text = contract.PATH.read_text(encoding="utf-8")
    written = text.partition("\n  examples:")[0]
    assert [line for line in written.splitlines() if len(line) > 120] == []


def test_every_example_is_used():
    shown = {
        each["$ref"].rpartition("/")[2]
        for _, each in nodes(document())
        if isinstance(each, dict) and "/examples/" in str(each.get("$ref"))
    }
    assert shown == set(EXAMPLES)


@pytest.mark.of_service
def test_examples_match_the_current_server():
    """After an intended change, run `python -m tests.record_examples`."""
    recorded = record_examples.record()
    assert recorded.keys() == EXAMPLES.keys()
    for name, example in recorded.items():
        assert example_files.masked(EXAMPLES[name]) == example_files.masked(example), name


def test_examples_are_written_as_they_are_recorded():
    """Parsing and writing them again gives the same text, so nothing was edited by hand or changed by YAML."""
    for file in example_files.EXAMPLES.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        names = re.findall(r"^([\w.-]+):", text, flags=re.M)
        assert names and {name.partition("-")[0] for name in names} == {file.stem}
        assert example_files.written({name: EXAMPLES[name] for name in names}) == text


def test_no_name_is_used_for_components_of_two_kinds():
    """Generators number the second: `GameId2`."""
    names = [
        name
        for kind, members in document()["components"].items()
        if kind not in {"examples", "headers"}  # headers are named as they are sent
        for name in members
    ]
    assert sorted(names) == sorted(set(names))


def test_equal_components_are_one():
    for kind, members in document()["components"].items():
        if kind != "examples":
            texts = [json.dumps(each, sort_keys=True) for each in members.values()]
            assert len(texts) == len(set(texts)), kind


def test_parameters_that_are_equal_are_a_component():
    texts = [
        json.dumps(each, sort_keys=True)
        for path, node in nodes(document()["paths"])
        if path[-1:] == ("parameters",)
        for each in node
        if "$ref" not in each
    ]
    assert len(texts) == len(set(texts))
