"""Records of format 2 that a forger could make: consistent in themselves, except for a test's change."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import struct
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = dict[str, Any]
GAME, SEED = "g_0123456789ABCDEFGHIJKL", bytes(range(32))
KEY, OTHER_KEY = (Ed25519PrivateKey.from_private_bytes(bytes([n] * 32)) for n in (1, 2))
NONCES = ("00112233445566778899aabbccddeeff", "0123456789abcdef")
AGREED = ("ruleset", "version", "players", "options", "seating")
AT = "2026-11-25T22:00:00.000Z"


def canonical(value: Any) -> str:
    """Canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def public(key: Ed25519PrivateKey) -> str:
    """The public key in hexadecimal."""
    return key.public_key().public_bytes_raw().hex()


def sign(key: Ed25519PrivateKey, number: int, head: str, game: str = GAME) -> str:
    """The signature of a head."""
    told = {"format": "tegami-head/1", "game": game, "head": head, "number": number}
    return key.sign(canonical(told).encode()).hex()


def shuffled(items: list[str], ordinal: int, seed: bytes = SEED) -> list[str]:
    """The result of shuffle `ordinal` of these items: derivation 2."""
    texts = [each.encode() for each in ("tegami/shuffle/2", GAME, *NONCES)]
    words, block, made = list[int](), 0, sorted(items, key=str.encode)
    for i in range(len(made) - 1, 0, -1):
        while True:
            if not words:
                parts = [*texts, struct.pack(">Q", ordinal), struct.pack(">I", block)]
                message = b"".join(struct.pack(">I", len(each)) + each for each in parts)
                words = list(struct.unpack(">8I", hmac.digest(seed, message, "sha256")))
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        made[i], made[j] = made[j], made[i]
    return made


def heads_of(record: Json) -> list[str]:
    """The digests of the events."""
    digest, heads = bytes(32), list[str]()
    for event in record["events"]:
        digest = hashlib.sha256(digest + canonical(event).encode()).digest()
        heads.append(digest.hex())
    return heads


def sealed(record: Json, key: Ed25519PrivateKey = KEY) -> Json:
    """The record with the head, signature and digest that fit its events."""
    made = {name: value for name, value in record.items() if name != "digest"}
    head = heads_of(record)[-1]
    signature = sign(key, len(record["events"]), head, record["game"])
    made |= {"head": head, "key": public(key), "signature": signature}
    return {**made, "digest": hashlib.sha256(canonical(made).encode()).hexdigest()}


def a_record() -> Json:
    """A record with two deals and five actions. No rules allow this game, which the page cannot tell."""
    sat, cards = (
        ["t_a", "t_b", "t_c"],
        [f"{rank}{suit}" for suit in "shdc" for rank in "A23456789TJQK"],
    )
    start = {
        "kind": "start",
        "format": 3,
        "game": GAME,
        "ruleset": "caravan",
        "version": 1,
        "players": 3,
        "options": {"joker": "none", "rate": 0.5},
        "seating": "random",
        "sat": sat,
        "seats": shuffled(sat, 0),
        "house": [False, False, True],
        "nonces": [{"tenure": t, "nonce": n} for t, n in zip(sat, NONCES, strict=False)],
        "commitment": hashlib.sha256(SEED).hexdigest(),
    }
    moves = [
        {"kind": "action", "seat": n % 2, "by": "seat", "action": {"type": "play", "card": card}}
        for n, card in enumerate(cards[:5])
    ]
    second = {
        "kind": "chance",
        "name": "again",
        "outcome": shuffled(["赤", "Jk", "Jk", "ﾊ", "🂡"], 2),
    }
    first = {"kind": "chance", "name": "stock", "outcome": shuffled(cards, 1)}
    events = [start, first, *moves[:3], {"kind": "pause"}, {"kind": "resume"}, second, *moves[3:]]
    numbered = [
        {**event, "number": n, "salt": f"{n:032x}", "at": AT} for n, event in enumerate(events, 1)
    ]
    result = {"winners": [0], "scores": [1, -2, None], "reason": "sold"}
    made = {"format": "tegami-record/2", "game": GAME, "seed": SEED.hex(), "events": numbered}
    return sealed({**made, "result": result})


def seen_of(record: Json, key: Ed25519PrivateKey = KEY) -> Json:
    """What somebody in seat 0 has seen and sent."""
    heads = heads_of(record)
    shown = [
        {"number": n, "head": heads[n - 1], "signature": sign(key, n, heads[n - 1], record["game"])}
        for n in (2, 4, len(heads))
    ]
    sent = [
        {name: event[name] for name in ("number", "seat", "action")}
        for event in record["events"]
        if event.get("seat") == 0
    ]
    start = record["events"][0]
    return {
        "key": public(key),
        "commitment": start["commitment"],
        "nonce": NONCES[0],
        "agreed": {name: start[name] for name in AGREED},
        "sat": ["t_left", "t_a", "t_b"],
        "nonces": start["nonces"],
        "heads": shown,
        "actions": sent,
    }


def changed(record: Json, *path: Any, to: Any = None) -> Json:
    """A copy with another value at this place, or without it."""
    made = copy.deepcopy(record)
    place = made
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return made
