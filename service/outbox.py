"""The outbox: mails are rows, written in the commit of their cause and sent afterwards by the courier.

A courier claims a due row for a lease by a guarded UPDATE, so several share them; `attempts` tells one claim from the
next. If a courier dies, its lease runs out and the row is due again.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, bindparam, select, update

from service.database import db, insert_unless_there, transaction
from service.models_mail import Outbox
from service.outside import Outside

LEASE = 300_000
"""Ms that a courier has for one mail: more than a slow server can take with all its time-outs."""
PAUSES = (60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000)
"""Ms after the first, second, … failure; the last one over and over."""
END = 3 * 86_400_000
"""Ms after its time at which a mail is no longer tried."""

_outbox = Outbox.metadata.tables["outbox"]
_DUE = (
    (_outbox.c.done_at.is_(None))
    & (_outbox.c.run_at <= bindparam("now"))
    & (_outbox.c.lease_until <= bindparam("now"))
)
_NEXT = select(_outbox).where(_DUE).order_by(_outbox.c.run_at, _outbox.c.id).limit(20)
_CLAIM = (
    update(_outbox)
    .where(_outbox.c.id == bindparam("of"), _outbox.c.attempts == bindparam("before"), _DUE)
    .values(lease_until=bindparam("lease"), attempts=_outbox.c.attempts + 1)
)


def put(
    outside: Outside,
    kind: str,
    key: str,
    *,
    run_at: int,
    player_id: str | None = None,
    address: str | None = None,
    game_key: int | None = None,
    tenure_id: str | None = None,
    number: int | None = None,
    data: dict[str, Any] | None = None,
) -> None:
    """A mail of this kind, due at `run_at` (ms UTC), in the caller's transaction; a second one of the same key is none.

    The renderer finds whatever is given here in its row. What a mail says is looked up when it is sent; `data` is for
    what stands nowhere else.
    """
    values = {
        "kind": kind,
        "key": key,
        "run_at": run_at,
        "player_id": player_id,
        "address": address,
        "game_key": game_key,
        "tenure_id": tenure_id,
        "number": number,
        "data": data,
        "created_at": outside.now(),
        "lease_until": 0,
        "attempts": 0,
    }
    db.session.execute(insert_unless_there(_outbox).values(values))


def cancel(outside: Outside, *which: ColumnElement[bool]) -> int:
    """Call back, in the caller's transaction, the unsent mails of which all of this holds; the number of them.

    `cancel(outside, Outbox.tenure_id == tenure, Outbox.kind == "turn")`. A mail whose SMTP transaction is under way is
    stopped until its text is sent.
    """
    values = {"done_at": outside.now(), "outcome": "cancelled"}
    done = db.session.execute(update(_outbox).where(_outbox.c.done_at.is_(None), *which), values)
    return int(done.rowcount)  # type: ignore[attr-defined]


def due(now: int) -> list[Any]:
    """Some of the rows that may be claimed, those that are due longest first."""
    found = list(db.session.execute(_NEXT, {"now": now}))
    db.session.rollback()
    return found


def claim(row: Any, now: int, lease: int = LEASE) -> Any | None:
    """The row, which is ours for `lease` ms; None if another courier was first, or it was called back."""
    values = {"of": row.id, "before": row.attempts, "now": now, "lease": now + lease}
    with transaction():
        claimed = db.session.execute(_CLAIM, values).rowcount  # type: ignore[attr-defined]
    return present(row.id, row.attempts + 1) if claimed else None


def present(row_id: int, attempts: int) -> Any | None:
    """The row as it stands now, if it is to be sent yet and by whoever made this claim."""
    db.session.rollback()  # not as it stood when something was read last
    return db.session.execute(
        select(_outbox).where(
            _outbox.c.id == row_id, _outbox.c.attempts == attempts, _outbox.c.done_at.is_(None)
        )
    ).one_or_none()


def done(row: Any, now: int, outcome: str) -> None:
    """Mark a claimed row, in the caller's transaction; nothing happens if somebody else has claimed it since."""
    marking = _ours(row) if outcome == "sent" else _ours(row).where(_outbox.c.done_at.is_(None))
    db.session.execute(marking.values(done_at=now, outcome=outcome))


def later(row: Any, now: int) -> None:
    """Let a claimed row rest, longer after every failure; at the end it expires. In the caller's transaction."""
    if now - row.run_at >= END:
        return done(row, now, "expired")
    pause = PAUSES[min(row.attempts, len(PAUSES)) - 1]
    db.session.execute(_ours(row).values(lease_until=now + pause))
    return None


def _ours(row: Any) -> Any:
    return update(_outbox).where(_outbox.c.id == row.id, _outbox.c.attempts == row.attempts)
