"""Players whom no email reaches see why, and the others at the table see that they cannot be reached."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.database.database import transaction
from service.outbox.addresses import undelivered
from service.outbox.addresses.undelivered import Found
from service.web.app import create_app
from service.web.http.caller.context import current_services
from tests.support.dump import execute
from tests.support.servers.databases import disconnect
from tests.web.conftest import DESK, PHONE
from tests.web.support.accessibility import violations
from tests.web.support.accounts import register_at_the_page
from tests.web.support.tables import two_people

pytestmark = pytest.mark.browser


@pytest.fixture
def noted(server: Any) -> Any:
    """Store a mail server's reply about an address in the server's database."""
    app = create_app(server.config)

    def note(address: str, why: Any, player: str = "") -> None:
        if player:
            execute(
                app,
                "INSERT INTO accounts (player_id, handle, address, folded, generation, registered_at) "
                "VALUES (:p, :h, :a, :a, 0, 0)",
                p=player,
                h=address.partition("@")[0],
                a=address,
            )
        with app.app_context(), transaction():
            services = current_services()
            undelivered.note(services, services.config, address, Found(why, "5.1.1"))

    yield note
    disconnect(app)


def test_everybody_concerned_is_told(visit: Any, noted: Any, keep_picture: Any) -> None:
    mina, ken = two_people(visit)
    me = ken.context.request.get(f"{ken.url}/api/me").json()["player"]["id"]
    noted("ken-of-this-table@example.org", undelivered.COMPLAINT, me)
    tag = mina.page.locator(".seat header .unreachable")
    for size in (PHONE, DESK):
        mina.page.set_viewport_size(size)
        tag.wait_for()
        assert tag.inner_text() == "cannot be reached by email"
        keep_picture(mina, f"unreachable-{size['width']}")
        assert violations(mina) == []
        assert mina.wider_than_screen() == 0
    page = ken.open("/")
    notice = page.locator(".notice", has_text="one of them was reported as unwanted")
    notice.wait_for()
    assert notice.locator("a[href='/me']").count() == 1
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        keep_picture(ken, f"undelivered-{size['width']}")
        assert violations(ken) == []


def test_a_typo_in_a_first_address_is_told_without_being_asked_for(visit: Any, noted: Any) -> None:
    zoe = visit(PHONE)
    handle = register_at_the_page(zoe)
    noted(f"{handle}@example.org", undelivered.NO_MAILBOX)
    notice = zoe.page.locator(".notice", has_text=f"No email reaches {handle}@example.org")
    notice.wait_for()
    assert zoe.page.locator("#address-address").input_value() == f"{handle}@example.org"
    assert violations(zoe) == []
