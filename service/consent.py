"""Consent: whatever the table has to agree on goes one way.

Somebody proposes; every other person at the table answers. One refusal, or 72 hours without an answer, is a refusal;
house players agree. When all have agreed, it is done in the commit of the last answer.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, insert, select, update

from rules.kernel import Json
from service import blocks, handover
from service.clock import DAY, HOUR, SECOND
from service.database import db, transaction
from service.log import States
from service.models import Game, Tenure
from service.models_clock import Proposal, Vote
from service.outside import Outside
from service.problems import (
    AlreadyProposed,
    AlreadySeated,
    HeldAnother,
    NotFound,
    NotPossible,
    NotRunning,
    NotSeated,
)
from service.table import Table, find
from service.tables import touch

PATIENCE = 72 * HOUR
"""Ms after which no answer is a refusal."""
LONGEST_PAUSE = 30 * DAY // SECOND
LONGEST_EXTENSION = 14 * DAY // SECOND
"""Seconds that one proposal can ask for."""


def propose(
    outside: Outside, states: States, game_id: str, player_id: str, wish: Json
) -> tuple[Table, str]:
    """Propose something to the table; the table and the proposal's id. Done at once if no other person is there.

    Raises NotFound, NotRunning, NotSeated, AlreadySeated, HeldAnother, NotPossible, AlreadyProposed.
    """
    with transaction():
        table = running(game_id)
        terms = _terms(table, player_id, wish)
        if any(_same(row, wish["kind"], terms) for row in open_proposals(table)):
            raise AlreadyProposed
        row = _insert(outside, table, player_id, wish["kind"], terms)
        return reconsider(outside, states, find(game_id)), row


def running(game_id: str) -> Table:
    """The locked table of a running game. Raises NotFound, NotRunning."""
    table = find(game_id, lock=True)
    if table.game.status != "running":
        raise NotRunning
    return table


def vote(
    outside: Outside, states: States, game_id: str, proposal_id: str, player_id: str, agrees: bool
) -> Table:
    """Answer a proposal; the last answer decides. Raises NotFound, NotRunning, NotSeated, NotPossible."""
    with transaction():
        table = running(game_id)
        voter = table.seated(player_id)
        proposal = _find(table, proposal_id)
        if proposal.status != "open" or proposal.player_id == player_id:
            raise NotPossible
        answer = {"proposal_key": proposal.key, "tenure_id": voter.tenure}
        mine = (Vote.proposal_key == proposal.key) & (Vote.tenure_id == voter.tenure)
        db.session.execute(delete(Vote).where(mine))
        db.session.execute(insert(Vote).values(answer | {"agrees": agrees, "at": outside.now()}))
        touch(table)
        return reconsider(outside, states, find(game_id))


def withdraw(outside: Outside, game_id: str, proposal_id: str, player_id: str) -> None:
    """Take back one's own proposal. Raises NotFound, NotRunning, NotPossible."""
    with transaction():
        table = running(game_id)
        proposal = _find(table, proposal_id)
        if proposal.status != "open" or proposal.player_id != player_id:
            raise NotPossible
        _end(outside, table, proposal, "withdrawn")


def reconsider(outside: Outside, states: States, table: Table) -> Table:
    """Do what everybody has agreed on, end what somebody refused. The caller owns lock and commit."""
    if not table.game.asking:
        return table
    for proposal in open_proposals(table):
        if table.game.status != "running":
            return table  # the end of the game ended the others
        votes = votes_on([proposal.key]).get(proposal.key, {})
        wanted = [votes.get(voter.tenure) for voter in voters(table, proposal)]
        if False in wanted:
            _end(outside, table, proposal, "refused")
        elif None not in wanted:
            _carry_out(outside, states, table, proposal)
        table = find(table.game.id)
    return table


def lapse(outside: Outside, game_id: str) -> bool:
    """End the proposals of a game that nobody answered in time; whether there were any."""
    with transaction():
        table = find(game_id, lock=True)
        late = [row for row in open_proposals(table) if row.due <= outside.now()]
        for proposal in late:
            _end(outside, table, proposal, "lapsed")
        return bool(late)


def late(now: int) -> list[str]:
    """The games with proposals that nobody answered in time."""
    query = select(Game.id).join(Proposal, Proposal.game_key == Game.key)
    found = query.where(Proposal.status == "open", Proposal.due <= now).distinct().limit(100)
    return list(db.session.scalars(found))


def voters(table: Table, proposal: Any) -> list[Any]:
    """The people who have to agree: all who sit there but who proposes."""
    return [
        person
        for person in table.people
        if person.player_id and person.player_id != proposal.player_id
    ]


