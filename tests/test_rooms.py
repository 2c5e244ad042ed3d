"""CONTRIBUTING.md names every room, from top to bottom, in the order in which they may import each other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.core.settings.config import ROOT
from tests.web.test_rooms import ROOMS as PAGE

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
OTHERS = {"data"}
"""Folders of a clone that are no part of the project."""


def section(heading: str) -> str:
    """The text below a heading, up to the next one."""
    return re.split(r"^#+ ", GUIDE.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.M)[0]


def named(heading: str) -> list[str]:
    """The folders in the first column of the table below a heading."""
    return re.findall(r"^\| `([^`]+)/` \|", section(heading), flags=re.M)


def folders(parent: Path) -> set[str]:
    """The folders of the project in `parent`."""
    found = (path for path in parent.iterdir() if path.is_dir())
    return {
        path.relative_to(ROOT).as_posix()
        for path in found
        if not path.name.startswith((".", "__")) and path.name not in OTHERS
    }


def layers(container: str) -> list[list[str]]:
    """The layers of a contract, highest first."""
    (contract,) = (
        each for each in CONTRACTS if each.get("containers") == [container.replace("/", ".")]
    )
    return [re.split(r" [|:] ", layer) for layer in contract["layers"]]


def packages(container: str) -> Iterator[set[str]]:
    """The layers that are folders."""
    for layer in layers(container):
        found = {f"{container}/{name}" for name in layer if (ROOT / container / name).is_dir()}
        if found:
            yield found


def listed_below(container: str) -> list[str]:
    """The folders directly under `container` that the guide names, in its order."""
    listed = named("### The service" if container.startswith("service") else "### The rules")
    return [each for each in listed if each.rpartition("/")[0] == container]


STOREYS = [
    name for layer in layers("service") for name in layer if (ROOT / "service" / name).is_dir()
]


@pytest.mark.parametrize("container", ["rules", "service", *(f"service/{s}" for s in STOREYS)])
def test_the_guide_names_the_rooms_in_the_order_of_their_contract(container: str) -> None:
    listed = listed_below(container)
    assert set(listed) == folders(ROOT / container)
    if listed:
        for layer in packages(container):
            assert {listed.pop(0) for _ in range(len(layer))} == layer


def test_the_service_has_few_doors() -> None:
    assert len(folders(ROOT / "service")) <= 8
    for storey in STOREYS:
        rooms = [name for name in (ROOT / "service" / storey).iterdir() if name.name[0] not in "_."]
        assert len(rooms) <= 7, storey


def test_the_guide_names_the_folders_of_the_page_in_their_order() -> None:
    assert named("### The page") == [
        "web" if room == "." else f"web/{room}" for room in reversed(PAGE)
    ]


def test_the_guide_names_the_other_folders() -> None:
    assert set(named("### The rest")) == folders(ROOT) - {"web", "service", "rules"}


def test_what_the_guide_sends_a_reader_to_is_there() -> None:
    named_paths = re.findall(r"`((?:rules|service|web|docs|tests|benchmarks|bin)/[\w./]*)`", GUIDE)
    missing = [path for path in named_paths if not (ROOT / path).exists()]
    assert missing == [] and len(named_paths) > 60


def test_the_contract_about_http_covers_every_room_below_it() -> None:
    names = [name for layer in layers("service") for name in layer]
    (contract,) = (each for each in CONTRACTS if "knows no HTTP" in each["name"])
    below = names[names.index("web") + 1 :]
    assert set(contract["source_modules"]) == {f"service.{name}" for name in below}
