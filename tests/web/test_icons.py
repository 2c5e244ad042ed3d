"""The icons of the installed page are those that the script draws from the page's own icon."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Browser

from service.web.page.files.serving import PICTURES
from tests.record_icons import drawn_by

pytestmark = pytest.mark.browser

DIFFERENCE = """
async ([one, other]) => {
  const pixels = async bytes => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.length !== b.length) return 255;
  return a.reduce((sum, value, n) => sum + Math.abs(value - b[n]), 0) / a.length;
}
"""
"""The mean difference of two pictures, of 255; other browser versions smooth edges a little differently."""


def test_the_icons_are_drawn_of_the_icon_of_the_page(browser: Browser) -> None:
    page = browser.new_page()
    for path, drawn in drawn_by(browser).items():
        stored = (PICTURES / path).read_bytes()
        both = [base64.b64encode(each).decode() for each in (stored, drawn)]
        assert page.evaluate(DIFFERENCE, both) < 2, path
    page.close()
