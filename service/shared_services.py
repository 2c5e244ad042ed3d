"""What use cases, mails and workers of one application share: settings, clock and randomness, states, passwords."""

from __future__ import annotations

from typing import NamedTuple

from service.core.config import Config
from service.core.time_and_random import Runtime
from service.game.event_log import States
from service.game.signed_heads import HeadSigner
from service.people.passwords import Passwords


class Services(NamedTuple):
    """What an application was made with."""

    config: Config
    runtime: Runtime
    states: States
    heads: HeadSigner
    passwords: Passwords
