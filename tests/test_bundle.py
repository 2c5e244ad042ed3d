"""openapi.yaml is made of its sources in docs/api/, and of nothing else."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import pytest

from service.core.settings.config import ROOT


def loaded() -> Any:
    """The script of bin/bundle."""
    spec = importlib.util.spec_from_file_location("bundle", ROOT / "bin/bundle.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = loaded()


def test_the_document_is_what_its_sources_say() -> None:
    """After changing docs/api/, run `bin/bundle`."""
    assert script.bundle() == (ROOT / "openapi.yaml").read_text("utf-8")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "docs/api", tmp_path / "api"))


def test_a_component_that_is_there_twice_is_found(sources: Path) -> None:
    talk = sources / "talk.yaml"
    entry = "  parameters:\n    GameIdInPath:\n      name: game_id\n"
    talk.write_text(f"{talk.read_text('utf-8')}{entry}", "utf-8")
    with pytest.raises(ValueError, match="GameIdInPath is there twice"):
        script.bundle(sources)


def test_an_area_without_a_place_is_found(sources: Path) -> None:
    (sources / "pigeons.yaml").write_text("paths:\n", "utf-8")
    with pytest.raises(ValueError, match="pigeons"):
        script.bundle(sources)
