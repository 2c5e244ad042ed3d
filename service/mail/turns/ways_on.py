"""Where the reader of a mail, or of a page behind one, can go from there: the rules, more time, vacation, settings."""

from __future__ import annotations

from typing import NamedTuple

from service.mail.game_for_reader import GameForReader
from service.views.ruleset_view import page_path


class Way(NamedTuple):
    """A link: its words and its address."""

    words: str
    url: str


def ways_on(game: GameForReader) -> list[Way]:
    """The links of somebody who sits at a table."""
    page, row = game.services.config.public_url, game.table.game
    rules = page + page_path(row.ruleset, row.version, game.answer.viewer.language)
    urls = {
        "rules": rules,
        "time": f"{game.url}?panel=time",
        "vacation": f"{page}/#/me/vacation",
        "mails": f"{page}/#/me/mails",
    }
    return [Way(game.words.say(f"mail.way.{name}"), url) for name, url in urls.items()]
