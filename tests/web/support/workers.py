"""Visitors whose browser runs the service worker; other tests allow none, because it would respond in their place."""

from __future__ import annotations

from typing import Any

from tests.support.servers.server import wait_until

ACTIVE = """
() => navigator.serviceWorker.ready.then(({ active }) => new Promise(resolve => {
  const look = () => {
    if (active.state === "activated") resolve(true);
    else active.addEventListener("statechange", look, { once: true });
  };
  look();
}))
"""
FILES_KEPT = """
async () => {
  const named = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter(path => /^\\/\\w+\\.[0-9a-f]{12}\\.\\w+$/.test(path));
  const kept = await Promise.all(named.map(path => caches.match(path)));
  return named.length > 0 && kept.every(Boolean);
}
"""
"""Whether the worker has everything that the page has loaded."""
KEPT = """
async () => {
  const tables = await caches.open("tables");
  return (await tables.keys()).map(({ url }) => new URL(url).pathname);
}
"""


def with_worker(visit: Any, **more: Any) -> Any:
    """A visitor whose browser may keep a worker."""
    return visit(service_workers="allow", **more)


def at_kept_table(visit: Any, slug: str) -> Any:
    """A visitor with a worker, at a table that has begun and is stored for times without a connection."""
    visitor = with_worker(visit)
    visitor.sit_down(slug)
    assert visitor.my_turn()
    await_worker(visitor)
    wait_until(lambda: visitor.game_id in kept_tables(visitor), "the table to be kept")
    return visitor


def await_worker(visitor: Any) -> None:
    """Return when the worker has taken over, and has everything that the page needs without a connection."""
    visitor.page.evaluate(ACTIVE)
    wait_until(lambda: visitor.page.evaluate(FILES_KEPT), "the worker to keep the files")


def kept_tables(visitor: Any) -> list[str]:
    """The ids of the tables that the browser keeps."""
    paths: list[str] = visitor.page.evaluate(KEPT)
    return [path.removeprefix("/kept/") for path in paths]
