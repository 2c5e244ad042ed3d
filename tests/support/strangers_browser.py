"""The pages behind links of mails, in a browser that is not signed in and has scripts off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import urlsplit

from flask import Flask

from service.notifications.mail_texts.message import message_id
from tests.support.dump import execute
from tests.support.form_reader import FormReader, Page
from tests.support.post_office import part

HOST = "http://localhost"
_URL = re.compile(r"https?://[^\s\"<>]+")


def urls(letter: EmailMessage) -> list[str]:
    """Every address in the text and the HTML of a letter, once, in order."""
    html = re.findall(r'href="([^"]+)"', part(letter, "html"))
    found = [*_URL.findall(part(letter)), *html]
    return list(dict.fromkeys(url.replace("&amp;", "&") for url in found))


def kind_of(app: Flask, letter: EmailMessage) -> str:
    """The kind of a letter that was sent, according to its row in the outbox."""
    config = app.extensions["tegami"].config
    kinds = {message_id(config, f"mail {row.key}"): row.kind for row in outbox(app)}
    return str(kinds[letter["Message-ID"]])


def outbox(app: Flask) -> Iterator[object]:
    return iter(execute(app, "SELECT key, kind FROM outbox"))


class Stranger(FormReader):
    """A fresh browser: it keeps cookies, but starts with none."""

    def follow_link(self, url: str) -> Page | None:
        """The page of a link, opened without scripts; None: it was a file.

        From a page that needs scripts, its link to the version without them is followed.
        """
        assert url.startswith(HOST), url
        assert "=" not in urlsplit(url).fragment, f"what is behind the # needs scripts: {url}"
        path = url.removeprefix(HOST).partition("#")[0]
        answer = self.http.get(path, headers=self.headers)
        if "attachment" in answer.headers.get("Content-Disposition", ""):
            assert answer.status_code == 200
            return None
        assert "text/html" in answer.mimetype and answer.status_code == 200, (url, answer.status)
        plain = re.search(r'<noscript>.*?href="(/plain[^"]*)"', answer.text, re.DOTALL)
        return self.open(plain[1] if plain else path)

    @property
    def is_signed_in(self) -> bool:
        """Whether this browser counts as signed in."""
        return bool(self.http.get("/api/me").status_code == 200)
