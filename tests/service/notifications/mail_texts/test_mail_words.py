"""The messages of drawings, mails and the pages behind their links: complete in both languages, none unused."""

from __future__ import annotations

import re

from service.core.settings.config import ROOT
from service.core.words.catalogues import SPOKEN_TO
from service.core.words.words import LANGUAGES, phrases

OURS = ("draw.", "mail.", "move.", "vote.")
FILES = [
    *sorted((ROOT / "service").rglob("*.py")),
    *sorted((ROOT / "service/notifications/mail_texts/templates").glob("*.*")),
    *sorted((ROOT / "service/web/page/templates").glob("*.html")),
    *sorted((ROOT / "service/tables/drawing").glob("*.html")),
]
SOURCES = "".join(path.read_text(encoding="utf-8") for path in FILES)
PATTERNS = [
    re.compile(re.sub(r"\\{[^{}]*\\}", r"[\\w-]+", re.escape(key)))
    for key in re.findall(r'f"((?:draw|mail|move|vote)\.[^"]*)"', SOURCES)
]


def ours(language: str) -> dict[str, str]:
    messages = phrases(language).messages
    return {key: text for key, text in messages.items() if key.startswith(OURS)}


def test_both_languages_have_the_same_messages() -> None:
    first, *others = map(ours, LANGUAGES)
    for other in others:
        assert first.keys() == other.keys()
        for key, text in first.items():
            fields = [sorted(re.findall(r"\{\w+\}", each)) for each in (text, other[key])]
            assert fields[0] == fields[1], key


def test_no_message_is_unused() -> None:
    unused = {
        key
        for key in (each.partition(SPOKEN_TO)[0] for each in ours("en"))
        if f'"{key}"' not in SOURCES and not any(each.fullmatch(key) for each in PATTERNS)
    }
    assert unused == set()
