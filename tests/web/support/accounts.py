"""Registering at the page, and the links in mails."""

from __future__ import annotations

import itertools
import re
from typing import Any

from service.notifications.mail_sending.transport import MailboxFolder
from tests.support.servers.server import Server, wait_until
from tests.web.support.accessibility import violations

PASSWORD = "four quiet paper cranes"


handles = (f"mina{n}" for n in itertools.count(1))


def link(server: Server, address: str, purpose: str, old: str = "") -> str:
    """The newest link for this purpose mailed to an address, other than `old`, in the form for the page.

    Mails lead to a page without scripts (tests/web/server_pages/test_link_pages.py), and those of earlier releases lead
    here.
    """
    mailbox = MailboxFolder(server.folder / "mailbox")

    def found() -> str:
        for mail in mailbox.mails().values():
            text = mail.get_body(("plain",)).get_content() if mail["To"].endswith(address) else ""
            for page, key in re.findall(rf"(http\S+)/plain/keys/{purpose}/(\S+)", text):
                if f"{page}/#{purpose}={key}" != old:
                    return f"{page}/#{purpose}={key}"
            for invited in re.findall(r"http\S+/invited/\S+", text):
                return str(invited)
        return ""

    return str(wait_until(found, f"a mail with a link: {purpose}"))


def register(visitor: Any) -> str:
    """Registers a new guest, and opens the settings; returns the handle."""
    handle = next(handles)
    visitor.sign_up()
    account = {"handle": handle, "address": f"{handle}@example.org", "password": PASSWORD}
    visitor.post("/me/registration", **account)
    visitor.open("/me").locator(".pairs dd", has_text=handle).first.wait_for()
    return handle


def register_at_the_page(visitor: Any) -> str:
    """The same through the website."""
    handle = next(handles)
    page = visitor.open("/me")
    page.locator("main .main").click()
    visitor.give_name()
    page.locator("#register-handle").fill(handle)
    page.locator("#register-address").fill(f"{handle}@example.org")
    page.locator("#register-password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator(".pairs dd", has_text=handle).first.wait_for()
    return handle


def use(visitor: Any, link: str) -> None:
    """Opens a link from a mail and presses its button. The key is removed from the address."""
    page = visitor.page
    page.goto(link)
    page.locator("#arrival button, #reset button").first.wait_for()
    assert page.url.endswith("/arrived")
    assert violations(visitor) == []
    if page.locator("#arrival").count():
        page.locator("#arrival button").first.click()
