"""Visitors whose browser runs the service worker; in other tests none is allowed, as it would answer in their place."""

from __future__ import annotations

from typing import Any

ACTIVE = """
() => navigator.serviceWorker.ready.then(({ active }) => new Promise(resolve => {
  const look = () => {
    if (active.state === "activated") resolve(true);
    else active.addEventListener("statechange", look, { once: true });
  };
  look();
}))
"""
KEPT = """
async () => {
  const tables = await caches.open("tables");
  return (await tables.keys()).map(({ url }) => new URL(url).pathname);
}
"""


def with_worker(visit: Any, **more: Any) -> Any:
    """A visitor whose browser may keep a worker."""
    return visit(service_workers="allow", **more)


def await_worker(visitor: Any) -> None:
    """Return when the worker has taken over."""
    visitor.page.evaluate(ACTIVE)


def kept_tables(visitor: Any) -> list[str]:
    """The ids of the tables that the browser keeps."""
    paths: list[str] = visitor.page.evaluate(KEPT)
    return [path.removeprefix("/kept/") for path in paths]
