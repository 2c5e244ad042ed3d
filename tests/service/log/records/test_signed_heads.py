"""Signed heads: in the API and in turn mails, under one key that everybody can request."""

from __future__ import annotations

import base64
import time

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.log.records.signed_heads import HeadSigner, is_signed, short_form
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.post_office import Office, part

KEY = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
"""The public key to the private key of 32 zero bytes (RFC 8032 says how it is derived)."""


def check(game_id: str, number: int, head: str, signature: str) -> None:
    """Raise InvalidSignature unless the server has signed this; the text is composed by hand, from the document."""
    text = f'{{"format":"tegami-head/1","game":"{game_id}","head":"{head}","number":{number}}}'
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(KEY)).verify(
        bytes.fromhex(signature), text.encode()
    )


def check_shown(game) -> None:
    check(game["id"], game["number"], game["head"], game["head_signature"])


@sqlite_only
def test_everybody_can_ask_for_the_key(cast):
    assert cast.nobody.get("/api/key") == {"algorithm": "Ed25519", "key": KEY}
    answer = cast.nobody.send("GET", "/api/key")
    again = cast.nobody.send("GET", "/api/key", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")


@pytest.mark.both_databases
def test_every_head_that_is_shown_is_signed(cast):
    game_id = cast.open(CARAVAN)
    assert cast.alice.game(game_id)["head_signature"] is None
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    started = cast.alice.post(f"/api/games/{game_id}/start", status=200)
    check_shown(started)
    moves = list(cast.moves(game_id))
    for move in moves:
        check_shown(move.shown)
        check_shown(move.played["game"])
    over = cast.nobody.game(game_id)
    assert over["status"] == "over"
    check_shown(over)
    numbers = {move.shown["number"] for move in moves}
    assert len({move.shown["head_signature"] for move in moves}) == len(numbers) > 9


@sqlite_only
def test_a_signature_holds_for_nothing_else(cast):
    game = cast.alice.game(cast.start(BOOMERANG))
    shown = (game["id"], game["number"], game["head"], game["head_signature"])
    check(*shown)
    for place, other in enumerate(("g_other", game["number"] + 1, "0" * 64, "0" * 128)):
        with pytest.raises(InvalidSignature):
            check(*shown[:place], other, *shown[place + 1 :])


@sqlite_only
def test_everybody_is_shown_the_same_signature(cast):
    game_id = cast.start(BOOMERANG)
    people = (*cast.seated, cast.nobody)
    assert len({person.game(game_id)["head_signature"] for person in people}) == 1


def test_signing_costs_a_poll_next_to_nothing():
    """A head is signed only once, however often it is shown; and even that takes far less than a millisecond."""
    signer, head = HeadSigner(bytes(32)), bytes(32)
    first = signer.sign("g_1", 1, head)
    begun = time.process_time()
    assert all(signer.sign("g_1", 1, head) is first for _ in range(10_000))
    assert time.process_time() - begun < 1
    assert HeadSigner(bytes(32)).sign("g_1", 1, head) == first, "every process says the same"


def test_the_check_of_a_signature():
    signer, head = HeadSigner(bytes(range(32))), bytes(32)
    signature = signer.sign("g_1", 7, head)
    assert is_signed(signer.public_key, "g_1", 7, head, signature)
    assert not is_signed(HeadSigner(bytes(32)).public_key, "g_1", 7, head, signature)
    assert not is_signed(signer.public_key, "g_1", 8, head, signature)
    assert not is_signed(signer.public_key, "g_1", 7, head, signature[:-1])
    assert not is_signed(bytes([255]) * 32, "g_1", 7, head, signature), "no point of the curve"


def decoded(letters: str) -> str:
    return base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)).hex()


@sqlite_only
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "This is the server’s signature of the game up to here."),
        ("ja", "ここまでの経過に対するサーバーの署名です。"),
    ],
)
def test_turn_mails_end_with_the_head_and_its_signature(app, cast, language, words):
    office = Office(app)
    office.address(cast.alice, language=language)
    game = cast.alice.game(cast.start(BOOMERANG))
    (mail,) = office.deliver()
    text, html = part(mail), part(mail, "html")
    assert words in text and words in html
    (line,) = [each for each in text.splitlines() if each.startswith(f"{game['number']}.")]
    number, head, signature = line.split(".")
    check(game["id"], int(number), decoded(head), decoded(signature))
    assert line in html
    assert line == short_form(
        game["number"], bytes.fromhex(game["head"]), bytes.fromhex(game["head_signature"])
    )
    assert text.index("\n-- ") < text.index(line)


@sqlite_only
def test_other_mails_have_no_head(app, cast):
    office = Office(app)
    office.address(cast.alice)
    game_id = cast.start(BOOMERANG)
    office.deliver()
    cast.play(game_id)
    assert all("server’s signature" not in part(mail) for mail in office.deliver())
