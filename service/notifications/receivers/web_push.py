"""Web Push: notifications in a browser, as messages that only it can read (RFC 8291) and that prove their sender.

RFC 8292 describes the proof. A notification has the subject of the email with the same news, and the address that opens
when it is touched. So it contains nothing that a locked screen should not show: no card, no talk, no move. It is worded
when it is sent, in the language of the player, and not stored.

`pywebpush` encrypts and `py_vapid`, which comes with it, signs. They do not send: all requests go through one guard
(guarded_post.py), since a browser can state any address for its push service.
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
from service.notifications.mail_texts.message import Mail, sender_address
from service.notifications.receivers.guarded_post import Request
from service.outbox import digests, queue
from service.people import players
from service.tables.services import Services

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256: a private key is at least 1 and less than this."""
PADDED = 1024
"""The number of bytes to a multiple of which messages are padded with spaces, so that their length reveals nothing."""
PROOF = 12 * HOUR
"""The time (ms) for which a proof of the sender is valid; push services allow a day."""
TOPIC_BYTES = 24
"""The length in bytes of a digest that names a topic: as 32 characters, the most allowed."""
KEPT = 3 * DAY
"""The longest time (ms) for which a push service keeps a message for a browser that is not running."""
DIGEST_KEPT = DAY
"""The longest time (ms) for which a push service keeps a digest, after which the next one comes."""
URGENCY = {"reminder": "high", "told": "low", "over": "low", "before-start": "low"}
"""The urgency of a message by the kind of email: whether it wakes a device with a weak battery (RFC 8030).

Kinds without an entry are `normal`.
"""


def public_key(config: Config) -> str:
    """The public key of this server, which browsers need in order to subscribe."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # as below

    key = _server_key(config.push_key).public_key()
    return encoded(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


@functools.lru_cache(maxsize=4)
def _server_key(drawn: bytes) -> ec.EllipticCurvePrivateKey:
    """The private key that the bytes of `push.key` represent."""
    from cryptography.hazmat.primitives.asymmetric import ec  # only Web Push needs curves

    return ec.derive_private_key(int.from_bytes(drawn, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def is_public_key(value: str) -> bool:
    """Whether the value is a point of the curve, in URL-safe base64."""
    from cryptography.hazmat.primitives.asymmetric import ec  # as above

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(value))
    except ValueError:
        return False
    return True


def request(services: Services, browser: Receiver, delivery: Delivery) -> Request | None:
    """The request for a delivery; None if there is no longer any news, since the turn has been taken by now."""
    row, config, now = queue.find(delivery.change), services.config, services.now()
    if row is None:
        return None
    kind, is_digest = KINDS[row.kind], row.kind == digests.KIND
    # If a digest was sent after all, no other one is due on this day.
    is_relevant = is_digest or kind.is_relevant(services, row)
    mail = kind.render(services, row) if is_relevant else None
    if mail is None:
        return None
    told = {
        "words": mail.subject,
        "url": kind.page(row) if kind.page else _page_of(delivery, mail),
        "tag": delivery.game or row.kind,
        "language": players.get(browser.player_id).language,
    }
    headers = {
        "Authorization": _proof(config, now, browser.url),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_kept(row, now) // SECOND),
        "Topic": _topic(config, browser, told["tag"]),
        "Urgency": "high" if kind.is_awaited(row) else URGENCY.get(row.kind, "normal"),
    }
    return Request(browser.url, headers, _encrypted(browser, text(told).encode()))


def _page_of(delivery: Delivery, mail: Mail) -> str:
    """The path of the table that the message is about, or of the first page."""
    return f"/games/{delivery.game}" if mail.thread else "/"


def _kept(row: OutboxRow, now: int) -> int:
    """The time (ms) for which a message is of use: for a turn, until its deadline."""
    if row.kind == digests.KIND:
        return DIGEST_KEPT
    due = deadline_of(row)
    return KEPT if due is None else max(0, min(KEPT, due - now))


def _topic(config: Config, browser: Receiver, about: str) -> str:
    """A name for the topic that tells the push service nothing.

    Of two messages with one name, it keeps only the newer one for a browser.
    """
    named = f"topic {browser.id} {about}".encode()
    return encoded(hmac.digest(config.secret_key, named, "sha256")[:TOPIC_BYTES])


def _encrypted(browser: Receiver, message: bytes) -> bytes:
    from pywebpush import WebPusher  # it brings HTTP clients, so only senders load it

    padded = message + b" " * (-len(message) % PADDED)
    return bytes(WebPusher({"endpoint": browser.url, "keys": browser.keys}).encode(padded)["body"])


def _proof(config: Config, now: int, endpoint: str) -> str:
    """The proof of the sender (VAPID), valid only for the push service at this address."""
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
    """The bytes in URL-safe base64, without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(value: str) -> bytes:
    """The bytes of URL-safe base64. Raises ValueError if the text is not base64."""
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
