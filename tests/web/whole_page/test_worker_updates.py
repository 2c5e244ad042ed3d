"""A new version of the server: its page comes with the next request, completely, and the worker stores it
from then on.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.databases import Databases
from tests.support.servers.server import ROOT, Server, wait_until
from tests.web.support.workers import await_worker, with_worker

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

WORKER = "navigator.serviceWorker.getRegistration().then(found => found.update())"
KEPT = "caches.keys().then(all => all.filter(name => name.startsWith('files ')))"


@pytest.fixture
def server(databases: Databases, tmp_path: Path) -> Iterator[Server]:
    """A server of this clone that another version replaces."""
    database = databases.fresh("sqlite", tmp_path)
    with Server(tmp_path, database, WEB_CONCURRENCY="1") as server:
        yield server


def version(folder: Path, mark: str) -> Path:
    """A copy of this clone whose script and style sheet say which one it is."""
    compiled = shutil.ignore_patterns("__pycache__")
    for part in ("rules", "service", "web"):
        shutil.copytree(ROOT / part, folder / part, ignore=compiled)
    shutil.copy(ROOT / "openapi.yaml", folder)
    for name, text in (
        ("app.js", f'\ndocument.documentElement.dataset.script = "{mark}";\n'),
        ("header_and_footer.css", f':root {{ --sheet-version: "{mark}"; }}\n'),
    ):
        with (folder / "web" / name).open("a", encoding="utf-8") as file:
            file.write(text)
    return folder


NAMES = """
async name => {
  const files = await (await caches.open(name)).keys();
  return files.map(({ url }) => new URL(url).pathname.replace(/^\\/(\\w+)\\..*\\.(\\w+)$/, "$1.$2"));
}
"""
MARKS = """
() => [
  document.documentElement.dataset.script,
  JSON.parse(getComputedStyle(document.documentElement).getPropertyValue("--sheet-version") || "null"),
]
"""


def marks(visitor: Any) -> Any:
    """The versions of the script and the style sheet on screen."""
    return visitor.page.evaluate(MARKS)


def test_a_new_version_takes_over_whole_at_the_next_visit(
    server: Server, visit: Any, tmp_path: Path
) -> None:
    mina = with_worker(visit)
    mina.page.goto(server.url + "/privacy")
    mina.page.evaluate("caches.open('files long ago').then(cache => cache.keys())")
    mina.open("/me")
    await_worker(mina)
    first = mina.page.evaluate(KEPT)[-1]

    server.update(version(tmp_path / "second", "second"))
    mina.open("/me")
    assert marks(mina) == ["second", "second"], "at once, and of one version"
    mina.page.evaluate(WORKER)
    wait_until(lambda: "files long ago" not in mina.page.evaluate(KEPT), "the second worker")
    kept = mina.page.evaluate(KEPT)
    assert len(kept) == 2 and kept[0] == first, "pages of the version before may be open"
    names = mina.page.evaluate(NAMES, kept[1])
    assert {"waiting_room.js", "time_panel.js"} < {*names}, "although they were not used here"

    server.stop("web", "worker")
    mina.open("/me")
    assert marks(mina) == ["second", "second"], "without a connection it is the last one"
    mina.errors.clear()  # the server was not there
