"""The text of a message that has only HTML, without what its mail program has marked as quoted."""

from __future__ import annotations

from html.parser import HTMLParser

_HIDDEN = {"head", "style", "script", "title", "blockquote"}
_QUOTES = ("gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote")
_QUOTE_BEGINS = {"divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container"}
"""Ids of elements behind which Outlook puts everything that it quotes."""
_BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "hr", "pre"}
_EMPTY = {"br", "hr", "img", "input", "meta", "link", "wbr", "area", "base", "col", "source"}


def text_of(html: str) -> str:
    """The text, a line for each block."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = "".join(reader.parts).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden: list[str] = []
        """The open elements since the one that is hidden, that one included."""
        self._over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        given = {name: value or "" for name, value in attrs}
        self._over = self._over or given.get("id") in _QUOTE_BEGINS
        quoted = any(name in given.get("class", "") for name in _QUOTES)
        if tag not in _EMPTY and (self._hidden or tag in _HIDDEN or quoted):
            self._hidden.append(tag)
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """An element ends, and with it those inside it that were not closed."""
        if tag in self._hidden:
            while self._hidden.pop() != tag:
                pass
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text."""
        if not self._hidden and not self._over:
            self.parts.append(" ".join(data.split("\n")))
