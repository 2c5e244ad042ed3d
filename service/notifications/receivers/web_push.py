"""Web Push: what a browser is told, in a message that only it can read (RFC 8291) and that proves who sends (RFC 8292).

It is told the subject of the mail that says the same, and where a touch of it leads. So nothing is told that a locked
screen should not show: no card, no talk, no move. It is worded when it is sent, in the language of the player, and not
kept.

`pywebpush` encrypts and `py_vapid`, which comes with it, signs. They do not send: what leaves here goes through one
guard (guarded_post.py), since the address of a push service is what a browser says it is.
"""

from __future__ import annotations

import base64
import functools
import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rules.kernel import text
from service.core.models.mail import OutboxRow
from service.core.models.receivers import Delivery, Receiver
from service.core.runtime.units import DAY, HOUR, SECOND
from service.core.settings.config import Config
from service.notifications.mail_sending.bundling import deadline_of
from service.notifications.mail_texts.kinds import KINDS
from service.notifications.mail_texts.message import sender_address
from service.notifications.receivers.guarded_post import Request
from service.outbox import digests, queue
from service.people import players
from service.tables.services import Services

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256: a private key is a number from 1 up to the one before it."""
PADDED = 1024
"""Every message is filled up with spaces to a multiple of so many bytes: its length does not tell what it says."""
PROOF = 12 * HOUR
"""Ms for which a proof of who sends counts; push services allow a day."""
TOPIC_BYTES = 24
"""Of a digest, so that 32 characters name a topic: as many as there may be."""
KEPT = 3 * DAY
"""Ms for which a push service keeps a message at most for a browser that is not running."""
DIGEST_KEPT = DAY
"""The same of a digest, after which there is another one."""
URGENCY = {"reminder": "high", "told": "low", "over": "low", "before-start": "low"}
"""By the kind of mail, whether it wakes a device with a weak battery (RFC 8030); any other is `normal`."""


def public_key(config: Config) -> str:
    """The public key of this server, as browsers ask for it when they subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # as below

    key = _server_key(config.push_key).public_key()
    return encoded(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


@functools.lru_cache(maxsize=4)
def _server_key(drawn: bytes) -> ec.EllipticCurvePrivateKey:
    """The private key that the bytes of `push.key` stand for."""
    from cryptography.hazmat.primitives.asymmetric import ec  # only Web Push needs curves

    return ec.derive_private_key(int.from_bytes(drawn, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def is_public_key(value: str) -> bool:
    """Whether this is a point of the curve, in base64 for addresses."""
    from cryptography.hazmat.primitives.asymmetric import ec  # as above

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(value))
    except ValueError:
        return False
    return True


def request(services: Services, browser: Receiver, delivery: Delivery) -> Request | None:
    """What is sent about a delivery; None if there is nothing to be told any more: the turn was taken meanwhile."""
    row, config, now = queue.find(delivery.change), services.config, services.now()
    if row is None:
        return None
    kind, is_digest = KINDS[row.kind], row.kind == digests.KIND
    # a digest has perhaps been sent, and then no other one is due on this day
    is_relevant = is_digest or kind.is_relevant(services, row)
    mail = kind.render(services, row) if is_relevant else None
    if mail is None:
        return None
    told = {
        "words": mail.subject,
        "url": f"/games/{delivery.game}" if mail.thread else "/",
        "tag": delivery.game or row.kind,
        "language": players.get(browser.player_id).language,
    }
    headers = {
        "Authorization": _proof(config, now, browser.url),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_kept(row, now) // SECOND),
        "Topic": _topic(config, browser, told["tag"]),
        "Urgency": URGENCY.get(row.kind, "normal"),
    }
    return Request(browser.url, headers, _encrypted(browser, text(told).encode()))


def _kept(row: OutboxRow, now: int) -> int:
    """For how long (ms) a message is of use: a turn until its time is over."""
    if row.kind == digests.KIND:
        return DIGEST_KEPT
    due = deadline_of(row)
    return KEPT if due is None else max(0, min(KEPT, due - now))


def _topic(config: Config, browser: Receiver, about: str) -> str:
    """A name that tells the push service nothing; of two messages with one name it keeps the newer for a browser."""
    named = f"topic {browser.id} {about}".encode()
    return encoded(hmac.digest(config.secret_key, named, "sha256")[:TOPIC_BYTES])


def _encrypted(browser: Receiver, message: bytes) -> bytes:
    from pywebpush import WebPusher  # brings HTTP clients: only what sends pays for that

    padded = message + b" " * (-len(message) % PADDED)
    return bytes(WebPusher({"endpoint": browser.url, "keys": browser.keys}).encode(padded)["body"])


def _proof(config: Config, now: int, endpoint: str) -> str:
    """Who sends (VAPID), to be shown to the push service at this address alone."""
    from py_vapid import Vapid02  # comes with pywebpush: as above

    parts, contact = urlsplit(endpoint), config.contact or ""
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": (now + PROOF) // SECOND,
        "sub": f"mailto:{contact if '@' in contact else sender_address(config)}",
    }
    vapid = Vapid02(_server_key(config.push_key), {"no-strict": True})
    return str(vapid.sign(claims)["Authorization"])


def encoded(value: bytes) -> str:
    """Base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(value: str) -> bytes:
    """The reverse. Raises ValueError."""
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
