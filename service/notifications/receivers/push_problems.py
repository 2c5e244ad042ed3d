"""Why a browser cannot be told anything: problems beside those of service/core/runtime/problems.py."""

from __future__ import annotations

from service.core.runtime.problems import kind

PushOff = kind(409, "push-off")
"""The operator lets the server push nothing."""
TooManyBrowsers = kind(409, "too-many-browsers")
"""The player is told in as many browsers as are allowed; `most` says how many."""
InvalidSubscription = kind(422, "invalid-subscription")
"""By what a browser has sent it cannot be told anything."""
