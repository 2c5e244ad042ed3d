"""Answers that are kept for a day, so that a repeated request gets the one from before.

An answer may hold a secret that is shown only once. So it is encrypted with a key that follows from the client's own
key, of which only a digest is kept: whoever reads the database cannot read the answers.
"""

from __future__ import annotations

import hmac

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import delete, select, update

from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.kept_answers import KeptAnswer
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY

KEPT = DAY
"""Ms for which an answer is kept."""
_NONCE = 12
"""Bytes that make every encryption another one."""


class Keeper:
    """Keeps the answer to one request, which `key` and `scope` name: who sends it, and to which operation."""

    def __init__(self, runtime: Runtime, secret: bytes, scope: str, key: str) -> None:
        named = f"{scope} {key}".encode()
        self._runtime = runtime
        self._digest = hmac.digest(secret, b"repeat " + named, "sha256")
        self._cipher = AESGCM(hmac.digest(secret, b"answer " + named, "sha256"))

    def claim(self, request: bytes) -> bool:
        """Whether this is the first request of this name; `request` is a digest of what is sent."""
        now = self._runtime.now()
        row = {"digest": self._digest, "request": request, "ends_at": now + KEPT}
        with transaction():
            ended = KeptAnswer.ends_at <= now
            db.session.execute(delete(KeptAnswer).where(KeptAnswer.digest == self._digest, ended))
            claiming = insert_unless_there(KeptAnswer.__table__).values(row)
            return db.session.scalar(claiming.returning(KeptAnswer.digest)) is not None

    def before(self) -> tuple[bytes, bytes | None]:
        """The digest of the first request, and the answer to it; None: there is none yet."""
        query = select(KeptAnswer.request, KeptAnswer.answer).where(
            KeptAnswer.digest == self._digest
        )
        found = db.session.execute(query).one_or_none()
        if found is None:
            return b"", None
        return bytes(found.request), found.answer and self._decrypted(bytes(found.answer))

    def keep(self, answer: bytes) -> None:
        """Keep the answer to the request."""
        nonce = self._runtime.entropy(_NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, answer, None)
        with transaction():
            mine = update(KeptAnswer).where(KeptAnswer.digest == self._digest)
            db.session.execute(mine.values(answer=sealed))

    def forget(self) -> None:
        """Nothing was created: the same key may be used again."""
        with transaction():
            db.session.execute(delete(KeptAnswer).where(KeptAnswer.digest == self._digest))

    def _decrypted(self, sealed: bytes) -> bytes:
        return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], None)
