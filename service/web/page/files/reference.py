"""The files that show openapi.yaml as a page: Swagger UI from its package, and our script that starts it.

They are large and seldom needed, so they are read at the first request. Their addresses contain their versions.
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
    """The addresses of these files."""

    sheet: str
    script: str
    start: str


@functools.cache
def names() -> ReferenceNames:
    """The addresses with which the page refers to the files."""
    version = metadata.version("flask-swagger-ui")
    start = hashlib.sha256(START.read_bytes()).hexdigest()[:12]
    return ReferenceNames(
        f"{BELOW}{version}/swagger-ui.css",
        f"{BELOW}{version}/swagger-ui-bundle.js",
        f"{BELOW}start.{start}.js",
    )


def read(path: str) -> bytes | None:
    """The content of the file at this address; None if there is none."""
    if path not in names():
        return None
    if path == names().start:
        return START.read_bytes()
    return (resources.files("flask_swagger_ui") / "dist" / path.rpartition("/")[2]).read_bytes()
