"""Browsers that the tests of a process use one after another, because a new one costs more than most tests.

A browser is returned as it was: signed out, with nothing stored, on a page without scripts. Settings that cannot be
undone (a script at each start of a page, listeners, a service worker, no scripts at all) need a separate browser. One
that has got a clock of its own is closed: in it, time would stand still for the next test.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error

from tests.web.support.visitor import QUIET, Visitor

FORGET = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
}"""
HAS_CLOCK = "'__pwClock' in globalThis"
"""Whether a test has replaced the time of the browser, which cannot be undone."""
Kind = tuple[tuple[str, Any], ...] | None
"""The options of a browser that is lent again; None for one that belongs to a single test."""


class LentBrowsers:
    """Lends each browser to one visitor at a time."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle = defaultdict[Kind, list[BrowserContext]](list)
        self._lent = dict[Visitor, Kind]()

    def lend(self, url: str, by: str, size: Any, own: bool, **options: Any) -> Visitor:
        """Lend a visitor in a browser with these options; one that belongs to the test is closed afterwards."""
        traceless = options["service_workers"] == "block" and "java_script_enabled" not in options
        kind = None if own or not traceless else tuple(sorted(options.items()))
        known = self._idle[kind]
        context = known.pop() if known else self._browser.new_context(viewport=size, **options)
        visitor = Visitor(context, url, by)
        visitor.page.set_viewport_size(size)
        self._lent[visitor] = kind
        return visitor

    def take_back(self, visitor: Visitor) -> None:
        """Restore the browser, or close it."""
        kind = self._lent.pop(visitor)
        if kind is not None:
            with contextlib.suppress(Error):  # a test may have closed it
                _make_anew(visitor, dict(kind))
                if not visitor.page.evaluate(HAS_CLOCK):
                    self._idle[kind].append(visitor.context)
                    return
        visitor.context.close()


def _make_anew(visitor: Visitor, options: dict[str, Any]) -> None:
    visitor.leave()
    context, (page, *others) = visitor.context, visitor.context.pages
    for other in others:
        other.close()
    for routed in (context, page):
        routed.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)
    context.clear_permissions()
    page.emulate_media(color_scheme=options.get("color_scheme", "light"))
    page.goto(visitor.url + QUIET)
    page.evaluate(FORGET)
    context.clear_cookies()
