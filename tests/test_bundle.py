"""The documents of the contract are made of the sources in docs/api/, and of nothing else, and each is complete."""

from __future__ import annotations

import functools
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
LONGEST_TO_PLAY = 150_000
"""The most bytes of the part that a program needs to play."""
every_document = pytest.mark.parametrize("name", TEXTS)


@functools.cache
def read(name: str) -> Json:
    """A document."""
    found: Json = yaml.load(TEXTS[name], yaml.CSafeLoader)
    return found


def operations(document: Json) -> dict[str, Json]:
    """The operations of a document, by name."""
    return {
        item[method]["operationId"]: item[method]
        for item in document["paths"].values()
        for method in METHODS
        if method in item
    }


def at(document: Json, ref: str) -> Any:
    """The target of a reference in a document."""
    found: Any = document
    for key in ref.removeprefix("#/").split("/"):
        found = found[key]
    return found


@every_document
def test_the_document_is_what_its_sources_say(name: str) -> None:
    """After changing docs/api/, run `bin/bundle`."""
    assert (ROOT / name).read_text("utf-8") == TEXTS[name]
    as_json = (ROOT / bundle.json_file(name)).read_text("utf-8")
    assert json.loads(as_json) == read(name) and as_json == bundle.as_json(TEXTS[name])


@every_document
def test_each_document_is_valid_openapi(name: str) -> None:
    from openapi_spec_validator import validate  # a slow import

    validate(read(name))


@every_document
def test_no_reference_leads_out_of_a_document(name: str) -> None:
    """Nor is anything there to which none leads; by OAuth one gets tokens that the other schemes name."""
    document = read(name)
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
    by_oauth = {"oauth"} if "/oauth/token" in document["paths"] else set()
    assert ways | by_oauth == document["components"]["securitySchemes"].keys()
    tags = {tag for each in operations(document).values() for tag in each["tags"]}
    assert tags == {each["name"] for each in document["tags"]}


@pytest.mark.parametrize("name", [bundle.API, bundle.PLAYING])
def test_what_default_stands_for_is_what_the_sources_list(name: str) -> None:
    """Each response of the complete document is either listed, or one that `default` describes."""
    document = read(name)
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
    """Of the listed responses of operations, fewer than half are refusals."""
    listed = [
        status for each in operations(read(bundle.API)).values() for status in each["responses"]
    ]
    refusals = [each for each in listed if each >= "400" and each != "default"]
    assert len(refusals) < 2 * len(operations(read(bundle.API)))


def test_what_a_program_needs_to_play_is_short() -> None:
    assert len(TEXTS[bundle.PLAYING].encode()) < LONGEST_TO_PLAY
    whole, part = operations(read(bundle.API)), operations(read(bundle.PLAYING))
    assert part.keys() == {name for name, each in whole.items() if each["tags"] == ["playing"]}
    for name, each in part.items():
        assert without_examples(each) == without_examples(whole[name])


def without_examples(node: Any) -> Any:
    """A part of a document without its examples."""
    if isinstance(node, dict):
        return {key: without_examples(each) for key, each in node.items() if key != "examples"}
    return [without_examples(each) for each in node] if isinstance(node, list) else node


def test_pages_and_links_in_mails_are_described_apart() -> None:
    api, pages = (read(name)["paths"].keys() for name in (bundle.API, bundle.PAGES))
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
