"""Mails about tables whose game has not started: given up, left without wanting to, or an invitation declined."""

from __future__ import annotations

from typing import Any

from rules.kernel import Json
from service import invitations
from service.api.common import Tools
from service.mail import links
from service.mail.letter import Letter
from service.mail.note import note
from service.mail.readers import Reader, reachable
from service.mail.scene import page_of
from service.words import Phrases, phrases


def before_start(kit: Tools, row: Any) -> Letter | None:
    """What happened, and where to go on; the row says what its table was, which may have gone."""
    reader, what = reachable(row.player_id), row.data["what"]
    if reader is None:
        return None
    words = phrases(reader.language, row.data["ruleset"])
    said = {"name": reader.name, "game": words.say("name")}
    button = (words.say("page.to.lobby"), f"{kit.config.public_url}/")
    if what == "declined":
        more = _declined(reader, row.data["about"], words)
        if more is None:
            return None
        said |= more
        button = (words.say("letter.open"), page_of(kit.config, row.data["game"]))
    return note(
        reader.language,
        to=reader.address,
        subject=words.say(f"letter.before-start.{what}.subject", said),
        paragraphs=[words.say(f"letter.before-start.{what}", said)],
        button=button,
        thread=row.data["game"],
        stop=links.for_player(kit.config, row),
    )


def _declined(reader: Reader, invitation_id: str, words: Phrases) -> Json | None:
    """Who declined; None once the game has started. An address is told to nobody but who typed it."""
    found = invitations.find_declined(invitation_id)
    if found is None:
        return None
    typed = found.address if found.inviter_id == reader.player_id else None
    return {"whom": found.name or typed or words.say("letter.before-start.somebody")}
