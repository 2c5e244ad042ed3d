"""The page on a throttled phone: a first and a second visit to a table, and a long history.

The times are the browser's own. The bytes are counted on the line, including those that the service worker requests.
For comparison, a page of the same number of bytes is loaded over the same line.
"""

from __future__ import annotations

import random
import re
import shutil
import statistics
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, sync_playwright

from benchmarks.report import Measure
from benchmarks.server import Server, served
from benchmarks.slow_line import SlowLine, Speed
from benchmarks.world import world

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
PHONE = ViewportSize(width=360, height=740)
SLOW_4G = Speed(latency=0.15, down=1.6e6 / 8)
SLOWER = 4
"""The factor by which the processor is slowed down."""
ROUNDS = 5
LONG = 1000
"""The number of events of a long history."""
FIRST, SECOND = 7, 2
"""The most requests of a first and a second visit."""
WATCH = """
window.playable = new Promise(found => {
  const look = () => {
    if (document.querySelector(".bottom-panel .hand")) found(performance.now());
    else requestAnimationFrame(look);
  };
  look();
});
window.readable = new Promise(found => new PerformanceObserver(paints => {
  const [first] = paints.getEntriesByName("first-contentful-paint");
  if (first) found(first.startTime);
}).observe({ type: "paint", buffered: true }));
"""
INSTALLED = """
navigator.serviceWorker.ready.then(({ active }) => new Promise(done => {
  if (active.state === "activated") done();
  else active.addEventListener("statechange", () => done());
}))
"""
OPEN = """() => {
  const began = performance.now();
  document.querySelector(".tools [data-drawer=history]").click();
  document.body.getBoundingClientRect();
  return performance.now() - began;
}"""
"""A script that opens the drawer of a phone and returns the ms until it was laid out."""


class Visit(NamedTuple):
    """The requests, the bytes on the line, and the ms until there was something to read, and until there was something
    to do.
    """

    requests: int
    size: int
    readable: float
    playable: float


