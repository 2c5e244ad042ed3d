"""Consent: whatever the table has to agree on goes one way.

Somebody proposes; every other person at the table answers. One refusal, or 72 hours without an answer, is a refusal;
house players agree. When all have agreed, it is done in the commit of the last answer. Nobody has to be here for it:
who has to answer is asked by mail, and the end is told in the same way.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, insert, select, update

from rules.kernel import Json
from service import blocks, handover, notices, people
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
    TooManyRequests,
)
from service.table import Table, find
from service.tables import touch

PATIENCE = 72 * HOUR
"""Ms after which no answer is a refusal."""
MOST_A_DAY = 10
"""Proposals of one person at one table within 24 hours: each may write to everybody there."""
LONGEST_PAUSE = 30 * DAY // SECOND
LONGEST_EXTENSION = 14 * DAY // SECOND
"""Seconds that one proposal can ask for."""


def propose(
    outside: Outside, states: States, game_id: str, player_id: str, wish: Json
) -> tuple[Table, str]:
    """Propose something to the table; the table and the proposal's id. Done at once if no other person is there.

    Raises NotFound, NotRunning, NotSeated, AlreadySeated, HeldAnother, NotPossible, AlreadyProposed, TooManyRequests.
    """
    with transaction():
        table = running(game_id)
        _not_too_often(table, player_id, outside.now())
        terms = _terms(table, player_id, wish)
        if any(_same(row, wish["kind"], terms) for row in open_proposals(table)):
            raise AlreadyProposed
        people.still_there(player_id)
        row = _insert(outside, table, player_id, wish["kind"], terms)
        table = find(game_id)
        proposal = _find(table, row)
        notices.asked(outside, table, proposal.key, voters(table, proposal))
        return reconsider(outside, states, table), row


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


def withdraw_all(outside: Outside, player_id: str) -> None:
    """Take back whatever somebody has proposed who goes for good. The caller holds those games and owns the commit."""
    whose = select(Proposal.__table__, Game.id.label("game_id")).join(
        Game, Game.key == Proposal.game_key
    )
    mine = whose.where(Proposal.player_id == player_id, Proposal.status == "open")
    for proposal in db.session.execute(mine).all():
        _end(outside, find(proposal.game_id), proposal, "withdrawn")


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
            against = [tenure for tenure, agrees in votes.items() if not agrees]
            notices.decided(outside, table, proposal, against)
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
            notices.decided(outside, table, proposal)
        return bool(late)


def ask_newcomer(outside: Outside, table: Table, player_id: str) -> None:
    """Somebody has just taken a seat: what the table is asked, this person is asked too. The caller owns the commit."""
    for proposal in open_proposals(table):
        own = [each for each in voters(table, proposal) if each.player_id == player_id]
        notices.asked(outside, table, proposal.key, own)


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


def _not_too_often(table: Table, player_id: str, now: int) -> None:
    mine = (Proposal.game_key == table.game.key) & (Proposal.player_id == player_id)
    query = select(Proposal.made_at).where(mine, Proposal.made_at > now - DAY)
    made = db.session.scalars(query.order_by(Proposal.key.desc()).limit(MOST_A_DAY)).all()
    others = any(each.player_id not in (None, player_id) for each in table.people)
    if others and len(made) == MOST_A_DAY:
        raise TooManyRequests({"Retry-After": str(1 + (made[-1] + DAY - now) // SECOND)})


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
    barred = left_for_good(table, player_id) or blocks.unwanted(table, player_id)
    if barred or not _holder(table, seat, house=True):
        raise NotPossible
    return {"seat": seat}


def left_for_good(table: Table, player_id: str) -> bool:
    """Whether this person has left the game and never takes the seat again."""
    gone = select(Tenure.id).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.why == "left"
    )
    return db.session.execute(gone.limit(1)).first() is not None


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
        notices.decided(outside, table, proposal)
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
        _let_in(outside, states, table, proposal)


def _let_in(outside: Outside, states: States, table: Table, proposal: Any) -> None:
    """Give the seat to the substitute, who may have gone away since asking for it."""
    seat, who = proposal.terms["seat"], proposal.player_id
    table = handover.hand_over(outside, states, table, seat, who, "substitute")
    others = [each.tenure for each in table.people if each.player_id != who]
    notices.decided(outside, table, proposal, others)
    ask_newcomer(outside, table, who)
