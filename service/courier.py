"""The courier: takes what is due out of the outbox to the post.

Claim the row, look whether it still matters, render it now, begin the SMTP transaction, look again, send the text,
mark the row. A courier that is killed on the way leaves a lease that runs out; whoever repeats the mail sends it with
the same Message-ID. It runs in a thread of its own beside the worker, so a slow mail server delays no house player.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from flask import Flask

from service import outbox
from service.api.common import Tools
from service.config import Config
from service.database import db, transaction
from service.errors import places
from service.mail import links, suppressed, wishes
from service.mail.kinds import KINDS, Kind
from service.mail.letter import Letter, compose, sender
from service.post import Later, Mailbox, Post, Refused
from service.smtp import SmtpPost, SmtpServer

REST = 1.0
"""Seconds between two looks when nothing was due: a mail leaves about that long after its time."""
UNREACHED = (1_000, 2_000, 5_000, 10_000, 30_000, 60_000)
"""Ms until the post is tried again after it could not be reached once, twice, …"""

_log = structlog.get_logger("tegami.courier")


class Courier:
    """Sends by `post` what is due; `kit` is the application's."""

    def __init__(
        self,
        kit: Tools,
        post: Post,
        kinds: Mapping[str, Kind] = KINDS,
        lease: int = outbox.LEASE,
    ) -> None:
        self._kit, self._post, self._kinds, self._lease = kit, post, kinds, lease
        self._unreached, self._not_before = 0, 0

    def deliver_all(self) -> int:
        """Deal with everything that is due; the number of mails that were dealt with."""
        number = 0
        while self.deliver_one():
            number += 1
        return number

    def deliver_one(self) -> bool:
        """Deal with one mail that is due; whether there was one, and a post to take it."""
        now = self._kit.outside.now()
        rows = outbox.due(now) if now >= self._not_before else []
        if not rows:
            self.rest()
            return False
        return self._reached() and any(self._deliver_if_ours(row) for row in rows)

    def rest(self) -> None:
        """Hang up."""
        self._post.rest()

    def _reached(self) -> bool:
        """Whether the post is there; asked before any row is touched, so that none pays for it."""
        try:
            self._post.ready()
        except Later as trouble:
            pause = UNREACHED[min(self._unreached, len(UNREACHED) - 1)]
            self._unreached += 1
            self._not_before = self._kit.outside.now() + pause
            _log.error("post", code=trouble.code, tries=self._unreached)
            return False
        self._unreached = 0
        return True

    def _deliver_if_ours(self, row: Any) -> bool:
        claimed = outbox.claim(row, self._kit.outside.now(), self._lease)
        if claimed is None:
            return False
        self._deliver_safely(claimed)
        return True

    def _deliver_safely(self, row: Any) -> None:
        """One mail's failure keeps no other waiting."""
        try:
            self._deliver(row)
        except Later as trouble:
            self._put_off(row, code=trouble.code)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other mails go on
            self._put_off(row, error=type(error).__name__, at=places(error))

    def _deliver(self, row: Any) -> None:
        """Send the mail, unless it matters no more. Raises Later."""
        kind = self._kinds[row.kind]
        letter = self._letter(kind, row)
        if letter is None:
            return self._mark(row, "dropped")
        message = compose(self._kit.config, self._kit.outside.now(), row.key, letter)
        db.session.rollback()  # nothing is held open while a slow server thinks
        try:
            sent = self._post.send(message, lambda: self._still(kind, row, letter.to))
        except Refused as refused:
            return self._mark(row, "failed", refused.code, refusing=letter.to)
        return self._mark(row, "sent" if sent else "dropped")

    def _letter(self, kind: Kind, row: Any) -> Letter | None:
        """What is to be said now, with the headers by which it is stopped; None: nothing any more."""
        letter = kind.render(self._kit, row) if kind.matters(self._kit, row) else None
        if letter is None or not self._may(kind, row, letter.to):
            return None
        return letter._replace(headers={**letter.headers, **self._stopping(kind, row, letter.to)})

    def _still(self, kind: Kind, row: Any, to: str) -> bool:
        """The last look, with what is committed by now: still ours, not called back, of interest and wanted."""
        try:
            ours = outbox.present(row.id, row.attempts) is not None
            return ours and kind.matters(self._kit, row) and self._may(kind, row, to)
        finally:
            db.session.rollback()

    def _may(self, kind: Kind, row: Any, to: str) -> bool:
        """Whether this may go to this address: neither the reader nor the reader's mail server is against it."""
        digest = suppressed.digest_of(self._kit.config.secret_key, to)
        if not kind.requested and suppressed.is_suppressed(digest, suppressed.REFUSED):
            return False
        if kind.stop == "address":
            return not suppressed.is_suppressed(digest, suppressed.INVITATIONS)
        return kind.stop == "" or wishes.wants(row.player_id, row.kind, row.game_key)

    def _stopping(self, kind: Kind, row: Any, to: str) -> dict[str, str]:
        config = self._kit.config
        if kind.stop == "address":
            return links.headers(links.for_address(config, to))
        return links.headers(links.for_player(config, row)) if kind.stop else {}

    def _mark(
        self, row: Any, outcome: str, code: int | None = None, refusing: str | None = None
    ) -> None:
        """The end of a row; the address that was `refusing` it gets nothing until it is verified anew."""
        outside, secret = self._kit.outside, self._kit.config.secret_key
        with transaction():
            outbox.done(row, outside.now(), outcome)
            if refusing is not None:
                digest = suppressed.digest_of(secret, refusing)
                suppressed.suppress(outside, digest, suppressed.REFUSED)
        _log.info("mail", row=row.id, kind=row.kind, outcome=outcome, code=code)

    def _put_off(self, row: Any, **why: Any) -> None:
        with transaction():
            outbox.later(row, self._kit.outside.now())
        _log.error("mail", row=row.id, kind=row.kind, attempts=row.attempts, **why)


def post_of(config: Config) -> Post | None:
    """The post that the settings name; None: mails wait. Raises ValueError for an address that is none."""
    if config.smtp_url:
        return SmtpPost(SmtpServer.parse(config.smtp_url), sender(config))
    return Mailbox(config.mailbox_dir) if config.mailbox else None


def courier_of(kit: Tools) -> Courier | None:
    """The courier of an application, if it has a post."""
    post = post_of(kit.config)
    return Courier(kit, post) if post else None


def deliver(
    app: Flask, stop: threading.Event, courier: Courier, wait: Callable[[float], Any]
) -> None:
    """Deliver until `stop` is set, and `wait` when there is nothing; a mail that is under way is finished."""
    with app.app_context():
        while not stop.is_set():
            if not one_or_report(courier):
                wait(REST)
        courier.rest()


def one_or_report(courier: Courier) -> bool:
    """`deliver_one`; a database out of reach is reported and tried again later."""
    try:
        return courier.deliver_one()
    except Exception as error:  # noqa: BLE001 - the next look may succeed
        db.session.rollback()
        _log.error("courier", error=type(error).__name__, at=places(error))
        return False
