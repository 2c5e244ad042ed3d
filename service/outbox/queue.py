"""The queue of emails: rows that are written in the commit of their cause and sent afterwards.

A sender claims a due row for a limited time (its lease) with a guarded UPDATE, so several senders can share the queue;
`attempts` distinguishes one claim from the next. If a sender dies, its lease expires and the row is due again.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, Protocol

from sqlalchemy import ColumnElement, Update, bindparam, case, delete, func, or_, select, update

from rules.kernel import Json
from service.core.database.database import (
    UNLESS_THERE,
    changed_rows,
    columns,
    db,
    delete_some,
    one_row,
    rows,
    transaction,
    write,
    write_rows,
)
from service.core.models.mail import MailOutcome, Outbox, OutboxRow, SentMail
from service.core.models.people import Account
from service.core.models.receivers import has_browser
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE

LEASE = MINUTE
"""The length of a claim (ms): longer than a mail server can take up to the last look at an email, which renews it."""
LONGEST_CLAIM = 2 * LEASE
"""The longest time (ms) for which an email is being sent: a claim and its renewal."""
MAILS_KEPT = 30 * DAY
"""The time (ms) for which sent emails are kept on record, with their recipients and outcomes."""
KEY_MAILS_KEPT = DAY
"""The time (ms) for which emails that can be requested without signing in are kept: their rows contain typed text."""
KEY_MAILS = ("sign-in", "reset")
SENT_TO_OTHERS = ("invitation",)
"""The kinds of emails that players send to others. Their senders must not learn whether they were delivered."""
OF_MANY_GAMES = ("digest", "standings")
"""The kinds of emails about games that belong to no single one."""

_outbox = Outbox.metadata.tables["outbox"]
_account = Account.metadata.tables["accounts"]
_ROW = select(*columns(OutboxRow, _outbox))
_DUE = (
    (_outbox.c.done_at.is_(None))
    & (_outbox.c.run_at <= bindparam("now"))
    & (_outbox.c.lease_until <= bindparam("now"))
)
DUE = select(_outbox.c.id).where(_DUE)
"""The query for the rows that can be claimed at the time `now`."""
_NEXT = _ROW.where(_DUE).order_by(_outbox.c.run_at, _outbox.c.id).limit(20)
_NEXT_TO_PUSH = _NEXT.where(_outbox.c.pushed_at.is_(None), has_browser(_outbox.c.player_id))

MOST_NEWS = 20
"""The largest number of pieces of news in one email. If there are more, the earliest are only on the page."""
_NEWS = "news"


class SeatedPlayer(Protocol):
    """A player at a table, as a tenure."""

    @property
    def tenure(self) -> str:
        """The id of the tenure."""

    @property
    def player_id(self) -> str | None:
        """The id of the player; None for a house player."""


def put(
    runtime: Runtime,
    kind: str,
    key: str,
    *,
    run_at: int | None = None,
    player_id: str | None = None,
    address: str | None = None,
    game_key: int | None = None,
    tenure_id: str | None = None,
    number: int | None = None,
    data: Json | None = None,
) -> None:
    """Queue an email in the caller's transaction, due at `run_at` (ms UTC) or at once.

    Does nothing if `key` was used before. The contents of the email are looked up when it is sent; `data` is for what
    no other table holds.
    """
    at = runtime.now() if run_at is None else run_at
    row: Json = {"kind": kind, "key": key, "run_at": at, "number": number, "data": data}
    row |= {"player_id": player_id, "game_key": game_key, "tenure_id": tenure_id}
    put_rows(runtime, [{**row, "address": address}])


def put_rows(runtime: Runtime, mails: Sequence[Json]) -> None:
    """Queue emails like `put`, all in one statement; all of them need to have the same columns."""
    if not mails:
        return
    same = {"cause": runtime.cause(), "created_at": runtime.now(), "lease_until": 0, "attempts": 0}
    write_rows(_outbox, [{**mail, **same} for mail in mails], UNLESS_THERE)


def row_at_table(
    kind: str, game_key: int, person: SeatedPlayer, number: int, *, run_at: int, unique: str = ""
) -> Json:
    """A row for `put_rows`: an email to a person at a table about question, event or proposal `number`.

    It is sent once for each person and number, or for each `unique` if that is given.
    """
    return {
        "kind": kind,
        "key": f"{kind} {person.tenure} {unique or number}",
        "run_at": run_at,
        "player_id": person.player_id,
        "game_key": game_key,
        "tenure_id": person.tenure,
        "number": number,
    }


def put_news(
    runtime: Runtime,
    key: str,
    game_key: int,
    person: tuple[str, str | None],
    news: Json,
    *,
    run_at: int,
) -> None:
    """Queue a piece of news from a table for a person (a tenure and a player). Does nothing if `key` was used before.

    Until the email is sent, further news from the table joins it without delaying it.
    """
    if db.session.scalar(select(_outbox.c.id).where(_outbox.c.key == key)):
        return
    player_id, tenure_id = person
    same = (_outbox.c.player_id == player_id) & (_outbox.c.game_key == game_key)
    joined = same & (_outbox.c.about == _NEWS)
    waiting = rows(OutboxRow, _ROW.where(joined, _outbox.c.done_at.is_(None)))
    before = [each for row in waiting for each in row.details["news"]]
    cancel(runtime, joined)
    first = min([run_at, *(row.run_at for row in waiting)])
    mail: Json = {"kind": "told", "key": key, "run_at": first, "about": _NEWS}
    mail |= {"player_id": player_id, "game_key": game_key, "tenure_id": tenure_id}
    put_rows(runtime, [{**mail, "data": {"news": [*before, news][-MOST_NEWS:]}}])


def cancel(runtime: Runtime, *conditions: ColumnElement[bool]) -> int:
    """Cancel, in the caller's transaction, the unsent emails that meet all conditions; return their number.

    An example: `cancel(runtime, Outbox.tenure_id == tenure, Outbox.kind == "turn")`. An email whose SMTP transaction
    has begun is still stopped, unless its text has been sent.
    """
    values = {"done_at": runtime.now(), "outcome": "cancelled", "cause": None}
    unsent = update(_outbox).where(_outbox.c.done_at.is_(None), *conditions)
    return changed_rows(unsent, values)


def cancel_outdated(runtime: Runtime, turns: Collection[str], reminders: Collection[str]) -> None:
    """Cancel unsent emails about turns to the tenures `turns`, and reminders to the tenures `reminders`."""
    if turns or reminders:
        parts = {"turn": turns, "reminder": reminders}
        values = {f"{kind}_{n}": of for kind, some in parts.items() for n, of in enumerate(some)}
        write(_cancel_outdated(len(turns), len(reminders)), {**values, "now": runtime.now()})


@functools.cache  # one for each number of seats that a game can have
def _cancel_outdated(turns: int, reminders: int) -> Update:
    """The UPDATE that cancels emails to these numbers of tenures."""
    tenures: list[Any] = [bindparam(f"turn_{n}") for n in range(turns)]
    tenures += [bindparam(f"reminder_{n}") for n in range(reminders)]
    of, parts = _outbox.c.tenure_id, {"turn": tenures[:turns], "reminder": tenures[turns:]}
    kinds = ((_outbox.c.kind == kind) & of.in_(some) for kind, some in parts.items() if some)
    unsent = update(_outbox).where(_outbox.c.done_at.is_(None), of.in_(tenures), or_(*kinds))
    cancelled: Json = {"done_at": bindparam("now"), "outcome": "cancelled", "cause": None}
    return unsent.values(cancelled)


def due(now: int, busy: Collection[str] = ()) -> list[OutboxRow]:
    """The first rows that can be claimed, the longest overdue first, without rows for a domain in `busy`."""
    if not busy:
        return rows(OutboxRow, _NEXT, {"now": now})
    of_player = _account.c.player_id == _outbox.c.player_id
    to = func.lower(func.coalesce(_outbox.c.address, _account.c.address, ""))
    others = (~to.endswith(f"@{domain}", autoescape=True) for domain in busy)
    query = _NEXT.outerjoin_from(_outbox, _account, of_player).where(*others)
    return rows(OutboxRow, query, {"now": now})


def domain_of(row: OutboxRow) -> str:
    """The domain to which an email goes, in lower case.

    It is empty if the row does not name it; a query cannot leave the row out then.
    """
    query = select(_account.c.address).where(_account.c.player_id == row.player_id)
    address = row.address or db.session.scalar(query) or ""
    return address.rpartition("@")[2].lower()


def find(row_id: int | None) -> OutboxRow | None:
    """The row with this id; None if there is none, or if the email was cancelled."""
    called_off = _outbox.c.outcome.is_not_distinct_from("cancelled")
    return one_row(OutboxRow, _ROW.where(_outbox.c.id == row_id, ~called_off))


def due_in_browsers(now: int) -> list[OutboxRow]:
    """The first rows that have not been handed to the browsers of their players."""
    return rows(OutboxRow, _NEXT_TO_PUSH, {"now": now})


def waiting(now: int) -> tuple[int, int | None]:
    """The number of due emails, and the time when the first was due (ms UTC; None if there are none).

    Emails that wait for another try do not count.
    """
    held = _outbox.c.lease_until > _outbox.c.run_at
    since = func.min(case((held, _outbox.c.lease_until), else_=_outbox.c.run_at))
    number, first = db.session.execute(select(func.count(), since).where(_DUE), {"now": now}).one()
    return number, first


def claim(row: OutboxRow, now: int, lease: int = LEASE) -> OutboxRow | None:
    """Claim a row for `lease` ms and return it; None if another sender was first or the email was cancelled.

    If somebody else has locked the row, this does not wait for it: the next email is sent meanwhile.
    """
    unheld = select(_outbox.c.id).where(_outbox.c.id == row.id).with_for_update(skip_locked=True)
    free = _of_claim(row).where(_DUE, _outbox.c.id.in_(unheld))
    ours = free.values(lease_until=now + lease, attempts=row.attempts + 1)
    with transaction():
        claimed = changed_rows(ours, {"now": now})
    return find_claimed(row.id, row.attempts + 1) if claimed else None


def find_claimed(row_id: int, attempts: int) -> OutboxRow | None:
    """The row as it is now; None if it is done, or if another sender has taken over the claim."""
    claim = (_outbox.c.id == row_id) & (_outbox.c.attempts == attempts)
    return one_row(OutboxRow, _ROW.where(claim, _outbox.c.done_at.is_(None)))


def renew(row: OutboxRow, now: int, lease: int = LEASE) -> bool:
    """Extend the claim on a row by `lease` ms; return False if it is done, or another sender has it."""
    ours = _of_claim(row).where(_outbox.c.done_at.is_(None))
    with transaction():
        return changed_rows(ours.values(lease_until=now + lease)) == 1


class UnsentMail(NamedTuple):
    """An email that has not been sent, and the time until which it is claimed or held."""

    attempts: int
    lease_until: int
    cause: str | None


def find_unsent(keys: Sequence[str]) -> UnsentMail | None:
    """The email with one of these keys that has not been sent; None if there is none."""
    query = select(_outbox.c.attempts, _outbox.c.lease_until, _outbox.c.cause)
    return one_row(UnsentMail, query.where(_outbox.c.key.in_(keys), _outbox.c.done_at.is_(None)))


def note_pushed(row: OutboxRow, now: int) -> None:
    """Note, in the caller's transaction, that a claimed row was handed to browsers."""
    db.session.execute(_of_claim(row).values(pushed_at=now))


