"""The files that draw openapi.yaml as a page: Swagger UI as a package brings it, and a script of ours that starts it.

They are large and seldom wanted: read at the first request, not at the start. Their addresses hold their versions.
"""

from __future__ import annotations

import functools
import hashlib
from importlib import metadata, resources
from pathlib import Path
from typing import NamedTuple

START = Path(__file__).with_name("reference.js")
BELOW = "/docs/api/"


class ReferenceNames(NamedTuple):
    """The addresses of the files."""

    sheet: str
    script: str
    start: str


@functools.cache
def names() -> ReferenceNames:
    """The addresses under which the page refers to them."""
    version = metadata.version("flask-swagger-ui")
    start = hashlib.sha256(START.read_bytes()).hexdigest()[:12]
    return ReferenceNames(
        f"{BELOW}{version}/swagger-ui.css",
        f"{BELOW}{version}/swagger-ui-bundle.js",
        f"{BELOW}start.{start}.js",
    )


def read(path: str) -> bytes | None:
    """The file at this address; None: there is none."""
    if path not in names():
        return None
    if path == names().start:
        return START.read_bytes()
    return (resources.files("flask_swagger_ui") / "dist" / path.rpartition("/")[2]).read_bytes()
