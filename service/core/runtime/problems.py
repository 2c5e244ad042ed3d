"""Problems: every error response that a client can get, as a problem document (RFC 9457).

The catalogues word titles and details (`problem.<slug>.title`, `problem.<slug>.detail`).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar


class Problem(Exception):
    """An error response; `more` are further members of its document."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "server-error"
    """The end of the problem's address; the class's name (`not-found` for `NotFound`) if the class has its own
    status.
    """

    detail: str = "detail"
    """The last part of the key of the detail's message."""

    fields: dict[str, Any] = {}
    """The values to fill into the detail."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        if status is not None:
            cls.status, cls.slug = status, re.sub(r"\B(?=[A-Z])", "-", cls.__name__).lower()

    # Each problem has its own members.
    def __init__(self, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(self.slug)
        self.headers = headers or {}
        self.more = more


class MalformedJson(Problem, status=400):
    """The body is not JSON. `why` names the fault, and `name` the repeated member if one is repeated."""

    def __init__(self, why: str = "syntax", name: str | None = None) -> None:
        super().__init__(why=why, name=name)
        self.detail = "detail" if why == "syntax" else why


class ForReason(Problem):
    """A problem whose detail depends on a reason, `why`."""

    def __init__(self, why: str) -> None:
        super().__init__(why=why)
        self.detail = why


class NotPossible(ForReason, status=409):
    """The current state of the table does not allow this."""


class UnusableName(ForReason, status=422):
    """Nobody may have this name."""


class NotFound(Problem, status=404):
    """There is no such thing, or the caller may not see it."""


class NoSuchTable(NotFound):
    """There is no such table, or it is private; the response does not tell which of the two."""

    detail = "table"


class NoSuchPlayer(NotFound):
    """Nobody has this handle."""

    detail = "player"


class UnknownPath(NotFound, status=404):
    """The API has no such path; `nearest` lists similar paths."""


class InvalidBody(Problem, status=400):
    """The body is JSON of the wrong shape; `errors` tells where."""


class InvalidQuery(Problem, status=400):
    """A query parameter is invalid; `errors` tells which."""


class InvalidAuthorizationRequest(Problem, status=400):
    """A site or app that wants a player to sign in there sent a wrong request; `error` is OAuth's name for
    the error.
    """


class InvalidIdempotencyKey(Problem, status=400):
    """The `Idempotency-Key` is malformed."""


class NotSignedIn(Problem, status=401):
    """The caller is not signed in. `why` tells whether a token is missing, or what is wrong with it."""

    def __init__(self, why: str = "missing") -> None:
        super().__init__(why=why)
        self.detail = "detail" if why == "missing" else why


class WrongKey(Problem, status=401):
    """The key of this link is invalid or has expired."""


class WrongPassword(Problem, status=401):
    """The password is wrong, or nobody has this handle or address; the response does not tell which of the two."""


class NotSeated(Problem, status=403):
    """The caller has no seat in this game."""


class NotHost(Problem, status=403):
    """Only the host of the table may do this."""


class NotHostOfCircle(NotHost):
    """Only the host of the circle may do this."""

    detail = "circle"


class NotAdmitted(Problem, status=403):
    """The caller may not sit down at this table; the response does not tell why."""


class NotVerified(Problem, status=403):
    """The caller has no verified address."""


class NotSpectator(Problem, status=403):
    """The caller plays in this game, and so may not read the spectators' channel."""


class MayNotTalk(Problem, status=403):
    """The caller may not write at this table; the response does not tell why."""


class NotForGuests(Problem, status=403):
    """This is only for registered players, always or because the operator has decided so."""


class CrossSite(Problem, status=403):
    """The request was sent by a browser on behalf of another site."""


class WrongForm(Problem, status=403):
    """The form was shown to somebody else than the person who is signed in here."""


class CookieOnly(Problem, status=403):
    """A bearer token may not change how its player signs in; only a sign-in with a cookie may."""


class OtherAccount(Problem, status=403):
    """The key was mailed for another account than the one that is signed in here."""


class MissingScope(Problem, status=403):
    """A bearer token lacks the scope that this needs."""


class InvitationNeeded(Problem, status=403):
    """New players need an invitation from the operator; the code is missing, used or expired."""


class MethodNotAllowed(Problem, status=405):
    """This path does not support this method."""


class Stale(Problem, status=409):
    """The answer is to an earlier question; `game` is the current view."""


class OtherAnswer(Problem, status=409):
    """The seat has already answered this question differently, with event `number`."""


class OtherMessage(Problem, status=409):
    """The caller has already sent another message with the same `once`."""


