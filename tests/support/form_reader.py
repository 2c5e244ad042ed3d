"""A text browser as a program: it follows links, fills in forms, and knows only HTML."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit

from flask import Flask

HEADERS = {"Accept": "text/html, text/plain;q=0.5", "Accept-Language": "en"}
"""The headers of a text browser: neither an origin nor a site."""


@dataclass
class Form:
    """A form: its address, its present fields, and the words of its button."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    options: dict[str, list[str]] = field(default_factory=dict)
    button: str = ""


class Page(HTMLParser):
    """A page in a text browser: the title, the text, links and forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html, self.title, self.text = html, "", ""
        self.links: list[tuple[str, str]] = []
        self.forms: list[Form] = []
        self._open: list[str] = []
        self._href: str | None = None
        self._select = ""
        self.feed(html)
        self.text = re.sub(r"\s+", " ", self.text)
        self.links = [(path, re.sub(r"\s+", " ", words).strip()) for path, words in self.links]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open.append(tag)
        if tag == "a" and "href" in given:
            self._href = given["href"]
            self.links.append((given["href"], ""))
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get")))
        if tag in {"input", "textarea"} and self.forms and "form" in self._open:
            is_box = given.get("type") == "checkbox"
            if not is_box or "checked" in given:
                self.forms[-1].fields[given["name"]] = given.get("value", "")
            else:
                self.forms[-1].options[given["name"]] = [given["value"]]
        if tag == "select":
            self._select = given["name"]
            self.forms[-1].options[self._select] = []
        if tag == "option":
            self.forms[-1].options[self._select].append(given["value"])
            if "selected" in given or self._select not in self.forms[-1].fields:
                self.forms[-1].fields[self._select] = given["value"]
        if tag in {"input", "meta", "link", "br", "img"}:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass
        if tag == "a":
            self._href = None

    def handle_data(self, data: str) -> None:
        if "title" in self._open:
            self.title += data
        elif "body" in self._open:
            self.text += data
        if self._href is not None:
            path, words = self.links[-1]
            self.links[-1] = (path, words + data)
        if "button" in self._open and self.forms:
            self.forms[-1].button += data.strip()


class FormReader:
    """Somebody with a text browser."""

    def __init__(self, app: Flask, language: str = "en") -> None:
        self.http = app.test_client()
        self.headers = {**HEADERS, "Accept-Language": language}
        self.path = "/plain"
        self.page = Page("")
        self.status = 0

    def open(self, path: str, status: int = 200) -> Page:
        """Open a page, following redirects."""
        return self._shown(path, self.http.get(_path(path), headers=self.headers), status)

    def follow(self, words: str | re.Pattern[str], status: int = 200) -> Page:
        """Follow the first link with these words, or whose address matches."""
        for path, said in self.page.links:
            fits = words.search(path) if isinstance(words, re.Pattern) else words == said
            if fits:
                return self.open(urljoin(self.path, path), status)
        raise AssertionError(f"no link {words!r} among {self.page.links}")

    def form(self, button: str) -> Form:
        """The form with this button."""
        found = [each for each in self.page.forms if each.button == button]
        assert found, f"no button {button!r} among {[each.button for each in self.page.forms]}"
        return found[0]

    def send(self, button: str, status: int = 200, **typed: str) -> Page:
        """Fill in the form with this button, and press it."""
        form = self.form(button)
        return self.post(form.action, {**form.fields, **typed}, status)

    def post(self, path: str, fields: Mapping[str, str], status: int = 200, **headers: str) -> Page:
        """Send these fields, following redirects."""
        sent = {**self.headers, **{name.replace("_", "-"): each for name, each in headers.items()}}
        answer = self.http.post(_path(path), data=dict(fields), headers=sent)
        return self._shown(path, answer, status)

    def _shown(self, path: str, answer: Any, status: int) -> Page:
        self.path = _path(path)
        for _ in range(5):
            if answer.status_code != 303:
                break
            self.path = _path(answer.headers["Location"])
            answer = self.http.get(self.path, headers=self.headers)
        assert answer.mimetype == "text/html", (answer.status_code, answer.get_data()[:500])
        self.status, self.page = answer.status_code, Page(answer.get_data(as_text=True))
        assert answer.status_code == status, (self.path, self.status, self.page.text[:800])
        return self.page

    def arrive(self, name: str) -> str:
        """Enter a name; returns the secret link that is shown."""
        self.open("/plain/enter")
        page = self.send("Play with this name", name=name)
        found = re.search(r"#back=(\w+)", page.text)
        assert found
        self.follow(re.compile("^/plain"))
        return found[0]

    def choose(self, rng: random.Random) -> bool:
        """On the page of a table, choose an action and play it; returns False if the person has no question."""
        for _ in range(60):
            steps = [path for path, _ in self.page.links if "/move?asked=" in path]
            if not steps:
                return False
            options = [path for path in steps if not _is_back(self.page, path)]
            self.open(rng.choice(options))
            if any(each.button == "Play it" for each in self.page.forms):
                self.send("Play it")
                return True
        raise AssertionError("sixty steps led to no move")


def _is_back(page: Page, path: str) -> bool:
    return (path, "Back") in page.links


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