def is_replaced(row: OutboxRow, now: int) -> bool:
    """Whether newer news about the same game is due, too: a browser shows only the newest.

    A reminder of a question that has not been sent does not count: it is dropped, since the question contains its news.
    """
    game = _outbox.c.game_key == row.game_key
    later = (_outbox.c.player_id == row.player_id) & game & (_outbox.c.id > row.id)
    if row.kind == "turn":
        later &= (_outbox.c.kind != "reminder") | (_outbox.c.number != row.number)
    unsent = _outbox.c.done_at.is_(None) & _outbox.c.pushed_at.is_(None)
    query = select(_outbox.c.id).where(later, unsent, _outbox.c.run_at <= now)
    return db.session.scalar(query.limit(1)) is not None


def finish(row: OutboxRow, now: int, outcome: MailOutcome, refusal: str | None = None) -> None:
    """Record the outcome of a claimed row, in the caller's transaction; do nothing if the claim has been lost.

    `refusal` is the reply of the mail server if it did not accept the email.
    """
    ours = _of_claim(row)
    if outcome != "sent":
        ours = ours.where(_outbox.c.done_at.is_(None))
    db.session.execute(ours.values(done_at=now, outcome=outcome, cause=None, refusal=refusal))


def find_sent(row_id: int) -> SentMail | None:
    """The row of an email that comes back; None if it is no longer kept."""
    query = select(*columns(SentMail, _outbox))
    return one_row(SentMail, query.where(_outbox.c.id == row_id))


