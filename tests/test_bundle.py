"""The documents of the contract are made of the sources in docs/api/, and of nothing else, and each is complete."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from bin import bundle
from service.core.settings.config import ROOT
from tests import contract
from tests.contract import METHODS, Json, nodes, variants

TEXTS = bundle.documents()
DOCUMENTS: dict[str, Json] = {
    name: yaml.load(text, yaml.CSafeLoader) for name, text in TEXTS.items()
}
LONGEST_TO_PLAY = 150_000
"""Bytes of what a program needs to play."""
every_document = pytest.mark.parametrize("name", DOCUMENTS)


def operations(document: Json) -> dict[str, Json]:
    """The operations of a document, by name."""
    return {
        item[method]["operationId"]: item[method]
        for item in document["paths"].values()
        for method in METHODS
        if method in item
    }


def at(document: Json, ref: str) -> Any:
    """What a reference of a document leads to."""
    found: Any = document
    for key in ref.removeprefix("#/").split("/"):
        found = found[key]
    return found


@every_document
def test_the_document_is_what_its_sources_say(name: str) -> None:
    """After changing docs/api/, run `bin/bundle`."""
    assert (ROOT / name).read_text("utf-8") == TEXTS[name]
    as_json = (ROOT / bundle.json_file(name)).read_text("utf-8")
    assert json.loads(as_json) == DOCUMENTS[name] and as_json == bundle.as_json(TEXTS[name])


@every_document
def test_each_document_is_valid_openapi(name: str) -> None:
    from openapi_spec_validator import validate  # a slow import

    validate(DOCUMENTS[name])


@every_document
def test_no_reference_leads_out_of_a_document(name: str) -> None:
    """Nor is anything there to which none leads."""
    document = DOCUMENTS[name]
    used = {
        each["$ref"] for _, each in nodes(document) if isinstance(each, dict) and "$ref" in each
    }
    used |= {
        ref for path, each in nodes(document) if path[-1:] == ("mapping",) for ref in each.values()
    }
    assert all(at(document, ref) for ref in used)
    kept = {
        f"#/components/{kind}/{name}"
        for kind, members in document["components"].items()
        for name in members
        if kind != "securitySchemes"
    }
    assert kept == used
    ways = {
        way for each in operations(document).values() for one in each["security"] for way in one
    }
    assert ways == document["components"]["securitySchemes"].keys()
    tags = {tag for each in operations(document).values() for tag in each["tags"]}
    assert tags == {each["name"] for each in document["tags"]}


@pytest.mark.parametrize("name", [bundle.API, bundle.PLAYING])
def test_what_default_stands_for_is_what_the_sources_list(name: str) -> None:
    """Each answer of the complete document is either listed, or one that `default` describes."""
    document = DOCUMENTS[name]
    usual = set(variants(document["components"]["schemas"]["UsualProblem"]))
    folded: set[str] = set()
    for operation, spec in operations(document).items():
        whole = contract.named(operation)
        listed = {status for status in spec["responses"] if status != "default"}
        assert spec["responses"]["default"] == {"$ref": "#/components/responses/UsualAnswer"}
        assert listed <= {str(status) for status in whole.responses}
        assert {each for each in listed if each < "400"} == {
            str(each) for each in whole.responses if each < 400
        }
        for status, problems in whole.problems.items():
            if str(status) not in listed:
                assert set(problems) <= usual, (operation, status)
                folded |= set(problems)
    assert name != bundle.API or folded | {"Problem", "MethodNotAllowed", "UnknownPath"} == usual


def test_the_contract_says_shared_errors_once() -> None:
    """Of the answers that operations list, fewer than half are refusals."""
    listed = [
        status
        for each in operations(DOCUMENTS[bundle.API]).values()
        for status in each["responses"]
    ]
    refusals = [each for each in listed if each >= "400" and each != "default"]
    assert len(refusals) < 2 * len(operations(DOCUMENTS[bundle.API]))


def test_what_a_program_needs_to_play_is_short() -> None:
    assert len(TEXTS[bundle.PLAYING].encode()) < LONGEST_TO_PLAY
    whole, part = operations(DOCUMENTS[bundle.API]), operations(DOCUMENTS[bundle.PLAYING])
    assert part.keys() == {name for name, each in whole.items() if each["tags"] == ["playing"]}
    for name, each in part.items():
        assert without_examples(each) == without_examples(whole[name])


def without_examples(node: Any) -> Any:
    """A part of a document without its examples."""
    if isinstance(node, dict):
        return {key: without_examples(each) for key, each in node.items() if key != "examples"}
    return [without_examples(each) for each in node] if isinstance(node, list) else node


def test_pages_and_links_in_mails_are_described_apart() -> None:
    api, pages = (DOCUMENTS[name]["paths"].keys() for name in (bundle.API, bundle.PAGES))
    assert api.isdisjoint(pages) and api | pages == contract.document()["paths"].keys()
    assert not [each for each in pages if each.startswith("/api")]
    assert "/" in pages and "/plain" in pages and "/moves/{token}" in pages


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "docs/api", tmp_path / "api"))


def test_a_component_that_is_there_twice_is_found(sources: Path) -> None:
    talk = sources / "talk.yaml"
    entry = "  parameters:\n    GameIdInPath:\n      name: game_id\n"
    talk.write_text(f"{talk.read_text('utf-8')}{entry}", "utf-8")
    with pytest.raises(ValueError, match="GameIdInPath is there twice"):
        bundle.documents(sources)


def test_a_component_that_is_missing_is_found(sources: Path) -> None:
    talk = sources / "talk.yaml"
    text = talk.read_text("utf-8")
    talk.write_text(text.replace("schemas/NewMessage'", "schemas/Pigeons'"), "utf-8")
    with pytest.raises(KeyError, match="Pigeons"):
        bundle.documents(sources)


def test_an_area_without_a_place_is_found(sources: Path) -> None:
    (sources / "pigeons.yaml").write_text("paths:\n", "utf-8")
    with pytest.raises(ValueError, match="pigeons"):
        bundle.documents(sources)
