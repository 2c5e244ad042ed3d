"""Addresses that no mail reaches at present, and the reason for each, so that its player and the others can be told.

| why          | what it means | what is sent meanwhile |
| ------------ | --- | --- |
| `no-mailbox` | its mail server says that there is no such mailbox | nothing: the address pauses |
| `complaint`  | our mail was reported there as unwanted | nothing |
| `full`       | the mailbox has been full for three days | nothing for a week, then the next email is tried |
| `over-quota` | it is full, but perhaps not for long | everything |
| `refused`    | the mail server refuses our emails for another reason, which the operator has to fix | everything |

A paused address gets mail again as soon as it is verified again, somebody follows a link that they requested in an
email to it, or the operator ends the pause (operations/commands/outbox.py). Only keyed digests of addresses are stored.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import exists, func, or_, select, update

from service.core.database.database import columns, db, delete_some, one_row, write_rows
from service.core.models.games import Game, Tenure
from service.core.models.mail import Bounce, Trouble
from service.core.models.people import Account
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.core.settings.config import Config
from service.log import changes
from service.outbox.addresses import suppressed_addresses

NO_MAILBOX: Trouble = "no-mailbox"
COMPLAINT: Trouble = "complaint"
FULL: Trouble = "full"
OVER_QUOTA: Trouble = "over-quota"
REFUSED: Trouble = "refused"
PAUSING = (NO_MAILBOX, COMPLAINT, FULL)
"""The reasons for which an address pauses."""
FULL_AFTER = 3 * DAY
"""The time (ms) for which a mailbox has to be full before its address pauses."""
FULL_FOR = 7 * DAY
"""The length (ms) of the pause of a full mailbox. The next email then shows whether it is still full."""
LAST_WORD = 3 * DAY
"""The time (ms) after a returned email in which a mail server's acceptance proves nothing: that email may come back,
too.
"""
SAME = 14 * DAY
"""The time (ms) after a report within which a repeated report counts as its continuation."""
KEPT = 60 * DAY
"""The time (ms) for which it is kept what was known about an address that does not pause, or no longer pauses."""

_account, _bounce = Account.metadata.tables["accounts"], Bounce.metadata.tables["bounces"]
_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]


class Found(NamedTuple):
    """The report of a mail server about an address."""

    why: Trouble
    status: str
    """The status code of the trouble (RFC 3463), such as `5.1.1`, or a word if it has none."""
    returned: bool = False
    """Whether a returned email reported this: our own mail server had accepted it, and accepts the next one, too."""
    since: int | None = None
    """The time (ms UTC) since which the report is true; None for the present time."""


class Known(NamedTuple):
    """The facts about an address: a row of `bounces`."""

    why: Trouble | None
    status: str | None
    since: int
    at: int
    returned: bool
    lifted_at: int | None

    def pauses(self, now: int) -> bool:
        """Whether no mail goes to the address."""
        return self.why in PAUSING and (self.why != FULL or now < self.at + FULL_FOR)


_KNOWN = select(*columns(Known, _bounce))
_REPLACED = ", ".join(f"{name} = excluded.{name}" for name in Known._fields)


def note(runtime: Runtime, config: Config, address: str, found: Found) -> Known:
    """Note, in the caller's transaction, why no mail reaches the address; return what is known about it then.

    The beginning of the trouble is kept. A full mailbox counts once it has been full for three days. A reason that
    pauses an address is not replaced by one that does not.
    """
    now, before = runtime.now(), known(config, address)
    since = now if found.since is None else found.since
    if before is not None and _is_same(before.why, found.why) and now < before.at + SAME:
        since = min(since, before.since)
    is_full = found.why == OVER_QUOTA and now - since >= FULL_AFTER
    why = FULL if is_full else found.why
    paused = pause(config, address, now)
    if paused is not None and why not in PAUSING:
        return paused
    lifted_at = before.lifted_at if before else None
    after = Known(why, found.status, since, now, found.returned, lifted_at)
    _write(config, address, after)
    if why == NO_MAILBOX:
        digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
        suppressed_addresses.suppress(runtime, digest, suppressed_addresses.REFUSED)
    _tell(runtime, address, why, since)
    return after


def note_delivery(runtime: Runtime, config: Config, address: str) -> None:
    """Note, in the caller's transaction, that a mail server has accepted an email for this address.

    That proves little if emails come back later, and it ends no pause, since requested emails are sent during a pause,
    too.
    """
    now = runtime.now()
    if pause(config, address, now):
        return
    found = known(config, address)
    if found is not None and found.why is not None:
        if found.returned and now < found.at + LAST_WORD:
            return
        _write(config, address, found._replace(why=None, status=None))
    _tell(runtime, address, None, now)


def lift(runtime: Runtime, config: Config, address: str) -> bool:
    """Send to this address again, in the caller's transaction; return whether it had paused.

    Emails sent earlier that come back are ignored from now on.
    """
    now = runtime.now()
    lifted, found = pause(config, address, now), known(config, address)
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    suppressed_addresses.lift(digest, suppressed_addresses.REFUSED)
    if lifted or found:
        _write(config, address, Known(None, None, now, now, False, lifted_at=now))
    _tell(runtime, address, None, now)
    return lifted is not None


def pause(config: Config, address: str, now: int) -> Known | None:
    """The facts about a paused address; None if emails are sent to it."""
    found = known(config, address)
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    if suppressed_addresses.is_suppressed(digest, suppressed_addresses.REFUSED):
        if found is not None and found.why == NO_MAILBOX:
            return found
        return Known(
            NO_MAILBOX, None, 0, 0, False, None
        )  # this is what an earlier release has noted
    is_other = found is not None and found.why != NO_MAILBOX and found.pauses(now)
    return found if is_other else None


def known(config: Config, address: str) -> Known | None:
    """The facts about an address, in any spelling; None if nothing is known."""
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    return one_row(Known, _KNOWN.where(_bounce.c.digest == digest))


class Cause(NamedTuple):
    """A reason why emails do not arrive, and the number of addresses concerned."""

    why: Trouble
    status: str
    number: int
    pauses: bool


def causes(now: int) -> list[Cause]:
    """The reasons why emails do not reach addresses, the most frequent first."""
    number = func.count()
    query = (
        select(_bounce.c.why, func.coalesce(_bounce.c.status, ""), number)
        .where(_bounce.c.why.is_not(None), _bounce.c.at > now - KEPT)
        .group_by(_bounce.c.why, _bounce.c.status)
        .order_by(number.desc(), _bounce.c.why, _bounce.c.status)
    )
    found = db.session.execute(query)
    return [Cause(why, status, many, why in PAUSING) for why, status, many in found]


def pauses_mail(why: str | None) -> bool:
    """Whether no mail is sent to an account's address, according to the reason noted in the account."""
    return why in PAUSING


