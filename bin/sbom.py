"""Writing sbom.cdx.json, the bill of materials of a server in CycloneDX, from pyproject.toml and requirements.txt
alone.

So it is the same on every machine and at any time: it has no date, no serial number, no path and no address of an
index.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "sbom.cdx.json"
LOCKED = re.compile(r"^([a-z0-9-]+)==([\w.+!-]+)(?: ; (.+?))? \\$", re.MULTILINE)
"""A requirement as bin/lock writes it: its name, its version, and the marker of the systems on which it is
installed.
"""
MARKER = "tegami:marker"
"""The property that names the systems on which a component is installed."""


def main() -> None:
    """Write sbom.cdx.json."""
    FILE.write_text(bill(), "utf-8")


def bill() -> str:
    """The text of the bill of materials."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    locked = LOCKED.findall((ROOT / "requirements.txt").read_text("utf-8"))
    itself = {
        "type": "application",
        "bom-ref": project["name"],
        "name": project["name"],
        "version": project["version"],
        "description": project["description"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": itself},
        "components": [component(*each) for each in locked],
        "dependencies": [{"ref": project["name"], "dependsOn": direct(project, locked)}],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def component(name: str, version: str, marker: str) -> dict[str, Any]:
    """The component for one locked package."""
    package = f"pkg:pypi/{name}@{version}"
    made = {
        "type": "library",
        "bom-ref": package,
        "name": name,
        "version": version,
        "purl": package,
    }
    return made | ({"properties": [{"name": MARKER, "value": marker}]} if marker else {})


def direct(project: dict[str, Any], locked: list[tuple[str, str, str]]) -> list[str]:
    """The packages that pyproject.toml itself requires; all others are required by these."""
    asked = {re.split(r"[\[~>=<! ]", each)[0].lower() for each in project["dependencies"]}
    return [f"pkg:pypi/{name}@{version}" for name, version, _ in locked if name in asked]


if __name__ == "__main__":
    sys.exit(main())
