"""Addresses that no mail reaches just now: what is known of each, so that its player and the others can be told.

| why          | what it means | what leaves meanwhile |
| ------------ | --- | --- |
| `no-mailbox` | its mail server says that there is no such mailbox | nothing: the address pauses |
| `complaint`  | our mail was reported there as unwanted | nothing |
| `full`       | the mailbox has been full for three days | nothing for a week, then the next mail is tried |
| `over-quota` | it is full, but perhaps not for long | everything |
| `refused`    | the mail server refuses our mails for another reason: that is the operator's to mend | everything |

An address that pauses gets mail again as soon as it is verified anew, somebody follows a link in a mail to it that they
have asked for, or the operator lifts that (operations/commands/outbox.py). Only keyed digests of addresses are stored.
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
"""Those for which an address pauses."""
FULL_AFTER = 3 * DAY
"""Ms for which a mailbox has to be full before its address pauses …"""
FULL_FOR = 7 * DAY
"""… and for which it does then: the next mail shows whether it is full still."""
LAST_WORD = 3 * DAY
"""Ms after a mail came back in which a mail server that takes the next one proves nothing: it may come back as well."""
SAME = 14 * DAY
"""Ms within which what is said again goes on with what was said before."""
KEPT = 60 * DAY
"""Ms for which is kept what was known of an address that does not pause, and when it was lifted."""

_account, _bounce = Account.metadata.tables["accounts"], Bounce.metadata.tables["bounces"]
_game, _tenure = Game.metadata.tables["games"], Tenure.metadata.tables["tenures"]


class Found(NamedTuple):
    """What a mail server has said about an address."""

    why: Trouble
    status: str
    """Its code (RFC 3463), `5.1.1`, or a word where there is none."""
    returned: bool = False
    """By a mail that came back: our own mail server has taken it, and takes the next one, too."""
    since: int | None = None
    """From when on it holds (ms UTC); None: from now on."""


class Known(NamedTuple):
    """What is known of an address: a row of `bounces`."""

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
    """Note in the caller's transaction why no mail gets there; what is known of the address then.

    It stays noted since when. A mailbox that is full counts once that is three days ago. What pauses an address is not
    replaced by what does not.
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
    """A mail server has taken a mail for this address; in the caller's transaction.

    That proves little if mails come back later, and ends no pause: what somebody asks for is sent meanwhile, too.
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
    """Send to this address again, in the caller's transaction; whether it had paused.

    What comes back of the mails that were sent before says nothing any more.
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
    """What is known of an address that pauses; None: mails go there."""
    found = known(config, address)
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    if suppressed_addresses.is_suppressed(digest, suppressed_addresses.REFUSED):
        if found is not None and found.why == NO_MAILBOX:
            return found
        return Known(
            NO_MAILBOX, None, 0, 0, False, None
        )  # as a release before this one has noted it
    is_other = found is not None and found.why != NO_MAILBOX and found.pauses(now)
    return found if is_other else None


def known(config: Config, address: str) -> Known | None:
    """What is known of an address, whichever spelling of it a mail went to; None: nothing yet."""
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    return one_row(Known, _KNOWN.where(_bounce.c.digest == digest))


class Cause(NamedTuple):
    """Why mails do not get to how many addresses."""

    why: Trouble
    status: str
    number: int
    pauses: bool


def causes(now: int) -> list[Cause]:
    """Why mails do not get to addresses, the most frequent first."""
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
    """Whether what is noted of an account means that no mail goes to its address."""
    return why in PAUSING


def purge(now: int, most: int) -> int:
    """Delete what was known of addresses that have not paused for long, `most` at most; how many."""
    is_over = or_(_bounce.c.why.is_(None), _bounce.c.why.not_in([NO_MAILBOX, COMPLAINT]))
    return delete_some(_bounce, most, is_over, _bounce.c.at < now - KEPT)


def _is_same(before: Trouble | None, now: Trouble) -> bool:
    """Whether this goes on with what was known before."""
    of_size = {OVER_QUOTA, FULL}
    return before == now or {before, now} <= of_size


def _write(config: Config, address: str, known: Known) -> None:
    digest = suppressed_addresses.mailbox_digest(config.secret_key, address)
    clause = f"ON CONFLICT (digest) DO UPDATE SET {_REPLACED}"
    write_rows(_bounce, [{"digest": digest, **known._asdict()}], clause)


def _tell(runtime: Runtime, address: str, why: Trouble | None, since: int) -> None:
    """Note it for the page of whoever has this address, and show it at their tables if it shows there."""
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
    """Give the player's tables a new revision, without waiting: who holds one is about to give it one."""
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