def purge(now: int, most: int) -> int:
    """Delete at most `most` old reports, other than of a missing mailbox or of a complaint; return the number."""
    is_over = or_(_bounce.c.why.is_(None), _bounce.c.why.not_in([NO_MAILBOX, COMPLAINT]))
    return delete_some(_bounce, most, is_over, _bounce.c.at < now - KEPT)


def _is_same(before: Trouble | None, now: Trouble) -> bool:
    """Whether this report continues what was known before."""
    of_size = {OVER_QUOTA, FULL}
    return before == now or {before, now} <= of_size


def _write(config: Config, address: str, known: Known) -> None:
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    clause = f"ON CONFLICT (digest) DO UPDATE SET {_REPLACED}"
    write_rows(_bounce, [{"digest": digest, **known._asdict()}], clause)


def _tell(runtime: Runtime, address: str, why: Trouble | None, since: int) -> None:
    """Note the change for the page of the address's owner, and for their tables if it is visible there."""
    mine = _account.c.folded == address.lower()
    query = select(_account.c.player_id, _account.c.undelivered).where(mine)
    row = db.session.execute(query).one_or_none()
    if row is None or row.undelivered == why:
        return
    values = {"undelivered": why, "undelivered_at": since if why else None}
    db.session.execute(update(_account).where(mine).values(values))
    if pauses_mail(row.undelivered) != pauses_mail(why):
        _show_at_tables(runtime.now(), row.player_id)


def _show_at_tables(now: int, player_id: str) -> None:
    """Raise the revisions of the player's tables, without waiting: a transaction that has locked a table raises its
    revision anyway.
    """
    seated = exists().where(
        _tenure.c.game_key == _game.c.key,
        _tenure.c.player_id == player_id,
        _tenure.c.ended_at.is_(None),
    )
    present = select(_game.c.key).where(seated, _game.c.status != "over")
    keys = db.session.scalars(present.with_for_update(skip_locked=True)).all()
    these = _game.c.key.in_(keys)
    db.session.execute(update(_game).where(these).values(revision=_game.c.revision + 1))
    changes.note_tables(now, these)
