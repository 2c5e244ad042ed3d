"""The files that draw openapi.yaml as a page: Swagger UI as a package brings it, and a script of ours that starts it.

They are large and seldom wanted: read at the first request, not at the start. Their addresses hold their versions.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from importlib import metadata, resources
from pathlib import Path
from typing import NamedTuple

START = Path(__file__).with_name("reference.js")
BELOW = "/docs/api/"


class Names(NamedTuple):
    """The addresses of the files."""

    sheet: str
    script: str
    start: str


@functools.cache
def names() -> Names:
    """The addresses under which the page refers to them."""
    version = metadata.version("flask-swagger-ui")
    start = hashlib.sha256(START.read_bytes()).hexdigest()[:12]
    return Names(
        f"{BELOW}{version}/swagger-ui.css",
        f"{BELOW}{version}/swagger-ui-bundle.js",
        f"{BELOW}start.{start}.js",
    )


def packed(path: str) -> tuple[str, bytes, bytes] | None:
    """The type of a file, its bytes, and those compressed; None: there is no such file."""
    if path not in names():
        return None
    if path == names().start:
        body = START.read_bytes()
    else:
        package = resources.files("flask_swagger_ui")
        body = (package / "dist" / path.rpartition("/")[2]).read_bytes()
    kind = "text/css" if path.endswith(".css") else "text/javascript"
    return kind, body, gzip.compress(body, 6, mtime=0)