class Unfinished(Problem, status=409):
    """The first request with this `Idempotency-Key` has not been answered yet, or never was."""


class TableFull(Problem, status=409):
    """Every seat of the table is taken."""


class OtherNonce(Problem, status=409):
    """The caller has already sent another nonce for the shuffles of this game; nonces cannot be changed."""


class TooManyNonces(Problem, status=409):
    """The table already has the greatest possible number of nonces."""


class NoCommitment(Problem, status=409):
    """The request opens the table, so a nonce cannot be sent yet: the commitment has to be known first."""


class TooManyTables(Problem, status=409):
    """The caller already has the greatest allowed number of tables that have not started."""


class AlreadySeated(Problem, status=409):
    """The caller sits at this table."""


class NotFull(Problem, status=409):
    """Seats are empty, or somebody at a live table has not confirmed that they are there, so the game cannot start."""

    def __init__(self, detail: str = "detail") -> None:
        super().__init__()
        self.detail = detail


class NotOpen(Problem, status=409):
    """The game has started."""


class NotRunning(Problem, status=409):
    """The game has not started, or is over."""


class NotOver(Problem, status=409):
    """The game is not over yet."""


class ChangesGone(Problem, status=410):
    """The changes since the given one are no longer kept."""


class AlreadyRegistered(Problem, status=409):
    """The caller is registered already."""


class NotRegistered(Problem, status=409):
    """A guest has neither password nor address."""


class HandleTaken(Problem, status=409):
    """Somebody else has this handle, or it is reserved."""


class NameTaken(Problem, status=409):
    """The name looks like the name of another person at the table."""


class KeptApart(Problem, status=409):
    """A block by one of the two keeps the player apart from somebody at the table."""


class TooEarly(Problem, status=409):
    """It is too early for a nudge; `nudge_from` tells when one is allowed."""


class AlreadyProposed(Problem, status=409):
    """The same proposal is already open at this table."""


class HeldAnother(Problem, status=409):
    """The caller has held another seat of this game, and knows what was hidden from this seat there."""


class TooManyWebhooks(Problem, status=409):
    """The player already has the greatest allowed number of webhooks, which is `most`."""


class WebhooksOff(Problem, status=409):
    """The operator has switched webhooks off, or their owner has switched off this one."""


class BodyTooLarge(Problem, status=413):
    """The body is over 64 KiB."""


class UriTooLong(Problem, status=414):
    """The path and the query together are too long."""


class HeadersTooLarge(Problem, status=431):
    """A header is too long, or all of them together are."""


class UnsupportedMediaType(Problem, status=415):
    """The content type of the body is not JSON."""


class IllegalAction(Problem, status=422):
    """The rules do not allow this action now. `why` tells the reason; `legal` has the actions that they allow."""


class WrongLink(Problem, status=422):
    """This link was not made by this server."""


class OtherRequest(Problem, status=422):
    """Another request was sent with the same `Idempotency-Key` before."""


class UnknownRuleset(Problem, status=422):
    """There is no such ruleset."""


class InvalidPlayers(Problem, status=422):
    """The ruleset is not for this number of players."""


class InvalidOptions(Problem, status=422):
    """The ruleset has no such option or value, or the values cannot be combined; `wrong` names the option."""


class InvalidRest(ForReason, status=422):
    """A table of this pace cannot rest, or not for that long; `why` tells the reason."""


class CommonPassword(Problem, status=422):
    """The chosen password is easily guessed."""


class PersonalPassword(Problem, status=422):
    """The chosen password is the person's name, handle or address, perhaps with digits."""


class UnknownTimeZone(Problem, status=422):
    """There is no time zone with this name."""


class InvalidQuietHours(Problem, status=422):
    """The quiet hours are empty, or longer than half a day."""


class ForbiddenAddress(ForReason, status=422):
    """Nothing is sent to such an address; `why` names the rule that forbids it."""


class InvalidVacation(Problem, status=422):
    """The vacation is not allowed; `why` tells the reason, and `days_left` is the number of days left this year."""


class TooManyRequests(Problem, status=429):
    """The caller has exceeded a documented limit."""


class NotReady(Problem, status=503):
    """The server lacks something that it needs to do all of its work; `checks` tells what.

    `keys` names the keys that differ from those of the database; `primary` is whether there is a server that accepts
    writes.
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
    """The database cannot be reached at the moment, or belongs to a newer release (`updating`)."""

    def __init__(self, headers: dict[str, str] | None = None, detail: str = "detail") -> None:
        super().__init__(headers)
        self.detail = detail