def open_proposals(table: Table) -> list[Any]:
    """What the table is asked, oldest first."""
    return listed(table, Proposal.status == "open")


def listed(table: Table, *where: Any, most: int = 50) -> list[Any]:
    """The last proposals at a table, oldest first."""
    query = select(Proposal.__table__).where(Proposal.game_key == table.game.key, *where)
    return list(db.session.execute(query.order_by(Proposal.key.desc()).limit(most)))[::-1]


def votes_on(keys: list[int]) -> dict[int, dict[str, bool]]:
    """The answers to proposals, by tenure."""
    found: dict[int, dict[str, bool]] = {}
    for row in db.session.execute(select(Vote.__table__).where(Vote.proposal_key.in_(keys))):
        found.setdefault(row.proposal_key, {})[row.tenure_id] = row.agrees
    return found


def _terms(table: Table, player_id: str, wish: Json) -> Json:
    """What exactly is proposed. Raises what `propose` does."""
    kind = wish["kind"]
    if kind == "substitute":
        return _substitution(table, player_id, wish["seat"])
    own = table.seated(player_id)
    if (kind == "pause" and table.game.paused_at) or (
        kind == "resume" and not table.game.paused_at
    ):
        raise NotPossible
    if kind == "extend":
        seat = wish.get("seat", own.seat)
        if table.game.pace is None or not _holder(table, seat, house=False):
            raise NotPossible
        return {"seat": seat, "seconds": wish["seconds"]}
    return {name: wish[name] for name in ("seconds", "outcome") if name in wish}


def _substitution(table: Table, player_id: str, seat: int) -> Json:
    """A stranger for a house player: somebody who has held no other seat of this game."""
    if table.person(player_id):
        raise AlreadySeated
    elsewhere = select(func.count()).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.seat != seat
    )
    if db.session.scalar(elsewhere):
        raise HeldAnother
    if not _holder(table, seat, house=True) or blocks.unwanted(table, player_id):
        raise NotPossible
    return {"seat": seat}


def _holder(table: Table, seat: int, *, house: bool) -> Any | None:
    held = (person for person in table.people if person.seat == seat)
    return next((each for each in held if (each.player_id is None) == house), None)


def _same(row: Any, kind: str, terms: Json) -> bool:
    """Whether this is proposed already: one of a kind at a time, for each seat that it is about."""
    return bool(row.kind == kind and row.terms.get("seat") == terms.get("seat"))


def _insert(outside: Outside, table: Table, player_id: str, kind: str, terms: Json) -> str:
    now = outside.now()
    row = {
        "id": outside.new_id("q"),
        "game_key": table.game.key,
        "kind": kind,
        "player_id": player_id,
        "terms": terms,
        "status": "open",
        "made_at": now,
        "due": now + PATIENCE,
    }
    db.session.execute(insert(Proposal).values(row))
    _touch(table, 1)
    return str(row["id"])


def _find(table: Table, proposal_id: str) -> Any:
    query = select(Proposal.__table__).where(Proposal.id == proposal_id)
    found = db.session.execute(query.where(Proposal.game_key == table.game.key)).one_or_none()
    if found is None:
        raise NotFound
    return found


def _end(outside: Outside, table: Table, proposal: Any, status: str) -> None:
    query = update(Proposal).where(Proposal.key == proposal.key)
    db.session.execute(query.values(status=status, ended_at=outside.now()))
    _touch(table, -1)


def _touch(table: Table, more: int) -> None:
    changed = update(Game).where(Game.key == table.game.key)
    db.session.execute(changed.values(revision=Game.revision + 1, asking=Game.asking + more))


def _carry_out(outside: Outside, states: States, table: Table, proposal: Any) -> None:
    """Do it, if it is possible still."""
    try:
        _end(outside, table, proposal, "accepted")
        _terms(table, proposal.player_id, {"kind": proposal.kind, **proposal.terms})
    except (NotPossible, NotSeated, AlreadySeated, HeldAnother):
        query = update(Proposal).where(Proposal.key == proposal.key)
        db.session.execute(query.values(status="lapsed"))
        return
    table, terms = find(table.game.id), proposal.terms
    if proposal.kind == "pause":
        handover.pause(outside, states, table, terms["seconds"] * SECOND)
    elif proposal.kind == "resume":
        handover.resume(outside, states, table)
    elif proposal.kind == "extend":
        handover.extend(outside, states, table, terms["seat"], terms["seconds"])
    elif proposal.kind == "close":
        why = "agreed" if terms["outcome"] == "draw" else "abandoned"
        handover.close(outside, states, table, why)
    else:
        seat, who = terms["seat"], proposal.player_id
        handover.hand_over(outside, states, table, seat, who, "substitute")
