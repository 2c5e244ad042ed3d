"""Problems: every error that a client can get, as a problem document (RFC 9457).

Titles and details are worded by the catalogues (`problem.<slug>.title`, `problem.<slug>.detail`).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class Problem(Exception):
    """An error answer; `more` are further members of its document."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "server-error"
    """In its address: the name of the class, `not-found` for `NotFound`, if that has a status of its own."""

    detail: str = "detail"
    """The last part of the detail's key."""

    fields: dict[str, Any] = {}
    """What is filled into the detail."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        if status is not None:
            cls.status, cls.slug = status, re.sub(r"\B(?=[A-Z])", "-", cls.__name__).lower()

    # Each problem has members of its own.
    def __init__(self, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(self.slug)
        self.headers = headers or {}
        self.more = more


class MalformedJson(Problem, status=400):
    """The body is not JSON; `why` says in what, `name` which member is repeated."""

    def __init__(self, why: str = "syntax", name: str | None = None) -> None:
        super().__init__(why=why, name=name)
        self.detail = "detail" if why == "syntax" else why


class ForReason(Problem):
    """One whose `why` says why, and words the detail."""

    def __init__(self, why: str) -> None:
        super().__init__(why=why)
        self.detail = why


class NotPossible(ForReason, status=409):
    """This is not possible in the current state of the table."""


class UnusableName(ForReason, status=422):
    """Nobody may have this name."""


class NotFound(Problem, status=404):
    """There is no such thing, or the caller may not see it."""


class NoSuchTable(NotFound):
    """There is no such table, or it is private: the answer does not tell which."""

    detail = "table"


class UnknownPath(NotFound, status=404):
    """Nothing has such a path; `nearest` lists those that are most like it."""


class InvalidBody(Problem, status=400):
    """The body is JSON of the wrong shape; `errors` says where."""


class InvalidQuery(Problem, status=400):
    """A query parameter is invalid; `errors` says which."""


class InvalidIdempotencyKey(Problem, status=400):
    """The `Idempotency-Key` is not one."""


class NotSignedIn(Problem, status=401):
    """The caller is not signed in: `why` says whether a token is missing, or what is wrong with the one that came."""

    def __init__(self, why: str = "missing") -> None:
        super().__init__(why=why)
        self.detail = "detail" if why == "missing" else why


class WrongKey(Problem, status=401):
    """The key of this link is invalid or has expired."""


class WrongPassword(Problem, status=401):
    """The password is wrong, or nobody has this handle or address; the answer does not tell which."""


class NotSeated(Problem, status=403):
    """The caller has no seat in this game."""


class NotHost(Problem, status=403):
    """Only the host of the table may do this."""


class NotAdmitted(Problem, status=403):
    """The caller may not sit down at this table; the answer does not tell why."""


class NotVerified(Problem, status=403):
    """The caller has no verified address."""


class NotSpectator(Problem, status=403):
    """The caller plays in this game, and may not read what spectators say."""


class MayNotTalk(Problem, status=403):
    """The caller may not write at this table; the answer does not tell why."""


class NotForGuests(Problem, status=403):
    """The operator lets only registered players do this."""


class CrossSite(Problem, status=403):
    """A browser sent this on behalf of another site."""


class WrongForm(Problem, status=403):
    """The form was not shown to whoever is signed in here."""


class CookieOnly(Problem, status=403):
    """A bearer token may not change how its player signs in."""


class OtherAccount(Problem, status=403):
    """This key was mailed for another account than the one that is signed in."""


class MissingScope(Problem, status=403):
    """A bearer token lacks the scope that this needs."""


class InvitationNeeded(Problem, status=403):
    """New players need an invitation by the operator; the code is missing, used, or too old."""


class MethodNotAllowed(Problem, status=405):
    """This path does not support this method."""


class Stale(Problem, status=409):
    """The answer is to an earlier question; `game` is the current view."""


class OtherAnswer(Problem, status=409):
    """The seat has already answered this question differently, by event `number`."""


class OtherMessage(Problem, status=409):
    """The caller has said something else with the same `once`."""


class Unfinished(Problem, status=409):
    """The first request with this `Idempotency-Key` is not answered yet, or never was."""


class TableFull(Problem, status=409):
    """Every seat is taken."""


class OtherNonce(Problem, status=409):
    """The caller has brought another nonce for the shuffles of this game, and none can be changed."""


class TooManyNonces(Problem, status=409):
    """As many nonces have been brought to this table as there may be."""


class NoCommitment(Problem, status=409):
    """A nonce cannot be brought yet: this request opens the table whose commitment has to be known before."""


class TooManyTables(Problem, status=409):
    """The caller has as many tables that have not started as anybody may have."""


class AlreadySeated(Problem, status=409):
    """The caller sits at this table."""


class NotFull(Problem, status=409):
    """Seats are empty, so the game cannot start."""


class NotOpen(Problem, status=409):
    """The game has started."""


class NotRunning(Problem, status=409):
    """The game has not started, or is over."""


class NotOver(Problem, status=409):
    """The game is not over yet."""


class ChangesGone(Problem, status=410):
    """What changed since then is not kept."""


class AlreadyRegistered(Problem, status=409):
    """The caller has registered before."""


class NotRegistered(Problem, status=409):
    """A guest has neither password nor address."""


class HandleTaken(Problem, status=409):
    """Somebody else has this handle, or it is reserved."""


class NameTaken(Problem, status=409):
    """The name of somebody else at the table looks the same."""


class KeptApart(Problem, status=409):
    """Somebody at the table and the player are kept apart by a block, whichever of them has made it."""


class TooEarly(Problem, status=409):
    """It is too early to nudge anybody; `nudge_from` says from when it is possible."""


class AlreadyProposed(Problem, status=409):
    """The same proposal is already open at this table."""


class HeldAnother(Problem, status=409):
    """The caller has held another seat of this game, and knows what was hidden there."""


class TooManyWebhooks(Problem, status=409):
    """The player has as many webhooks as are allowed; `most` says how many."""


class WebhooksOff(Problem, status=409):
    """The operator has switched webhooks off, or the owner this one."""


class BodyTooLarge(Problem, status=413):
    """The body is over 64 KiB."""


class UriTooLong(Problem, status=414):
    """The path and the query are too long."""


class HeadersTooLarge(Problem, status=431):
    """A header, or all of them, is too long."""


class UnsupportedMediaType(Problem, status=415):
    """The content type of the body is not JSON."""


class IllegalAction(Problem, status=422):
    """The rules do not allow this action now; `why` says why, `legal` what they allow."""


class WrongLink(Problem, status=422):
    """This link was not made by this server."""


class OtherRequest(Problem, status=422):
    """Something else was sent with the same `Idempotency-Key` before."""


class UnknownRuleset(Problem, status=422):
    """There is no such ruleset."""


class InvalidPlayers(Problem, status=422):
    """The ruleset is not for this number of players."""


class InvalidOptions(Problem, status=422):
    """The ruleset has no such option or value; `wrong` names it, or the values cannot be combined."""


class CommonPassword(Problem, status=422):
    """The password that was chosen is easily guessed."""


class PersonalPassword(Problem, status=422):
    """The password that was chosen is the name, the handle or the address of the person, perhaps with digits."""


class UnknownTimeZone(Problem, status=422):
    """There is no time zone with this name."""


class InvalidQuietHours(Problem, status=422):
    """Quiet hours that are empty, or longer than half a day."""


class ForbiddenAddress(ForReason, status=422):
    """Nothing is sent to such an address; `why` says which rule forbids it."""


class InvalidVacation(Problem, status=422):
    """The vacation is not possible; `why` says why, `days_left` how many days of the year are left."""


class TooManyRequests(Problem, status=429):
    """The caller is over a documented limit."""


class NotReady(Problem, status=503):
    """Something is missing without which the server cannot do all of its work; `checks` says what.

    `keys` names those that are not the ones of the database; `primary`: there is one that can be written to.
    """

    def __init__(
        self, headers: dict[str, str], checks: dict[str, str], keys: list[str], *, primary: bool
    ) -> None:
        super().__init__(headers, checks=checks)
        if not primary:
            self.detail = "primary"
        elif keys:
            self.detail, self.fields = "keys", {"keys": ", ".join(keys)}


class Unavailable(Problem, status=503):
    """The database cannot be reached just now, or belongs to a newer release (`updating`)."""

    def __init__(self, headers: dict[str, str] | None = None, detail: str = "detail") -> None:
        super().__init__(headers)
        self.detail = detail