def note_returned(row_id: int, why: str) -> None:
    """Note, in the caller's transaction, that a sent email came back, as if our mail server had refused it."""
    outcome = case((_outbox.c.outcome == "sent", "failed"), else_=_outbox.c.outcome)
    values = {"outcome": outcome, "refusal": why}
    db.session.execute(update(_outbox).where(_outbox.c.id == row_id).values(values))


def hold(row: OutboxRow, until: int, refusal: str | None = None) -> None:
    """Let a claimed row wait until then (ms UTC), in the caller's transaction.

    It waits for a budget, or for the next attempt after a refusal.
    """
    db.session.execute(_of_claim(row).values(lease_until=until, refusal=refusal))


def _of_claim(row: OutboxRow) -> Update:
    return update(_outbox).where(_outbox.c.id == row.id, _outbox.c.attempts == row.attempts)


def purge(now: int, most: int) -> int:
    """Delete at most `most` emails that were finished, or due without being sent, too long ago; return the number."""
    gone = delete_some(_outbox, most, _is_since_before(now - MAILS_KEPT))
    if gone < most:
        key_mails = _outbox.c.kind.in_(KEY_MAILS) & _is_since_before(now - KEY_MAILS_KEPT)
        gone += delete_some(_outbox, most - gone, key_mails)
    return gone


