"""Invitations by mail: to an address that somebody gave, and to people with whom somebody wants to play again."""

from __future__ import annotations

from typing import Any

from rules.kernel import Json
from service import accounts, blocks, invitations, people
from service.api.common import Tools
from service.mail import links
from service.mail.letter import Letter
from service.mail.paper import written
from service.mail.readers import reachable
from service.mail.scene import page_of
from service.rulesets import summary
from service.table import find, invitation
from service.words import phrases


def stands(_kit: Tools, row: Any) -> bool:
    """Whether the invitation has been neither declined nor taken back, and the game has not started."""
    return invitations.find_one(row.data["invitation"]) is not None


def invite(kit: Tools, row: Any) -> Letter | None:
    """From the player `row.player_id` to `row.address`; a registered reader's own language and blocks count."""
    account = accounts.by_who(row.address)
    if account is not None and blocks.has_blocked(account.player_id, row.player_id):
        return None
    reader = account and people.find(account.player_id)
    language = reader.language if reader else row.data["language"]
    stop = {"stop": links.for_address(kit.config, row.address), "given": True}
    return _letter(kit, row, row.address, language, stop)


def offer(kit: Tools, row: Any) -> Letter | None:
    """To the player `row.player_id`, for whom a place is kept."""
    reader = reachable(row.player_id)
    if reader is None:
        return None
    stop = {"stop": links.for_player(kit.config, row), "given": False}
    return _letter(kit, row, reader.address, reader.language, stop)


def _letter(kit: Tools, row: Any, to: str, language: str, stop: Json) -> Letter | None:
    found, config = invitations.find_one(row.data["invitation"]), kit.config
    if found is None:
        return None
    table = find(row.data["game"])
    if table.full:
        return None
    words, told_of = phrases(language, table.game.ruleset), summary(table.game.ruleset, language)
    sender = people.find(found.inviter_id).name
    said = {"name": sender, "game": told_of["name"]}
    kind = "invitation" if stop["given"] else "offer"
    key = (
        f"?invitation={invitation(table.game.id, config.secret_key)}" if table.game.private else ""
    )
    subject = words.say(f"letter.{kind}.subject", said)
    text, html = written(
        "invitation",
        words,
        language=language,
        subject=subject,
        intro=words.say(f"letter.{kind}.intro", said),
        summary=told_of["summary"],
        url=page_of(config, table.game.id) + key,
        decline=invitations.link(config, found.id),
        rules=f"{config.public_url}/rules/{table.game.ruleset}?lang={language}",
        sender=sender,
        **stop,
    )
    return Letter(to, subject, text, html, table.game.id)
