"""Signatures of links: for one key, one purpose and one content."""

from __future__ import annotations

import re

from service.core.runtime.signatures import is_same, signature


def test_a_signature_is_for_one_purpose_key_and_content():
    made = {
        signature(secret, purpose, *about)
        for secret in (bytes(32), b"\1" * 32)
        for purpose in ("move", "vote")
        for about in (("a", 1), ("a", 2), ("a1",), ("a", "1"), ("a",))
    }
    assert len(made) == 2 * 2 * 5
    assert all(re.fullmatch(r"[\w-]{43}", each) for each in made)


def test_only_the_same_signature_is_the_same():
    made = signature(bytes(32), "move", "a")
    assert is_same(made, signature(bytes(32), "move", "a"))
    assert not is_same(made, made[:-1]) and not is_same(made[:22], made)
