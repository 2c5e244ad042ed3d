"""Browsers that tests use one after another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import PHONE

pytestmark = pytest.mark.browser

OF_THIS_TEST: dict[str, Any] = {"service_workers": "block", "locale": "is-IS"}


@pytest.mark.parametrize("clocked", [False, True], ids=["as-it-was", "with-a-clock"])
def test_a_browser_is_lent_again_unless_its_time_was_replaced(
    lent: Any, server: Any, clocked: bool
) -> None:
    first = lent.lend(server.url, "mouse", PHONE, False, **OF_THIS_TEST)
    first.open("/")
    if clocked:
        first.page.clock.install()
    lent.take_back(first)
    second = lent.lend(server.url, "mouse", PHONE, False, **OF_THIS_TEST)
    assert (second.context is first.context) is not clocked
    assert second.page.evaluate("new Promise(done => setTimeout(() => done(true), 1))")
    second.context.close()
