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


class InvalidBody(Problem):
    """The body is JSON of the wrong shape; `errors` says where."""

    status, slug = 400, "invalid-body"


class InvalidQuery(Problem):
    """A query parameter is invalid; `errors` says which."""

    status, slug = 400, "invalid-query"


class InvalidIdempotencyKey(Problem):
    """The `Idempotency-Key` is not one."""

    status, slug = 400, "invalid-idempotency-key"


class NotSignedIn(Problem):
    """The caller is not signed in, or the credential has ended."""

    status, slug = 401, "not-signed-in"


class WrongKey(Problem):
    """The key of this link is invalid or has expired."""

    status, slug = 401, "wrong-key"


class WrongPassword(Problem):
    """The password is wrong, or nobody has this handle or address; the answer does not tell which."""

    status, slug = 401, "wrong-password"


class NotSeated(Problem):
    """The caller has no seat in this game."""

    status, slug = 403, "not-seated"


class NotHost(Problem):
    """Only the host of the table may do this."""

    status, slug = 403, "not-host"


class NotAdmitted(Problem):
    """The caller may not sit down at this table; the answer does not tell why."""

    status, slug = 403, "not-admitted"


class NotVerified(Problem):
    """The caller has no verified address."""

    status, slug = 403, "not-verified"


class NotSpectator(Problem):
    """The caller plays in this game, and may not read what spectators say."""

    status, slug = 403, "not-spectator"


class MayNotTalk(Problem):
    """The caller may not write at this table; the answer does not tell why."""

    status, slug = 403, "may-not-talk"


class NotForGuests(Problem):
    """The operator lets only registered players do this."""

    status, slug = 403, "not-for-guests"


class CrossSite(Problem):
    """A browser sent this on behalf of another site."""

    status, slug = 403, "cross-site"


class WrongForm(Problem):
    """The form was not shown to whoever is signed in here."""

    status, slug = 403, "wrong-form"


class CookieOnly(Problem):
    """A bearer token may not change how its player signs in."""

    status, slug = 403, "cookie-only"


class OtherAccount(Problem):
    """This key was mailed for another account than the one that is signed in."""

    status, slug = 403, "other-account"


class MissingScope(Problem):
    """A bearer token lacks the scope that this needs."""

    status, slug = 403, "missing-scope"


class InvitationNeeded(Problem):
    """New players need an invitation by the operator; the code is missing, used, or too old."""

    status, slug = 403, "invitation-needed"


class NotFound(Problem):
    """There is no such thing, or the caller may not see it."""

    status, slug = 404, "not-found"


class NoSuchTable(NotFound):
    """There is no such table, or it is private: the answer does not tell which."""

    detail = "table"


class MethodNotAllowed(Problem):
    """This path does not support this method."""

    status, slug = 405, "method-not-allowed"


class Stale(Problem):
    """The answer is to an earlier question; `game` is the current view."""

    status, slug = 409, "stale"


class OtherAnswer(Problem):
    """The seat has already answered this question differently, by event `number`."""

    status, slug = 409, "other-answer"


class OtherMessage(Problem):
    """The caller has said something else with the same `once`."""

    status, slug = 409, "other-message"


class Unfinished(Problem):
    """The first request with this `Idempotency-Key` is not answered yet, or never was."""

    status, slug = 409, "unfinished"


class TableFull(Problem):
    """Every seat is taken."""

    status, slug = 409, "table-full"


class OtherNonce(Problem):
    """The caller has brought another nonce for the shuffles of this game, and none can be changed."""

    status, slug = 409, "other-nonce"


class TooManyNonces(Problem):
    """As many nonces have been brought to this table as there may be."""

    status, slug = 409, "too-many-nonces"


class NoCommitment(Problem):
    """A nonce cannot be brought yet: this request opens the table whose commitment has to be known before."""

    status, slug = 409, "no-commitment"


class TooManyTables(Problem):
    """The caller has as many tables that have not started as anybody may have."""

    status, slug = 409, "too-many-tables"


class AlreadySeated(Problem):
    """The caller sits at this table."""

    status, slug = 409, "already-seated"


class NotFull(Problem):
    """Seats are empty, so the game cannot start."""

    status, slug = 409, "not-full"


class NotOpen(Problem):
    """The game has started."""

    status, slug = 409, "not-open"


class NotRunning(Problem):
    """The game has not started, or is over."""

    status, slug = 409, "not-running"


