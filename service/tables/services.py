"""What use cases, mails and workers of one application share: settings, clock and randomness, states, passwords."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.log.event_log import States
from service.log.records.signed_heads import HeadSigner
from service.people.credentials.passwords import Passwords


class KeptAnswers:
    """The latest answers that show a game to somebody who sits at it, as bytes, by game and tag. Thread-safe.

    Equal tags mean equal bytes, and a tag is made with the tenure: nobody else's request can ask for it.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def put(self, game_id: str, tag: str, answer: bytes) -> None:
        """Keep this answer, in place of the one that was kept longest if there are too many."""
        with self._lock:
            self._answers[game_id, tag] = answer
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)

    def get(self, game_id: str, tag: str) -> bytes | None:
        """The answer with this tag, if it is kept."""
        with self._lock:
            return self._answers.get((game_id, tag))


class Services(NamedTuple):
    """What an application was made with."""

    config: Config
    runtime: Runtime
    states: States
    answers: KeptAnswers
    heads: HeadSigner
    passwords: Passwords
