"""Where the reader of a mail, or of a page behind one, can go from there: the rules, more time, vacation, settings."""

from __future__ import annotations

from service.notifications.mail_texts.game_for_reader import GameForReader, Link
from service.tables.views.rulesets.rules_page_view import page_path, sections


def ways_on(game: GameForReader) -> list[Link]:
    """The links of somebody who sits at a table; that to the rules leads to what explains the present phase."""
    page, row = game.services.config.public_url, game.table.game
    view, language = game.body["view"], game.answer.viewer.language
    section = view and sections(row.ruleset, language, row.version).get(view["phase"])
    rules = page_path(row.ruleset, row.version, language) + (f"#{section}" if section else "")
    urls = {
        "rules": page + rules,
        "time": f"{game.url}?panel=time",
        "vacation": f"{page}/me/vacation",
        "mails": f"{page}/me/mails",
    }
    return [Link(game.words.say(f"mail.way.{name}"), url) for name, url in urls.items()]