class NotOver(Problem):
    """The game is not over yet."""

    status, slug = 409, "not-over"


class ChangesGone(Problem):
    """What changed since then is not kept."""

    status, slug = 410, "changes-gone"


class AlreadyRegistered(Problem):
    """The caller has registered before."""

    status, slug = 409, "already-registered"


class NotRegistered(Problem):
    """A guest has neither password nor address."""

    status, slug = 409, "not-registered"


class HandleTaken(Problem):
    """Somebody else has this handle, or it is reserved."""

    status, slug = 409, "handle-taken"


class NameTaken(Problem):
    """The name of somebody else at the table looks the same."""

    status, slug = 409, "name-taken"


class NotPossible(Problem):
    """This is not possible in the current state of the table; `why` says why."""

    status, slug = 409, "not-possible"

    def __init__(self, why: str) -> None:
        super().__init__(why=why)
        self.detail = why


class TooEarly(Problem):
    """It is too early to nudge anybody; `nudge_from` says from when it is possible."""

    status, slug = 409, "too-early"


class AlreadyProposed(Problem):
    """The same proposal is already open at this table."""

    status, slug = 409, "already-proposed"


class HeldAnother(Problem):
    """The caller has held another seat of this game, and knows what was hidden there."""

    status, slug = 409, "held-another"


class TooManyWebhooks(Problem):
    """The player has as many webhooks as are allowed; `most` says how many."""

    status, slug = 409, "too-many-webhooks"


class WebhooksOff(Problem):
    """The operator has switched webhooks off, or the owner this one."""

    status, slug = 409, "webhooks-off"


class BodyTooLarge(Problem):
    """The body is over 64 KiB."""

    status, slug = 413, "body-too-large"


class UriTooLong(Problem):
    """The path and the query are too long."""

    status, slug = 414, "uri-too-long"


class HeadersTooLarge(Problem):
    """A header, or all of them, is too long."""

    status, slug = 431, "headers-too-large"


class UnsupportedMediaType(Problem):
    """The content type of the body is not JSON."""

    status, slug = 415, "unsupported-media-type"


class IllegalAction(Problem):
    """The rules do not allow this action now; `why` says why, `legal` what they allow."""

    status, slug = 422, "illegal-action"


class WrongLink(Problem):
    """This link was not made by this server."""

    status, slug = 422, "wrong-link"


class OtherRequest(Problem):
    """Something else was sent with the same `Idempotency-Key` before."""

    status, slug = 422, "other-request"


class UnknownRuleset(Problem):
    """There is no such ruleset."""

    status, slug = 422, "unknown-ruleset"


class InvalidPlayers(Problem):
    """The ruleset is not for this number of players."""

    status, slug = 422, "invalid-players"


class InvalidOptions(Problem):
    """The ruleset has no such option or value; `wrong` names it, or the values cannot be combined."""

    status, slug = 422, "invalid-options"


class UnusableName(Problem):
    """Nobody may have this name; `why` says why."""

    status, slug = 422, "unusable-name"

    def __init__(self, why: str) -> None:
        super().__init__(why=why)
        self.detail = why


class CommonPassword(Problem):
    """The password that was chosen is easily guessed."""

    status, slug = 422, "common-password"


class PersonalPassword(Problem):
    """The password that was chosen is the name, the handle or the address of the person, perhaps with digits."""

    status, slug = 422, "personal-password"


class UnknownTimeZone(Problem):
    """There is no time zone with this name."""

    status, slug = 422, "unknown-time-zone"


class InvalidQuietHours(Problem):
    """Quiet hours that are empty, or longer than half a day."""

    status, slug = 422, "invalid-quiet-hours"


class ForbiddenAddress(Problem):
    """Nothing is sent to such an address."""

    status, slug = 422, "forbidden-address"


class InvalidVacation(Problem):
    """The vacation is not possible; `why` says why, `days_left` how many days of the year are left."""

    status, slug = 422, "invalid-vacation"


class TooManyRequests(Problem):
    """The caller is over a documented limit."""

    status, slug = 429, "too-many-requests"


class NotReady(Problem):
    """Something is missing without which the server cannot do all of its work; `checks` says what."""

    status, slug = 503, "not-ready"


class Unavailable(Problem):
    """The database cannot be reached just now."""

    status, slug = 503, "unavailable"
