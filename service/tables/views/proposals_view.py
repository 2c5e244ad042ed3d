"""Proposals, as viewers see them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.people import Player
from service.core.models.proposals import Proposal
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.core.words.words import YOU, Phrases, Reader, You, duration
from service.log.table_rows.table import Table
from service.people.names import harmless
from service.tables.play import proposals


def worded(
    table: Table,
    found: Sequence[Proposal],
    words: Phrases,
    reader: Reader,
    player_id: str | None,
    *,
    by_mail: bool = False,
    briefly: bool = False,
) -> list[Json]:
    """Proposals as a viewer sees them (Proposal in openapi.yaml); `briefly` leaves out members that follow from the
    others.
    """
    votes = proposals.votes_on([row.key for row in found])
    people = {row.player_id for row in found if row.player_id}
    called = select(Player.id, Player.name).where(Player.id.in_(people))
    proposers: dict[str | None, str | You | None] = {
        row.id: harmless(row.name) if by_mail else row.name for row in db.session.execute(called)
    }
    if player_id is not None and player_id in proposers:
        proposers[player_id] = YOU

    def said(row: Proposal, proposed: str) -> str:
        is_brief = briefly or row.kind != "pause"
        return proposed if is_brief else words.say("proposal.meanwhile", {"words": proposed})

    return [
        _proposal(table, row, votes.get(row.key, {}), player_id)
        | {"words": said(row, _words(row, proposers.get(row.player_id), words, reader))}
        for row in found
    ]


def _proposal(table: Table, row: Proposal, votes: dict[str, bool], player_id: str | None) -> Json:
    proposer = table.person(row.player_id)
    asked = proposals.voters(table, row) if row.status == "open" else []
    answered = {person.seat: votes[person.tenure] for person in asked if person.tenure in votes}
    missing = [person for person in asked if person.tenure not in votes]
    return {
        "id": row.id,
        "kind": row.kind,
        "by": proposer.seat if proposer else None,
        "yours": row.player_id is not None and row.player_id == player_id,
        "status": row.status,
        "seat": row.terms.get("seat"),
        "seconds": row.terms.get("seconds"),
        "outcome": row.terms.get("outcome"),
        "made_at": rfc3339(row.made_at),
        "due": rfc3339(row.due),
        "ended_at": row.ended_at and rfc3339(row.ended_at),
        "votes": [{"seat": seat, "agrees": agrees} for seat, agrees in answered.items()],
        "missing": [person.seat for person in missing],
        "asks_you": any(person.player_id == player_id for person in missing),
    }


def _words(row: Proposal, name: str | You | None, words: Phrases, reader: Reader) -> str:
    terms = row.terms
    if row.kind == "substitute" and row.status != "open":  # somebody else may sit there now
        reader = Reader([words.say("house.some")] * len(reader.names))
    key = f"proposal.{row.kind}" + (f".{terms['outcome']}" if "outcome" in terms else "")
    fields = {
        "name": name or words.say("person.gone"),
        "seat": terms.get("seat", 0),
        "time": duration(terms.get("seconds", 0) * SECOND, words),
    }
    return words.say(key, fields, reader)
