"""Draw the pictures of the project from the running page: `python -m tests.record_pictures`.

`web/base/pictures/previews/` gets the pictures that messengers show with a link to a game, `docs/picture.png` a table
of Caravan on a phone, and `tests/web/drawings.json` the drawings of cards and tiles; with `drawings` as an argument,
only the last.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from service.core.settings.config import ROOT
from service.web.page.files.serving import PICTURES
from tests.support.servers.databases import Databases
from tests.support.servers.server import Server, wait_until
from tests.web.conftest import CHROMIUM, FLAGS, PHONE
from tests.web.support import drawings
from tests.web.support.visitor import Visitor

PREVIEW = {"width": 600, "height": 315}
"""The shape of which messengers cut nothing off."""
MOVES = 5
"""The number of decisions after which a Caravan table has something to show."""
NOTHING_NEW = """
() => {
  for (const key of Object.keys(localStorage)) if (key.startsWith("tegami.seen.")) localStorage.removeItem(key);
  localStorage["tegami.coach"] = JSON.stringify({ caravan: { game: "", met: [], closed: true } });
}
"""
"""The state of a player who has just looked, and not for the first time."""

DRAW_PREVIEW = """
async ([slugs, cards]) => {
  const { drawUnlabelledCard } = await import("/cards/card.js");
  const { drawStamp } = await import("/cards/stamp.js");
  const { h } = await import("/base/dom.js");
  const fan = h("span", { className: "cards fan" }, cards.map(card => h("span", {}, drawUnlabelledCard(card))));
  document.body.className = slugs.length > 1 ? "preview sheet-of-all" : "preview";
  document.body.replaceChildren(...slugs.map(slug => drawStamp(slug)), ...(slugs.length > 1 ? [] : [fan]));
}
"""
STYLE = """
body.preview { margin: 0; height: 100vh; display: flex; align-items: center; justify-content: center; gap: 40px; }
body.preview { background: var(--desk); }
body.preview .stamp { inline-size: 208px; }
body.preview .fan { display: flex; gap: 6px; zoom: 1.5; }
body.sheet-of-all { flex-wrap: wrap; gap: 12px; align-content: center; padding: 0 30px; }
body.sheet-of-all .stamp { inline-size: 80px; }
"""


def record_pictures(only: str = "") -> None:
    """Write all pictures, or only the drawings."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder), Databases(Path(folder)).fresh("sqlite", Path(folder))) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        record_drawings(browser, server.url)
        if only != "drawings":
            record_previews(browser, server.url)
            record_table(browser, server.url)
        browser.close()


def record_drawings(browser: Browser, url: str) -> None:
    """The drawings that a test compares."""
    page = browser.new_context(viewport=PHONE, locale="en-GB").new_page()
    page.goto(url)
    drawings.record(page)


def record_previews(browser: Browser, url: str) -> None:
    """Write a preview for each game, and one for all other pages."""
    page = browser.new_context(viewport=PREVIEW, bypass_csp=True).new_page()
    page.goto(url)
    page.locator("main > *").first.wait_for()
    page.add_style_tag(content=STYLE)
    pictures = PICTURES / "previews"
    pictures.mkdir(exist_ok=True)
    listed = page.request.get(f"{url}/api/rulesets").json()["rulesets"]
    covers = {each["slug"]: each["cards"] for each in listed}
    for name, cards in {**covers, "tegami": []}.items():
        page.evaluate(DRAW_PREVIEW, [[name] if cards else [*covers], cards])
        page.wait_for_load_state("networkidle")  # the stamps are a file of their own
        page.screenshot(path=pictures / f"{name}.png")


def record_table(browser: Browser, url: str) -> None:
    """A trade of Caravan on a phone."""
    visitor, rng = (
        Visitor(browser.new_context(viewport=PHONE, locale="en-GB"), url),
        random.Random(1),
    )
    visitor.play_now("caravan", "Mina")
    for _ in range(MOVES):
        play(visitor, rng)
    wait_until(visitor.asked, "a question")
    page: Page = visitor.page
    page.evaluate(NOTHING_NEW)
    page.reload()
    page.locator("#confirm").wait_for()
    page.screenshot(path=ROOT / "docs/picture.png")


def play(visitor: Visitor, rng: random.Random) -> None:
    """Plays a card rather than giving one away."""
    game = wait_until(visitor.asked, "a question")
    actions = [each["action"] for each in game["legal"]]
    plays = [each for each in actions if each["type"] == "play"]
    address = f"{visitor.url}/api/games/{visitor.game_id}/actions"
    sent = {"asked": game["asked"], "action": rng.choice(plays or actions)}
    visitor.context.request.post(address, data=sent)


if __name__ == "__main__":
    record_pictures(*sys.argv[1:])
