"""The text of a message that is only in HTML, without the parts that its mail program has marked as quoted or hides.

HTML is read tag by tag, each character once: a tree can be far larger than its text, and for some texts the standard
library's parser takes a time that grows with the square of their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

_RAW = {"style", "script", "title", "textarea", "xmp", "iframe", "noembed", "noframes"}
"""The elements that contain no other elements."""
_SKIPPED = {
    "head",
    "style",
    "script",
    "title",
    "textarea",
    "iframe",
    "noembed",
    "noframes",
    "template",
}
_QUOTES = ("gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix", "protonmail_quote")
_QUOTE_BEGINS = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container"}
"""The ids of elements after which Outlook puts everything that it quotes."""
_BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "hr", "pre"}
_BLOCKS |= {"blockquote", "section", "article", "header", "footer"}
_EMPTY = {"br", "hr", "img", "input", "meta", "link", "wbr", "area", "base", "col", "source"}
_NAME = re.compile(r"/?([a-zA-Z][^\s/>]{0,40})")
_QUOTING = re.compile("[\"'>]")
_ATTRIBUTE = re.compile(r"([^\s=>/\"']{1,40})\s{0,9}=\s{0,9}(\"[^\"]*\"|'[^']*'|[^\s>\"']+)")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(px|pt|em)?\s*(;|!|$)"
    r"|max-height\s*:\s*0(px)?\s*(;|!|$)|opacity\s*:\s*0(\.0+)?\s*(;|!|$)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"&#[0-9]{8,}|&#[xX][0-9a-fA-F]{8,}")
LONGEST_TAG = 4_000
"""The greatest length of the part of a tag that is examined, in characters."""
DEEPEST = 200
"""The depth up to which nested elements are told apart; deeper elements in a hidden element are hidden like it."""
_OUR_QUOTE = "> "


def text_of(html: str) -> str:
    """The text, one line for each block. Lines of a quote between other text begin with `> `."""
    reader = _Reader()
    for kind, found in _pieces(html):
        if kind == "text":
            reader.text(found)
        else:
            reader.tag(found)
    lines = "".join(reader.parts).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


def _pieces(html: str) -> Iterator[tuple[str, str]]:
    """Texts, and tags without their brackets; comments and anything unfinished are left out."""
    at, lowered = 0, html.lower()
    while at < len(html):
        begins = html.find("<", at)
        yield "text", html[at : begins if begins >= 0 else len(html)]
        if begins < 0:
            return
        at = begins + 1
        if html.startswith("!--", at):
            at = _after(html, "-->", at + 1)
        elif html[at : at + 1] in {"!", "?"}:
            at = _after(html, ">", at)
        elif name := _NAME.match(html, at):
            end = _end_of_tag(html, name.end())
            yield "tag", html[at : min(end, at + LONGEST_TAG)]
            at = end + 1
            if name[0].lower() in _RAW:
                closing = lowered.find(f"</{name[0].lower()}", at)
                at = closing if closing >= 0 else len(html)
        else:
            yield "text", "<"


def _after(html: str, end: str, at: int) -> int:
    found = html.find(end, at)
    return found + len(end) if found >= 0 else len(html)


def _end_of_tag(html: str, at: int) -> int:
    """The index of the end of a tag; a quote that is never closed does not count as one."""
    while True:
        found = _QUOTING.search(html, at)
        if found is None:
            return len(html)
        if found[0] == ">":
            return found.start()
        closing = html.find(found[0], found.end())
        at = closing + 1 if closing >= 0 else found.end()


class _Reader:
    """A collector of the texts that are shown, and of the texts that are quoted."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._open: list[str] = []
        """The open elements, from the hidden or quoted one on."""
        self._deeper = 0
        """The number of further open elements."""
        self._is_quote = self._over = False

    def tag(self, tag: str) -> None:
        """Handle the beginning or the end of an element."""
        match = _NAME.match(tag)
        name = match[1].lower() if match else ""
        if tag.startswith("/"):
            self._end(name)
        else:
            self._begin(name, tag)
        if name in _BLOCKS:
            self.parts.append("\n")

    def text(self, text: str) -> None:
        """Handle text between tags."""
        if not self._open and not self._over:
            self.parts.append(" ".join(unescape(_DIGITS.sub("", text)).split("\n")))

    def _begin(self, name: str, tag: str) -> None:
        given = {
            found[1].lower(): unescape(_DIGITS.sub("", found[2].strip("\"'")))
            for found in _ATTRIBUTE.finditer(tag)
        }
        self._over = self._over or given.get("id", "").lower() in _QUOTE_BEGINS
        quoted = name == "blockquote" or any(each in given.get("class", "") for each in _QUOTES)
        hidden = name in _SKIPPED or "hidden" in given or _HIDDEN.search(given.get("style", ""))
        if name in _EMPTY or (tag.endswith("/") and name not in _BLOCKS):
            return
        if len(self._open) >= DEEPEST:
            self._deeper += 1
        elif self._open:
            self._open.append(name)
        elif quoted or hidden:
            self._open.append(name)
            if quoted:
                self.parts.append(f"\n{_OUR_QUOTE}\n")

    def _end(self, name: str) -> None:
        """Handle the end of an element, which also ends unclosed elements inside it."""
        if self._deeper:
            self._deeper -= 1
        elif name in self._open:
            while self._open.pop() != name:
                pass