def measures() -> Iterator[Measure]:
    """The results: counts are exact; times are medians of several visits. Without a Chromium there are none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        print("page: no chromium on the PATH", file=sys.stderr)
        return
    with world(rate_limits=False) as made, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS])
        with served("service.web.app:create_app()", made.environment) as server:
            with SlowLine(server.address, SLOW_4G).open() as line:
                visits = [_visits(browser, server, line) for _ in range(ROUNDS)]
            newest, all_of_them = _drawer(browser, server)
        first, second = (list(each) for each in zip(*visits, strict=True))
        size = round(statistics.median(visit.size for visit in first))
        yield Measure("page, first visit: requests", max(v.requests for v in first), "", most=FIRST)
        yield Measure("page, first visit: over the wire", size / 1024, "KB", most=110)
        yield Measure(
            "page, second visit: requests", max(v.requests for v in second), "", most=SECOND
        )
        plain = _static(browser, size)
        for name, of, readable, playable in (
            ("first", first, 1.0, 2.0),
            ("second", second, 0.7, 0.7),
        ):
            for what, most in (("readable", readable), ("playable", playable)):
                took = statistics.median(getattr(visit, what) for visit in of)
                yield Measure(
                    f"page on a slow phone, {name} visit: {what}", took / 1000, "s", most=most
                )
                yield Measure(
                    f"page on a slow phone, {name} visit: {what} / as many bytes", took / plain
                )
        what = "page on a slow phone, history of 1,000 events"
        yield Measure(f"{what}: open its drawer", newest, "ms", most=50)
        yield Measure(f"{what}: open its drawer, all loaded", all_of_them, "ms")
        browser.close()


def _drawer(browser: Browser, server: Server) -> tuple[float, float]:
    """The milliseconds that opening the history takes, first as it is, then with all earlier pages loaded."""
    url = f"http://{server.address[0]}:{server.address[1]}"
    context = browser.new_context(viewport=PHONE, locale="en-GB", service_workers="block")
    path = _table(browser, context, url)
    context.route(f"{url}{path}", _without_first_answers)
    game = {**context.request.get(f"{url}/api{path}").json(), "number": LONG}
    context.route(f"**/api{path}", lambda route: route.fulfill(json=game))
    context.route(f"**/api{path}/events?*", _long_history)
    page = context.new_page()
    page.goto(url + path)
    page.locator(".bottom-panel .hand").wait_for()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    newest = _opened(page)
    page.locator(".tools [data-drawer=history]").click()
    entries = page.locator(".history li")
    while (shown := entries.count()) < LONG:
        page.locator(".history > button").last.click()
        entries.nth(shown).wait_for(state="attached")
    page.locator(".side-panel .close").click()
    all_of_them = _opened(page)
    context.close()
    return newest, all_of_them


def _opened(page: Page) -> float:
    """The median of the times (ms) of several openings; the drawer is closed after each."""
    took: list[float] = []
    for _ in range(ROUNDS):
        took.append(page.evaluate(OPEN))
        page.locator(".side-panel .close").click()
        page.locator(".history li").first.wait_for(state="detached")
    return statistics.median(took)


def _without_first_answers(route: Route) -> None:
    """Remove the first responses, so that the page requests all of them."""
    answer = route.fetch()
    brought = r'<script type="application/json".*?</script>'
    route.fulfill(response=answer, body=re.sub(brought, "", answer.text()))


def _long_history(route: Route) -> None:
    query = parse_qs(urlsplit(route.request.url).query)
    after, limit = int(query["after"][0]), int(query["limit"][0])
    numbers = range(after + 1, min(LONG, after + limit) + 1)
    told = [{"line": "told", "words": "Ken plays 7♠ on the third row."}]
    usual = {"kind": "action", "seat": 1, "at": "2026-11-21T10:00:00.000Z", "lines": told}
    route.fulfill(json={"events": [{"number": n, **usual} for n in numbers], "next": None})


def _visits(browser: Browser, server: Server, line: SlowLine) -> tuple[Visit, Visit]:
    """A person's first visit with this browser, and the second one."""
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    try:
        path = _table(browser, context, f"http://{server.address[0]}:{server.address[1]}")
        context.add_init_script(WATCH)
        return _visit(context, line, path), _visit(context, line, path)
    finally:
        context.close()


def _table(browser: Browser, context: BrowserContext, url: str) -> str:
    """The path of a table of two people, one of whom uses this browser."""
    other = browser.new_context()
    for who, name in ((context, "Mina"), (other, "Ken")):
        who.request.post(f"{url}/api/players", data={"name": f"{name} {random.randrange(10**9)}"})
    wish = {"ruleset": "caravan", "start": "full", "nonce": None}
    game = context.request.post(f"{url}/api/games", data=wish).json()
    other.request.post(f"{url}/api/games/{game['id']}/seats", data={})
    other.close()
    return f"/games/{game['id']}"


def _visit(context: BrowserContext, line: SlowLine, path: str) -> Visit:
    """A visit, until the service worker is ready, without the periodic requests of the page."""
    page = context.new_page()
    _slow_down(page)
    line.begin()
    page.goto(line.url + path, wait_until="commit")
    playable = page.evaluate("playable")
    readable = page.evaluate("readable")
    page.evaluate(INSTALLED)
    visit = Visit(line.requests, line.size, readable, playable)
    page.close()
    return visit


def _slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _static(browser: Browser, size: int) -> float:
    """The milliseconds to load a page of this size over the same line."""
    took: list[float] = []
    with _serving(size) as address, SlowLine(address, SLOW_4G).open() as line:
        for _ in range(ROUNDS):
            context = browser.new_context(viewport=PHONE)
            page = context.new_page()
            _slow_down(page)
            page.goto(line.url, wait_until="load")
            took.append(
                page.evaluate(
                    "performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart"
                )
            )
            context.close()
    return statistics.median(took)


@contextmanager
def _serving(size: int) -> Iterator[tuple[str, int]]:
    body = b"<!doctype html><title>Bytes</title><p>" + b"x" * size

    class Bytes(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Bytes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield "127.0.0.1", server.server_port
    finally:
        server.shutdown()
