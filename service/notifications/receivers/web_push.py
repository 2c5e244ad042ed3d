"""Web Push: a message that only one browser can read (RFC 8291), from a server that proves who it is (RFC 8292).

`pywebpush` encrypts and `py_vapid`, which comes with it, signs. They do not send: what leaves here goes through one
guard (guarded_post.py), since the address of a push service is what a browser says it is.
"""

from __future__ import annotations

import base64
import functools
import hmac
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from service.core.models.receivers import ReceiverRow
from service.core.runtime.units import HOUR, SECOND
from service.core.settings.config import Config
from service.notifications.mail_texts.message import sender_address
from service.notifications.receivers.guarded_post import Request

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


class PushMessage(NamedTuple):
    """What is sent to a browser."""

    text: bytes
    topic: str
    """Of two with the same topic that the push service has kept for a browser, the newer one replaces the older."""
    urgency: str
    """`high`, `normal` or `low` (RFC 8030): whether it wakes a device with a weak battery."""
    kept: int
    """For how long (ms) the push service keeps it for a browser that is not running."""


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


def request(config: Config, now: int, browser: ReceiverRow, message: PushMessage) -> Request:
    """What is sent to a browser's push service, for which the topic is a name that tells it nothing."""
    from pywebpush import WebPusher  # brings HTTP clients: only what sends pays for that

    padded = message.text + b" " * (-len(message.text) % PADDED)
    body = WebPusher({"endpoint": browser.url, "keys": browser.keys}).encode(padded)["body"]
    about = f"topic {browser.id} {message.topic}".encode()
    topic = hmac.digest(config.secret_key, about, "sha256")[:TOPIC_BYTES]
    headers = {
        "Authorization": _proof(config, now, browser.url),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, message.kept) // SECOND),
        "Topic": encoded(topic),
        "Urgency": message.urgency,
    }
    return Request(browser.url, headers, bytes(body))


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