def _is_since_before(at: int) -> ColumnElement[bool]:
    """The condition for emails that were finished or due before then.

    Its two halves make it possible to use one index.
    """
    unsent = _outbox.c.done_at.is_(None) & (_outbox.c.run_at < at)
    return or_(_outbox.c.done_at < at, unsent)


def exported(player_id: str) -> list[Json]:
    """The emails of the last weeks about games, for the export: kind, time and outcome. Their text is not kept.

    Emails about the account and emails to others are left out: whether they were sent would reveal whether an address
    belongs to somebody else.
    """
    query = select(_outbox.c.kind, _outbox.c.run_at.label("at"), _outbox.c.outcome).where(
        _outbox.c.player_id == player_id,
        or_(_outbox.c.game_key.is_not(None), _outbox.c.kind.in_(OF_MANY_GAMES)),
        _outbox.c.kind.not_in(SENT_TO_OTHERS),
    )
    return exported_rows(query.order_by(_outbox.c.id))


def erase(player_id: str, logins: Collection[str]) -> None:
    """Delete the emails, sent or not, to this player, to one of their `logins` (in lower case), or requested with one.

    The caller owns the commit.
    """
    own = or_(
        _outbox.c.player_id == player_id,
        func.lower(_outbox.c.address).in_(logins),
        func.lower(_outbox.c.data["who"].as_string()).in_(logins),
    )
    db.session.execute(delete(_outbox).where(own))
