"""The things that use cases, emails and workers of one application share: settings, clock, randomness, states,
passwords.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log.event_log import States
from service.log.records.signed_heads import HeadSigner
from service.people.credentials.passwords import Passwords


@dataclass(frozen=True, kw_only=True)
class Services(Runtime):
    """An application's Runtime, together with the other things that its use cases share."""

    config: Config
    states: States
    heads: HeadSigner
    passwords: Passwords
