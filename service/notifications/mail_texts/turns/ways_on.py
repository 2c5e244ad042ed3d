"""Where the reader of a mail, or of a page behind one, can go from there: the rules, more time, vacation, settings."""

from __future__ import annotations

from typing import NamedTuple

from service.notifications.mail_texts.game_for_reader import GameForReader
from service.tables.views.rulesets.rules_page_view import page_path, sections


class Way(NamedTuple):
    """A link: its words and its address."""

    words: str
    url: str


def ways_on(game: GameForReader) -> list[Way]:
    """The links of somebody who sits at a table."""
    page = game.services.config.public_url
    urls = {
        "rules": page + _rules(game),
        "time": f"{game.url}?panel=time",
        "vacation": f"{page}/me/vacation",
        "mails": f"{page}/me/mails",
    }
    return [Way(game.words.say(f"mail.way.{name}"), url) for name, url in urls.items()]


def _rules(game: GameForReader) -> str:
    """The page of rules, at the section that explains the present phase."""
    row, language = game.table.game, game.answer.viewer.language
    view = game.body["view"]
    section = view and sections(row.ruleset, language, row.version).get(view["phase"])
    return page_path(row.ruleset, row.version, language) + (f"#{section}" if section else "")
