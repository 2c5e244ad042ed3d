"""`tegami verify --seen`: the vectors of docs/record.md, each refusal, and the command's output."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rules.kernel import text
from service.core.settings.config import ROOT
from service.log.records.signed_heads import HeadSigner, is_signed, short_form
from service.operations.commands.main import main
from tests.support import record_verifier, seen_verifier
from tests.support.in_one_go import in_one_go
from tests.support.record_hashing import Refused

DOCUMENT = (ROOT / "docs/record.md").read_text(encoding="utf-8")
VECTORS = {
    name: json.loads(block)
    for name, block in re.findall(
        r"^```json ([\w-]+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL
    )
}
RECORD, HEAD, SEEN = VECTORS["record"], VECTORS["head"], VECTORS["seen"]
EARLIER = VECTORS["earlier-record"]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """The command, with a record and what somebody kept about it; the second verifier has to say the same."""
    record, kept = tmp_path / "record.json", tmp_path / "seen.json"

    def verify(seen: Any, of: Any = RECORD) -> Result:
        record.write_bytes(text(of).encode())
        kept.write_bytes(seen if isinstance(seen, bytes) else json.dumps(seen, indent=1).encode())
        answer = CliRunner().invoke(main, ["verify", str(record), "--seen", str(kept)])
        try:
            seen_verifier.compare(record_verifier.verify(record.read_bytes()), kept.read_bytes())
        except Refused:
            assert answer.exit_code == 1
        else:
            assert answer.exit_code == 0, answer.output
        return answer

    return verify


def changed(seen: Any, at: list[Any], change: dict[str, Any]) -> Any:
    """`seen` with another value at this place, or none."""
    made = copy.deepcopy(seen)
    place = made
    for step in at[:-1]:
        place = place[step]
    if "value" in change:
        place[at[-1]] = change["value"]
    else:
        del place[at[-1]]
    return made


def test_the_signed_head_of_the_document() -> None:
    key = bytes.fromhex(HEAD["private_key"])
    told, signature = json.loads(HEAD["text"]), bytes.fromhex(HEAD["signature"])
    head = bytes.fromhex(told["head"])
    signer = HeadSigner(key)
    assert signer.public_key.hex() == HEAD["key"]
    assert signer.sign(told["game"], told["number"], head) == signature
    assert Ed25519PrivateKey.from_private_bytes(key).sign(HEAD["text"].encode()) == signature
    assert is_signed(signer.public_key, told["game"], told["number"], head, signature)
    assert short_form(told["number"], head, signature) == HEAD["short"]


def test_what_was_kept_fits_the_record(run: Any) -> None:
    answer = run(SEEN)
    assert answer.exit_code == 0, answer.output
    told = "3 heads, 2 actions, the commitment, the nonce, what was agreed on"
    told += ", the order of sitting down, 2 nonces of tenures."
    assert told in answer.output
    assert f"under the key in the file of what was seen: {SEEN['key']}" in answer.output


def test_only_the_two_lists_are_required(run: Any) -> None:
    least = {name: SEEN[name] for name in ("format", "game")} | {"heads": [], "actions": []}
    answer = run(least)
    assert answer.exit_code == 0, answer.output
    assert "0 heads, 0 actions." in answer.output


@in_one_go("refusal", VECTORS["unseen"], ids=lambda refusal: refusal["at"])
def test_every_statement_is_held_against_the_record(run: Any, refusal: Any) -> None:
    answer = run(changed(SEEN, refusal["at"], refusal))
    assert answer.exit_code == 1
    assert refusal["why"] in answer.output
    assert "right" not in answer.output


def test_the_first_statement_that_fails_is_named(run: Any) -> None:
    """If there are several, the order of the document decides."""
    wrong = copy.deepcopy(SEEN)
    first_at_each_place = {str(each["at"]): each for each in reversed(VECTORS["unseen"])}
    for place in (
        ["actions", 0, "action"],
        ["heads", 0, "signature"],
        ["heads", 0, "head"],
        ["nonces", 0, "nonce"],
        ["sat"],
        ["agreed", "seating"],
        ["nonce"],
        ["commitment"],
        ["game"],
    ):
        refusal = first_at_each_place[str(place)]
        wrong = changed(wrong, place, refusal)
        assert refusal["why"] in run(wrong).output


def test_without_a_key_that_of_the_record_is_used(run: Any) -> None:
    """The output says that it was."""
    answer = run({name: value for name, value in SEEN.items() if name != "key"})
    assert answer.exit_code == 0, answer.output
    told = "under the key in the record, for the other file has none"
    assert f"{told}: {RECORD['key']}" in answer.output


def seen_of_earlier() -> Any:
    """What somebody kept about the record of the earlier format, which has no key."""
    signer = HeadSigner(bytes(32))
    number, head = len(EARLIER["events"]), EARLIER["head"]
    signature = signer.sign(EARLIER["game"], number, bytes.fromhex(head)).hex()
    heads = [{"number": number, "head": head, "signature": signature}]
    seen = {"format": SEEN["format"], "game": EARLIER["game"], "heads": heads, "actions": []}
    start = EARLIER["events"][0]
    nonce = start["nonces"][0]
    left, stayed = ({"tenure": each, "nonce": nonce} for each in ("t_" + "0" * 22, start["sat"][0]))
    before = {"sat": [left["tenure"], *start["sat"]], "nonces": [left, stayed]}
    return {**seen, "key": signer.public_key.hex(), "nonce": nonce, **before}


def test_a_record_of_the_earlier_format_is_compared_too(run: Any) -> None:
    assert run(seen_of_earlier(), EARLIER).exit_code == 0
    wrong = run({**seen_of_earlier(), "key": SEEN["key"]}, EARLIER)
    assert wrong.exit_code == 1 and "the signature of the head of event" in wrong.output
    wrong = run({**seen_of_earlier(), "sat": EARLIER["events"][0]["sat"][::-1]}, EARLIER)
    assert wrong.exit_code == 1 and "the order of sitting down" in wrong.output
    nonces = [{**each, "nonce": "0" * 16} for each in seen_of_earlier()["nonces"]]
    wrong = run({**seen_of_earlier(), "nonces": nonces}, EARLIER)
    assert wrong.exit_code == 1 and "the nonce of t_ydZ3LQf4QejJzNboJY4pY5" in wrong.output


def test_a_key_of_small_order_vouches_for_nothing(run: Any) -> None:
    """This signature fits every text under it."""
    seen, one = seen_of_earlier(), "01" + "00" * 31
    seen["key"], seen["heads"][0]["signature"] = one, one + "00" * 32
    wrong = run(seen, EARLIER)
    assert wrong.exit_code == 1 and "the signature of the head of event" in wrong.output


def test_signatures_without_any_key_are_not_checked(run: Any) -> None:
    """The output says that they were not."""
    seen = seen_of_earlier()
    del seen["key"]
    answer = run(seen, EARLIER)
    assert answer.exit_code == 0, answer.output
    assert "The signatures were not checked: neither file has a key." in answer.output


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"7", b"\xff", b"[" * 10_000, b'{"format":"tegami-seen/1","format":"x"}']
)
def test_a_file_that_is_none(run: Any, data: bytes) -> None:
    answer = run(data)
    assert answer.exit_code == 1
    assert answer.output.startswith("Error: the file of what was seen is ")


def test_a_wrong_record_is_refused_first(run: Any) -> None:
    answer = run(SEEN, {**RECORD, "head": "0" * 64})
    assert answer.exit_code == 1 and "refused: the digest" in answer.output


@pytest.mark.parametrize(
    ("encoding", "code"), [("utf-8-sig", 0), ("utf-16", 1), ("utf-16-le", 1), ("utf-32", 1)]
)
def test_the_file_is_utf_8(run: Any, encoding: str, code: int) -> None:
    assert run(json.dumps(SEEN).encode(encoding)).exit_code == code


def test_numbers_can_be_written_in_other_ways(run: Any) -> None:
    """1.0 is the number 1, in agreements and in actions too."""
    options = {"agreed": {"version": 1.0, "options": RECORD["events"][0]["options"]}}
    written = json.dumps({**SEEN, **options})
    heads = re.sub(r'"(number|seat)": ([0-9]+)', r'"\1": \2.0', written)
    assert heads != written
    assert run(heads.encode()).exit_code == 0
