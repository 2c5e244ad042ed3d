"""Mails about what the table has to agree on: the question with a link for each answer, and what became of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, exists, select

from service import consent, times, votes
from service.api.common import Tools
from service.database import db
from service.mail import links
from service.mail.letter import Letter
from service.mail.paper import written
from service.mail.readers import moment
from service.mail.scene import Scene, scene
from service.models import Tenure
from service.models_clock import Proposal, Vote

_WAITS = select(Proposal.key).where(
    Proposal.key == bindparam("proposal"),
    Proposal.status == "open",
    exists().where(Tenure.id == bindparam("tenure"), Tenure.ended_at.is_(None)),
    ~exists().where(Vote.proposal_key == Proposal.key, Vote.tenure_id == bindparam("tenure")),
)


def unanswered(_kit: Tools, row: Any) -> bool:
    """Whether the table is still asked this, and this tenure has not answered."""
    asked = {"proposal": row.number, "tenure": row.tenure_id}
    return db.session.execute(_WAITS, asked).first() is not None


def proposal(kit: Tools, row: Any) -> Letter | None:
    """Something is proposed, and the reader has to answer."""
    found = scene(kit, row)
    if found is None or found[0].answer.me is None:
        return None
    shown, reader = found
    table, me = shown.table, shown.answer.me
    asked = consent.listed(table, Proposal.key == row.number)[0]
    subject = shown.say("letter.proposal.subject")
    text, html = written(
        "proposal",
        shown.words,
        language=reader.language,
        subject=subject,
        intro=shown.say("letter.proposal.intro", name=reader.name),
        proposal=_words(shown, asked),
        due=moment(asked.due, reader.zone, shown.words),
        url=shown.url,
        agree=votes.link(kit.config, table, me, asked, "agree"),
        refuse=votes.link(kit.config, table, me, asked, "refuse"),
        stop=links.for_player(kit.config, row),
    )
    return Letter(reader.address, subject, text, html, table.game.id)


def outcome(shown: Scene, proposal_key: int) -> list[str]:
    """What was proposed, and what became of it."""
    asked = consent.listed(shown.table, Proposal.key == proposal_key)[0]
    said = {"words": _words(shown, asked)}
    return [
        shown.words.say("letter.told.proposal", said),
        shown.words.say(f"vote.{asked.status}.detail"),
    ]


def _words(shown: Scene, asked: Any) -> str:
    """What is proposed, as the page says it."""
    answer = shown.answer
    told = times.told(shown.table, [asked], shown.words, answer.names, answer.viewer.player_id)
    return str(told[0]["words"])
