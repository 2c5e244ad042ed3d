"""Proposals: everything that needs the consent of a table.

One person proposes; every other person at the table votes. One vote against it, or 72 hours without a vote, rejects it;
house players agree. When everybody has agreed, it is carried out in the commit of the last vote. Nobody has to be
online for this: the voters are asked by email, and the outcome is mailed to them too.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update

from rules.kernel import Json
from service.core.database.database import Moment, changed_rows, db, rows, transaction
from service.core.database.tables import AHEAD
from service.core.models.games import Game, Tenure
from service.core.models.proposals import Proposal, ProposalStatus, Vote
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import (
    AlreadyProposed,
    AlreadySeated,
    HeldAnother,
    NotForGuests,
    NotFound,
    NotPossible,
    NotRunning,
    Problem,
    TooManyRequests,
)
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, HOUR, SECOND
from service.log import changes
from service.log.table_rows import removals
from service.log.table_rows.table import Person, Table, at_table, find, raise_revision
from service.outbox.causes import announcements
from service.people import names, players
from service.people.accounts import accounts
from service.people.circles import blocks
from service.tables.play import service_events, take_back
from service.tables.services import Services

LONGEST_PAUSE = 30 * DAY // SECOND
"""The longest pause that can be proposed, in seconds."""
LONGEST_EXTENSION = 14 * DAY // SECOND
"""The longest extension that can be proposed, in seconds."""
VOTING_TIME = 72 * HOUR
"""How long (ms) people can vote. After that, a proposal with missing votes is rejected."""
MOST_A_DAY = 10
"""The most proposals of one person at one table within 24 hours, because each of them may mail everybody there."""
MOST_LISTED = 50
"""The most proposals of a table that are shown."""


def propose(services: Services, game_id: str, player_id: str, wish: Json) -> Table:
    """Propose something to the table, and return the table. Without other people, the proposal is carried out at once.

    Raises NotFound, NotRunning, NotSeated, AlreadySeated, HeldAnother, NameTaken, NotForGuests, NotPossible,
    AlreadyProposed, TooManyRequests.
    """
    with transaction():
        table = running(game_id)
        players.prevent_erasure(player_id)
        _not_too_often(table, player_id, services.now())
        terms = terms_of(table, player_id, wish)
        if wish["kind"] == "takeback":
            _refuse_unwanted(table, player_id)
        # For each kind and each seat, at most one proposal is open at a time.
        alike = wish["kind"], terms.get("seat")
        if alike in [(row.kind, row.terms.get("seat")) for row in open_proposals(table)]:
            raise AlreadyProposed
        proposal = _insert(services, table, player_id, wish["kind"], terms)
        announcements.proposal_opened(services, table, proposal.key, voters(table, proposal))
        return reconsider(services, find(game_id))


def _refuse_unwanted(table: Table, player_id: str) -> None:
    """Raise NotPossible if somebody at the table never wants to be asked for a take-back."""
    if any(each.no_take_backs for each in table.people if each.player_id != player_id):
        raise NotPossible("never-asked")


def running(game_id: str) -> Table:
    """The locked table of a running game, where people may agree on something. Raises NotFound, NotRunning.

    Raises NotPossible in a lesson or a daily deal, where there is nobody to agree with.
    """
    table = find(game_id, lock=True)
    if table.game.status != "running":
        raise NotRunning
    if table.game.alone:
        raise NotPossible(table.game.alone)
    return table


def vote(services: Services, game_id: str, proposal_id: str, player_id: str, agrees: bool) -> Table:
    """Vote on a proposal, and return the table; the last vote decides. Raises NotFound, NotRunning, NotSeated,
    NotPossible.
    """
    with transaction():
        table = running(game_id)
        voter = table.seated(player_id)
        proposal = find_proposal(table, proposal_id)
        if proposal.status != "open":
            raise NotPossible("decided")
        if proposal.player_id == player_id:
            raise NotPossible("own-proposal")
        answer = {"proposal_key": proposal.key, "tenure_id": voter.tenure}
        mine = (Vote.proposal_key == proposal.key) & (Vote.tenure_id == voter.tenure)
        db.session.execute(delete(Vote).where(mine))
        db.session.execute(insert(Vote).values(answer | {"agrees": agrees, "at": services.now()}))
        raise_revision(services, table, "proposal")
        return reconsider(services, find(game_id))


def withdraw(runtime: Runtime, game_id: str, proposal_id: str, player_id: str) -> None:
    """Withdraw a proposal of the player. Raises NotFound, NotRunning, NotPossible."""
    with transaction():
        table = running(game_id)
        proposal = find_proposal(table, proposal_id)
        if proposal.status != "open":
            raise NotPossible("decided")
        if proposal.player_id != player_id:
            raise NotPossible("not-your-proposal")
        _end(runtime, table, proposal, "withdrawn")


def withdraw_all(runtime: Runtime, player_id: str) -> None:
    """Withdraw all proposals of a person who is leaving. The caller has locked the games and owns the commit."""
    games = select(Game.id).join(Proposal, Proposal.game_key == Game.key)
    own = Proposal.player_id == player_id
    found = games.where(own, Proposal.status == "open").distinct().order_by(Game.id)
    for table in map(find, db.session.scalars(found).all()):
        for proposal in listed(table, own, Proposal.status == "open"):
            _end(runtime, table, proposal, "withdrawn")


def reconsider(services: Services, table: Table) -> Table:
    """Carry out proposals to which everybody has agreed, end those that somebody rejected, and return the table. The
    caller owns the lock and the commit.
    """
    if not table.game.asking:
        return table
    for proposal in open_proposals(table):
        if table.game.status != "running":
            return table  # the end of the game has ended the other proposals
        votes = votes_on([proposal.key]).get(proposal.key, {})
        wanted = [votes.get(voter.tenure) for voter in voters(table, proposal)]
        if False in wanted:
            _end(services, table, proposal, "refused")
            against = [tenure for tenure, agrees in votes.items() if not agrees]
            announcements.proposal_ended(services, table, proposal, against)
        elif None not in wanted:
            _carry_out(services, table, proposal)
        table = find(table.game.id)
    return table


def lapse(runtime: Runtime, game_id: str) -> bool:
    """End the proposals of a game on which not everybody voted in time; returns whether there were any."""
    with transaction():
        table = find(game_id, lock=True)
        late = [row for row in open_proposals(table) if row.due <= runtime.now()]
        for proposal in late:
            _end(runtime, table, proposal, "lapsed")
            announcements.proposal_ended(runtime, table, proposal)
        return bool(late)


def ask_newcomer(runtime: Runtime, table: Table, player_id: str) -> None:
    """Ask somebody who has just taken a seat to vote on the open proposals. The caller owns the commit."""
    for proposal in open_proposals(table):
        own = [each for each in voters(table, proposal) if each.player_id == player_id]
        announcements.proposal_opened(runtime, table, proposal.key, own)


def _not_too_often(table: Table, player_id: str, now: int) -> None:
    mine = (Proposal.game_key == table.game.key) & (Proposal.player_id == player_id)
    query = select(Proposal.made_at).where(mine, Proposal.made_at > now - DAY)
    made = db.session.scalars(query.order_by(Proposal.key.desc()).limit(MOST_A_DAY)).all()
    others = any(each.player_id not in (None, player_id) for each in table.people)
    if others and len(made) == MOST_A_DAY:
        raise TooManyRequests({"Retry-After": str(1 + (made[-1] + DAY - now) // SECOND)})


def _insert(runtime: Runtime, table: Table, player_id: str, kind: str, terms: Json) -> Proposal:
    now = runtime.now()
    row: Json = {
        "id": runtime.new_id("q"),
        "game_key": table.game.key,
        "kind": kind,
        "player_id": player_id,
        "terms": terms,
        "status": "open",
        "made_at": now,
        "due": now + VOTING_TIME,
    }
    db.session.execute(insert(Proposal).values(row))
    raise_revision(runtime, table, "proposal", asking=Game.asking + 1)
    return find_proposal(table, row["id"])


def _end(runtime: Runtime, table: Table, proposal: Proposal, status: ProposalStatus) -> None:
    query = update(Proposal).where(Proposal.key == proposal.key)
    db.session.execute(query.values(status=status, ended_at=runtime.now()))
    table = raise_revision(runtime, table, "proposal", asking=Game.asking - 1)
    if proposal.kind == "substitute":  # the proposer has no seat yet
        changes.note_for("proposal", at_table(runtime, table), [proposal.player_id])


def _carry_out(services: Services, table: Table, proposal: Proposal) -> None:
    """Carry out a proposal, or let it lapse if the table no longer allows it; returns the table."""
    proposer = proposal.player_id
    assert proposer is not None, "the proposals of an erased person are withdrawn"
    try:
        terms_of(table, proposer, {"kind": proposal.kind, **proposal.terms})
    except Problem:
        _end(services, table, proposal, "lapsed")
        announcements.proposal_ended(services, table, proposal)
        return
    _end(services, table, proposal, "accepted")
    table, terms = find(table.game.id), proposal.terms
    if proposal.kind == "pause":
        service_events.pause(services, table, terms["seconds"] * SECOND)
    elif proposal.kind == "resume":
        service_events.resume(services, table)
    elif proposal.kind == "extend":
        service_events.extend(services, table, terms["seat"], terms["seconds"])
    elif proposal.kind == "close":
        is_draw = terms["outcome"] == "draw"
        service_events.close(services, table, "agreed" if is_draw else "abandoned")
    elif proposal.kind == "takeback":
        holder = table.holders[terms["seat"]]
        take_back.undo(services, table, holder, take_back.wished(table, holder, terms["event"]))
    else:
        seat = terms["seat"]
        table = service_events.hand_over(services, table, seat, proposer, "substitute")
        others = [each.tenure for each in table.people if each.player_id != proposer]
        # Only the substitute is mailed, who may be offline.
        announcements.proposal_ended(services, table, proposal, others)
        ask_newcomer(services, table, proposer)


def terms_of(table: Table, player_id: str, wish: Json) -> Json:
    """The columns of a new proposal that depend on its kind.

    Raises NotSeated, NotForGuests, AlreadySeated, HeldAnother, KeptApart, NameTaken, and NotPossible for a proposal
    that makes no sense at this table now.
    """
    kind = wish["kind"]
    if kind == "substitute":
        return _substitution(table, player_id, wish["seat"], anyway=wish.get("anyway", False))
    own = table.holding(player_id)
    if kind == "takeback":
        if take_back.wished(table, own, wish["event"]).is_free:
            raise NotPossible("not-to-be-asked")
        return {"seat": own.seat, "event": wish["event"]}
    if kind == "pause" and table.game.paused_at:
        raise NotPossible("paused")
    if kind == "pause" and table.game.live:
        raise NotPossible("live")
    if kind == "resume" and not table.game.paused_at:
        raise NotPossible("not-paused")
    if kind == "extend":
        seat = wish.get("seat", own.seat)
        if table.game.pace is None:
            raise NotPossible("no-clock")
        if not _is_held(table, seat, house=False):
            raise NotPossible("no-person-there")
        return {"seat": seat, "seconds": wish["seconds"]}
    return {name: wish[name] for name in ("seconds", "outcome") if name in wish}


def _substitution(table: Table, player_id: str, seat: int, *, anyway: bool) -> Json:
    """The terms for a newcomer who replaces a house player. Raises AlreadySeated, HeldAnother, NotForGuests,
    NotPossible, KeptApart, NameTaken.
    """
    if table.person(player_id):
        raise AlreadySeated
    elsewhere = select(func.count()).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.seat != seat
    )
    if db.session.scalar(elsewhere):
        raise HeldAnother
    left = select(Tenure.id).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.why == "left"
    )
    barred = (
        db.session.execute(left.limit(1)).first() is not None
        or blocks.host_has_blocked(table, player_id)
        or removals.is_shut_out(table, player_id)
    )
    if barred or not _is_held(table, seat, house=True):
        raise NotPossible("not-to-be-taken-over")  # a blocked person is not told of the block
    if accounts.address_of(player_id) is None and any(each.player_id for each in table.people):
        raise NotForGuests  # the proposal is mailed to everybody at the table
    if not anyway:
        blocks.refuse_beside(table, player_id)
    names.refuse_taken(table, player_id, players.get(player_id).name)
    return {"seat": seat}


def _is_held(table: Table, seat: int, *, house: bool) -> bool:
    """Whether the seat exists, and whether a house player (or else a person) holds it."""
    held = (holder for holder in table.holders if holder.seat == seat)
    return any((holder.player_id is None) == house for holder in held)


def find_proposal(table: Table, proposal_id: str) -> Proposal:
    """The proposal with this id at this table. Raises NotFound."""
    found = listed(table, Proposal.id == proposal_id)
    if not found:
        raise NotFound
    return found[0]


def open_proposals(table: Table) -> list[Proposal]:
    """The open proposals at a table, oldest first."""
    return listed(table, Proposal.status == "open")


def listed(table: Table, *where: ColumnElement[bool]) -> list[Proposal]:
    """The latest proposals at a table that fit `where`, at most `MOST_LISTED` of them, oldest first."""
    query = select(Proposal.__table__).where(*where)
    query = query.where(Proposal.game_key == table.game.key)
    return rows(Proposal.of, query.order_by(Proposal.key.desc()).limit(MOST_LISTED))[::-1]


def votes_on(keys: list[int]) -> dict[int, dict[str, bool]]:
    """The votes on each proposal, by its key and then by tenure; true means agreement."""
    found: dict[int, dict[str, bool]] = {key: {} for key in keys}
    query = select(Vote.proposal_key, Vote.tenure_id, Vote.agrees).where(
        Vote.proposal_key.in_(keys)
    )
    for key, tenure_id, agrees in db.session.execute(query):
        found[key][tenure_id] = agrees
    return found


def voters(table: Table, proposal: Proposal) -> list[Person]:
    """The people who have to agree: everybody at the table except the proposer."""
    return [each for each in table.people if each.player_id not in (None, proposal.player_id)]


def overdue_games(now: Moment) -> Select[str]:
    """The query for the ids of games with proposals on which not everybody voted in time."""
    query = select(Game.id).join(Proposal, Proposal.game_key == Game.key)
    return query.where(Proposal.status == "open", Proposal.due <= now).distinct()


def exported(player_id: str) -> list[Json]:
    """The player's proposals."""
    query = (
        select(Game.id.label("game"), Proposal.kind, Proposal.status, Proposal.made_at.label("at"))
        .join(Proposal, Proposal.game_key == Game.key)
        .where(Proposal.player_id == player_id)
    )
    return exported_rows(query.order_by(Proposal.key))


def exported_votes(player_id: str) -> list[Json]:
    """The player's votes on proposals of others, for the export."""
    query = (
        select(Game.id.label("game"), Proposal.kind, Vote.agrees, Vote.at)
        .join(Proposal, Proposal.game_key == Game.key)
        .join(Vote, Vote.proposal_key == Proposal.key)
        .join(Tenure, Tenure.id == Vote.tenure_id)
        .where(Tenure.player_id == player_id)
    )
    return exported_rows(query.order_by(Proposal.key))


def set_back(now: int) -> dict[str, int]:
    """After a wrong clock, limit the time of proposals to the usual one; returns the number of changed proposals, by
    name.

    The caller owns the commit.
    """
    most = now + VOTING_TIME
    far = update(Proposal).where(Proposal.status == "open", Proposal.due > most + AHEAD)
    number = changed_rows(far.values(due=most))
    return {"proposals.due": number} if number else {}


def erase(player_id: str) -> None:
    """Remove the player from their proposals, which stay. The caller owns the commit."""
    mine = update(Proposal).where(Proposal.player_id == player_id)
    db.session.execute(mine.values(player_id=None))
