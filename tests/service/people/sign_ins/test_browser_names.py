"""The names of browsers in the list of sign-ins."""

from __future__ import annotations

import pytest

from service.people.sign_ins.browser_names import describe

KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
BROWSERS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox · Linux",
    f"Mozilla/5.0 (Linux; Android 16) {KIT} Chrome/140.0.0.0 Mobile Safari/537.36": "Chrome · Android",
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) {KIT} Version/26.0": "iPhone",
    f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) {KIT} Safari/605.1": "Safari · Mac",
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {KIT} Chrome/140.0 Edg/140.0": "Edge · Windows",
    "curl/8.0": None,
    "": None,
}


@pytest.mark.parametrize("user_agent", BROWSERS)
def test_browsers_are_named_coarsely(user_agent):
    assert describe(user_agent) == BROWSERS[user_agent]
