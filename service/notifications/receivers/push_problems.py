"""Why a browser cannot be told anything: problems beside those of service/core/runtime/problems.py."""

from __future__ import annotations

from service.core.runtime.problems import Problem


class PushOff(Problem):
    """The operator lets the server push nothing."""

    status, slug = 409, "push-off"


class TooManyBrowsers(Problem):
    """The player is told in as many browsers as are allowed; `most` says how many."""

    status, slug = 409, "too-many-browsers"


class InvalidSubscription(Problem):
    """By what a browser has sent it cannot be told anything."""

    status, slug = 422, "invalid-subscription"
