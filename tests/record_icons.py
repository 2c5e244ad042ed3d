"""Draw the icons of the installed page from `web/base/pictures/icon.svg`: `python -m tests.record_icons`.

One that is maskable may be cut to any shape: the paper fills it, and the strokes lie within the circle that always
remains.
"""

from __future__ import annotations

import re

from playwright.sync_api import Browser, sync_playwright

from service.web.page.files.manifest import PURPOSES, SIZES, icon
from service.web.page.files.serving import PICTURES
from tests.web.conftest import CHROMIUM, FLAGS


def svg(purpose: str, size: int) -> str:
    """The drawing of an icon of this many pixels."""
    drawn = (PICTURES / "icon.svg").read_text("utf-8").strip()
    if purpose == "maskable":
        paper = re.search(r'fill="(#\w+)"', drawn)
        assert paper
        whole = f'<rect width="100" height="100" fill="{paper[1]}"/>'
        drawn = re.sub(r"<rect [^>]*/>", whole, drawn, count=1)
    return drawn.replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)


def drawn_by(browser: Browser) -> dict[str, bytes]:
    """Every icon as a PNG, by its path among the pictures."""
    made = {}
    page = browser.new_page()
    for purpose in PURPOSES:
        for size in SIZES:
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }}</style>{svg(purpose, size)}")
            picture = page.locator("svg").screenshot(omit_background=True)
            made[icon(purpose, size)] = picture
    page.close()
    return made


def record_icons() -> None:
    """Write all icons."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        for path, picture in drawn_by(browser).items():
            (PICTURES / path).parent.mkdir(exist_ok=True)
            (PICTURES / path).write_bytes(picture)
        browser.close()


if __name__ == "__main__":
    record_icons()
