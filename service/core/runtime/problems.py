"""Problems: every error that a client can get, as a problem document (RFC 9457).

Titles and details are worded by the catalogues (`problem.<slug>.title`, `problem.<slug>.detail`).
"""

from __future__ import annotations

from typing import Any, ClassVar


class Problem(Exception):
    """An error answer; `more` are further members of its document."""

    status: ClassVar[int] = 500
    slug: ClassVar[str] = "server-error"

    detail: str = "detail"
    """The last part of the detail's key."""

    fields: dict[str, Any] = {}
    """What is filled into the detail."""

    # Each problem has members of its own.
    def __init__(self, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(self.slug)
        self.headers = headers or {}
        self.more = more


class MalformedJson(Problem):
    """The body is not JSON; `why` says in what, `name` which member is repeated."""

    status, slug = 400, "malformed-json"

    def __init__(self, why: str = "syntax", name: str | None = None) -> None:
        super().__init__(why=why, name=name)
        self.detail = "detail" if why == "syntax" else why


class ForReason(Problem):
    """One whose `why` says why, and words the detail."""

    def __init__(self, why: str) -> None:
        super().__init__(why=why)
        self.detail = why


class NotPossible(ForReason):
    """This is not possible in the current state of the table."""

    status, slug = 409, "not-possible"


class UnusableName(ForReason):
    """Nobody may have this name."""

    status, slug = 422, "unusable-name"


class NotFound(Problem):
    """There is no such thing, or the caller may not see it."""

    status, slug = 404, "not-found"


class NoSuchTable(NotFound):
    """There is no such table, or it is private: the answer does not tell which."""

    detail = "table"


def kind(status: int, slug: str) -> type[Problem]:
    """A kind of problem without anything of its own; it is raised and caught by its name."""
    name = "".join(part.title() for part in slug.split("-"))
    return type(name, (Problem,), {"status": status, "slug": slug, "__module__": __name__})


InvalidBody = kind(400, "invalid-body")
"""The body is JSON of the wrong shape; `errors` says where."""
InvalidQuery = kind(400, "invalid-query")
"""A query parameter is invalid; `errors` says which."""
InvalidIdempotencyKey = kind(400, "invalid-idempotency-key")
"""The `Idempotency-Key` is not one."""
NotSignedIn = kind(401, "not-signed-in")
"""The caller is not signed in, or the credential has ended."""
WrongKey = kind(401, "wrong-key")
"""The key of this link is invalid or has expired."""
WrongPassword = kind(401, "wrong-password")
"""The password is wrong, or nobody has this handle or address; the answer does not tell which."""
NotSeated = kind(403, "not-seated")
"""The caller has no seat in this game."""
NotHost = kind(403, "not-host")
"""Only the host of the table may do this."""
NotAdmitted = kind(403, "not-admitted")
"""The caller may not sit down at this table; the answer does not tell why."""
NotVerified = kind(403, "not-verified")
"""The caller has no verified address."""
NotSpectator = kind(403, "not-spectator")
"""The caller plays in this game, and may not read what spectators say."""
MayNotTalk = kind(403, "may-not-talk")
"""The caller may not write at this table; the answer does not tell why."""
NotForGuests = kind(403, "not-for-guests")
"""The operator lets only registered players do this."""
CrossSite = kind(403, "cross-site")
"""A browser sent this on behalf of another site."""
WrongForm = kind(403, "wrong-form")
"""The form was not shown to whoever is signed in here."""
CookieOnly = kind(403, "cookie-only")
"""A bearer token may not change how its player signs in."""
OtherAccount = kind(403, "other-account")
"""This key was mailed for another account than the one that is signed in."""
MissingScope = kind(403, "missing-scope")
"""A bearer token lacks the scope that this needs."""
InvitationNeeded = kind(403, "invitation-needed")
"""New players need an invitation by the operator; the code is missing, used, or too old."""
MethodNotAllowed = kind(405, "method-not-allowed")
"""This path does not support this method."""
Stale = kind(409, "stale")
"""The answer is to an earlier question; `game` is the current view."""
OtherAnswer = kind(409, "other-answer")
"""The seat has already answered this question differently, by event `number`."""
OtherMessage = kind(409, "other-message")
"""The caller has said something else with the same `once`."""
Unfinished = kind(409, "unfinished")
"""The first request with this `Idempotency-Key` is not answered yet, or never was."""
TableFull = kind(409, "table-full")
"""Every seat is taken."""
OtherNonce = kind(409, "other-nonce")
"""The caller has brought another nonce for the shuffles of this game, and none can be changed."""
TooManyNonces = kind(409, "too-many-nonces")
"""As many nonces have been brought to this table as there may be."""
NoCommitment = kind(409, "no-commitment")
"""A nonce cannot be brought yet: this request opens the table whose commitment has to be known before."""
TooManyTables = kind(409, "too-many-tables")
"""The caller has as many tables that have not started as anybody may have."""
AlreadySeated = kind(409, "already-seated")
"""The caller sits at this table."""
NotFull = kind(409, "not-full")
"""Seats are empty, so the game cannot start."""
NotOpen = kind(409, "not-open")
"""The game has started."""
NotRunning = kind(409, "not-running")
"""The game has not started, or is over."""
NotOver = kind(409, "not-over")
"""The game is not over yet."""
ChangesGone = kind(410, "changes-gone")
"""What changed since then is not kept."""
AlreadyRegistered = kind(409, "already-registered")
"""The caller has registered before."""
NotRegistered = kind(409, "not-registered")
"""A guest has neither password nor address."""
HandleTaken = kind(409, "handle-taken")
"""Somebody else has this handle, or it is reserved."""
NameTaken = kind(409, "name-taken")
"""The name of somebody else at the table looks the same."""
TooEarly = kind(409, "too-early")
"""It is too early to nudge anybody; `nudge_from` says from when it is possible."""
AlreadyProposed = kind(409, "already-proposed")
"""The same proposal is already open at this table."""
HeldAnother = kind(409, "held-another")
"""The caller has held another seat of this game, and knows what was hidden there."""
TooManyWebhooks = kind(409, "too-many-webhooks")
"""The player has as many webhooks as are allowed; `most` says how many."""
WebhooksOff = kind(409, "webhooks-off")
"""The operator has switched webhooks off, or the owner this one."""
BodyTooLarge = kind(413, "body-too-large")
"""The body is over 64 KiB."""
UriTooLong = kind(414, "uri-too-long")
"""The path and the query are too long."""
HeadersTooLarge = kind(431, "headers-too-large")
"""A header, or all of them, is too long."""
UnsupportedMediaType = kind(415, "unsupported-media-type")
"""The content type of the body is not JSON."""
IllegalAction = kind(422, "illegal-action")
"""The rules do not allow this action now; `why` says why, `legal` what they allow."""
WrongLink = kind(422, "wrong-link")
"""This link was not made by this server."""
OtherRequest = kind(422, "other-request")
"""Something else was sent with the same `Idempotency-Key` before."""
UnknownRuleset = kind(422, "unknown-ruleset")
"""There is no such ruleset."""
InvalidPlayers = kind(422, "invalid-players")
"""The ruleset is not for this number of players."""
InvalidOptions = kind(422, "invalid-options")
"""The ruleset has no such option or value; `wrong` names it, or the values cannot be combined."""
CommonPassword = kind(422, "common-password")
"""The password that was chosen is easily guessed."""
PersonalPassword = kind(422, "personal-password")
"""The password that was chosen is the name, the handle or the address of the person, perhaps with digits."""
UnknownTimeZone = kind(422, "unknown-time-zone")
"""There is no time zone with this name."""
InvalidQuietHours = kind(422, "invalid-quiet-hours")
"""Quiet hours that are empty, or longer than half a day."""
ForbiddenAddress = kind(422, "forbidden-address")
"""Nothing is sent to such an address."""
InvalidVacation = kind(422, "invalid-vacation")
"""The vacation is not possible; `why` says why, `days_left` how many days of the year are left."""
TooManyRequests = kind(429, "too-many-requests")
"""The caller is over a documented limit."""
NotReady = kind(503, "not-ready")
"""Something is missing without which the server cannot do all of its work; `checks` says what."""
Unavailable = kind(503, "unavailable")
"""The database cannot be reached just now."""
