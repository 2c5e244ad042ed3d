"""What use cases, mails and workers of one application share: settings, clock and randomness, states, passwords."""

from __future__ import annotations

from typing import NamedTuple

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log.event_log import States
from service.log.records.signed_heads import HeadSigner
from service.people.credentials.passwords import Passwords


class Services(NamedTuple):
    """What an application was made with."""

    config: Config
    runtime: Runtime
    states: States
    heads: HeadSigner
    passwords: Passwords
