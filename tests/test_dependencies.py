"""The knowledge about the locked packages: the bill of materials, and the audit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from bin import audit, sbom

LOCKED = (sbom.ROOT / "requirements.txt").read_text("utf-8")
BILL = sbom.FILE.read_text("utf-8")


def test_the_bill_lists_what_is_locked() -> None:
    """If this fails after a change of requirements, run bin/lock."""
    assert sbom.bill() == BILL
    listed = {(each["name"], each["version"]) for each in json.loads(BILL)["components"]}
    assert listed == set(re.findall(r"(?m)^([^\s=]+)==([^\s]+)", LOCKED))
    assert len(listed) > 30


def test_the_bill_is_the_same_everywhere_and_at_any_time() -> None:
    document = json.loads(BILL)
    assert document.keys().isdisjoint({"serialNumber"})
    assert document["metadata"].keys() == {"component"}
    assert not re.search(r"pypi\.org|://(?!cyclonedx\.org/schema/)|file:", BILL)
    assert str(sbom.ROOT) not in BILL and str(Path.home()) not in BILL


def test_the_bill_is_proper_cyclonedx() -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(BILL) is None


def test_what_the_server_needs_itself_is_marked() -> None:
    (itself,) = json.loads(BILL)["dependencies"]
    names = {each.partition("@")[0].rpartition("/")[2] for each in itself["dependsOn"]}
    assert {"flask", "psycopg", "sqlalchemy"} <= names and "werkzeug" not in names


def package(name: str, *vulns: str, fixed: tuple[str, ...] = ()) -> object:
    found = [{"id": each, "fix_versions": list(fixed)} for each in vulns]
    return {"name": name, "version": "1.0", "vulns": found}


SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "told", "code"),
    [
        ([package("a"), package("b")], "0 of 2 packages have known vulnerabilities", 0),
        ([package("a"), SKIPPED], "0 of 1 packages, nothing could be asked about 1 have", 0),
        ([package("a", "CVE-1", "CVE-2", fixed=("1.1",))], "a 1.0: CVE-1 (fixed in 1.1); CVE-2", 1),
        ([package("a", "CVE-1")], "a 1.0: CVE-1 (not fixed yet)\n1 of 1 packages", 1),
        ([SKIPPED], "not run: ", 0),
        ([], "not run: ", 0),
    ],
)
def test_what_the_audit_says(packages: list[object], told: str, code: int) -> None:
    text, status = audit.verdict(json.dumps({"dependencies": packages, "fixes": []}))
    assert text.startswith(told) and status == code


def test_an_audit_that_could_not_ask_is_no_failure() -> None:
    for output in ("", "Traceback …", "<html>"):
        assert audit.verdict(output) == (audit.NOT_RUN, 0)
