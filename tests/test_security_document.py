"""docs/security.md answers every requirement of OWASP ASVS 4.0.3, level 2, and names only what is there."""

from __future__ import annotations

import re
from typing import NamedTuple

from service.core.runtime.units import DAY
from service.core.settings.config import ROOT
from service.notifications.receivers import browsers, courier, guarded_post, receivers
from service.notifications.receivers import delivery_budgets as budgets
from service.tables.play.analyses import analyses
from service.web.http.limits import attempt_limits
from tests.contract import document

TEXT = (ROOT / "docs/security.md").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
SETTINGS = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)\b", HOSTING))
ROUTES = document()["paths"].keys()
OPEN = re.compile(r"Does not apply: |Instead: |Operator: |By hand: ")
"""The beginnings of answers that need no test."""
REFERENCE = re.compile(r"[\w.-]+(?:/[\w.-]+)*(?:::\w+)?")
"""A file or a folder of the clone, perhaps with a name that is defined there."""

REQUIREMENTS = {
    "1.1": "1 2 3 4 5 6 7",
    "1.2": "1 2 3 4",
    "1.4": "1 4 5",
    "1.5": "1 2 3 4",
    "1.6": "1 2 3 4",
    "1.7": "1 2",
    "1.8": "1 2",
    "1.9": "1 2",
    "1.10": "1",
    "1.11": "1 2",
    "1.12": "2",
    "1.14": "1 2 3 4 5 6",
    "2.1": "1 2 3 4 5 6 7 8 9 10 11 12",
    "2.2": "1 2 3",
    "2.3": "1 2 3",
    "2.4": "1 2 3 4 5",
    "2.5": "1 2 3 4 5 6 7",
    "2.6": "1 2 3",
    "2.7": "1 2 3 4 5 6",
    "2.8": "1 2 3 4 5 6 7",
    "2.9": "1 2 3",
    "2.10": "1 2 3 4",
    "3.1": "1",
    "3.2": "1 2 3 4",
    "3.3": "1 2 3 4",
    "3.4": "1 2 3 4 5",
    "3.5": "1 2 3",
    "3.7": "1",
    "4.1": "1 2 3 5",
    "4.2": "1 2",
    "4.3": "1 2 3",
    "5.1": "1 2 3 4 5",
    "5.2": "1 2 3 4 5 6 7 8",
    "5.3": "1 2 3 4 5 6 7 8 9 10",
    "5.4": "1 2 3",
    "5.5": "1 2 3 4",
    "6.1": "1 2 3",
    "6.2": "1 2 3 4 5 6",
    "6.3": "1 2",
    "6.4": "1 2",
    "7.1": "1 2 3 4",
    "7.2": "1 2",
    "7.3": "1 3 4",
    "7.4": "1 2 3",
    "8.1": "1 2 3 4",
    "8.2": "1 2 3",
    "8.3": "1 2 3 4 5 6 7 8",
    "9.1": "1 2 3",
    "9.2": "1 2 3 4",
    "10.2": "1 2",
    "10.3": "1 2 3",
    "11.1": "1 2 3 4 5 6 7 8",
    "12.1": "1 2 3",
    "12.2": "1",
    "12.3": "1 2 3 4 5 6",
    "12.4": "1 2",
    "12.5": "1 2",
    "12.6": "1",
    "13.1": "1 3 4 5",
    "13.2": "1 2 3 5 6",
    "13.3": "1 2",
    "13.4": "1 2",
    "14.1": "1 2 3 4",
    "14.2": "1 2 3 4 5 6",
    "14.3": "2 3",
    "14.4": "1 2 3 4 5 6 7",
    "14.5": "1 2 3 4",
}
"""By section, the numbers of its requirements of levels 1 and 2."""


class Row(NamedTuple):
    """How a requirement is met."""

    number: str
    asked: str
    answer: str
    held_by: str


ROWS = [
    Row(*(cell.strip() for cell in line.strip("|").split("|")))
    for line in TEXT.splitlines()
    if re.match(r"\| \d", line)
]
QUOTED = re.findall(r"`([^`\n]+)`", TEXT)


def numbers() -> list[str]:
    return [
        f"{section}.{number}" for section, found in REQUIREMENTS.items() for number in found.split()
    ]


def is_there(reference: str) -> bool:
    """Whether the file exists and defines the name."""
    file, _, name = reference.partition("::")
    path = ROOT / file
    if not name:
        return path.exists()
    defined = re.compile(rf"^\s*(?:async def |def |class |)({name})\b(?: =|\(|:)", re.M)
    return path.is_file() and defined.search(path.read_text(encoding="utf-8")) is not None


def test_every_requirement_stands_there_once_and_in_its_order() -> None:
    assert [row.number for row in ROWS] == numbers()
    assert len(ROWS) == 259


def test_every_requirement_has_an_answer_and_what_holds_it() -> None:
    for row in ROWS:
        assert row.asked and row.answer.endswith((".", ").")) and row.held_by, row
        assert not re.search(r"\bnot met\b|\bTODO\b|\byet\b", row.answer), row
        if "::test_" not in row.held_by:
            assert OPEN.match(row.answer), f"{row}: a test would fail"
        if row.held_by != "–":
            assert re.fullmatch(r"`[^`]+`(, `[^`]+`)*", row.held_by), row
            gone = [each for each in re.findall("`(.*?)`", row.held_by) if not is_there(each)]
            assert gone == [], row


def threats() -> list[list[str]]:
    """The rows of the tables of what somebody may want to do."""
    found = re.findall(r"(?m)^\| they may want to \| .*\n\| ---.*\n((?:\|.*\n)+)", TEXT)
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for table in found
        for line in table.splitlines()
    ]


def test_every_threat_names_the_tests_that_would_fail() -> None:
    assert len(threats()) >= 15
    for wish, against, held_by in threats():
        assert wish and against
        named = re.findall("`(tests/[^`]*::test_[^`]*)`", held_by)
        assert named and all(map(is_there, named)), wish


def test_what_is_said_of_others_names_tests_too() -> None:
    """The sections about the host, about people with an email, and about the operator have no table."""
    (told,) = re.findall(r"(?ms)^## Threats\n(.*?)^## ", TEXT)
    for section in told.split("\n### ")[1:]:
        named = re.findall("`(tests/[^`]*::test_[^`]*)`", section)
        assert named and all(map(is_there, named)), section.partition("\n")[0]


NUMBERS = {
    r"can have (\d+) webhooks, to which at most (\d+) messages an hour are sent": [
        receivers.MOST,
        budgets.PLAYER.most,
    ],
    r"At most (\d+) messages an hour are sent to one host": [budgets.HOST.most],
    r"most (\d+) of these are sent for one player, and at most (\d+) of those to receivers that": [
        *(budgets.SHARE.most, budgets.UNKNOWN_SHARE.most)
    ],
    r"can ask for (\d+) a day, and all players at one network address together for (\d+);": [
        *(attempt_limits.ANALYSES_BY.most, attempt_limits.ANALYSES_FROM.most)
    ],
    r"at most (\d+) analyses of a player wait, and at most (\d+) in all": [
        *(analyses.MOST_OF_PERSON, analyses.MOST_WAITING)
    ],
    r"give way to all others, and at most (\d+) of a player and (\d+) in all wait": [
        *(analyses.MOST_DEEP_OF_PERSON, analyses.MOST_DEEP_WAITING)
    ],
    r"with at most (\d+) messages an hour to all browsers at one host": [
        budgets.UNKNOWN_PUSHED.most
    ],
    r"can have (\d+) browsers; at most (\d+) messages an hour and (\d+) a day .* at most (\d+) a day": [
        *(browsers.MOST, budgets.BROWSER_HOUR.most, budgets.BROWSER_DAY.most, budgets.PUSHED.most)
    ],
}


def test_the_numbers_are_those_of_the_service() -> None:
    for pattern, numbers in NUMBERS.items():
        (found,) = re.findall(pattern, TEXT)
        said = [found] if isinstance(found, str) else found
        assert [int(each) for each in said] == numbers, pattern
    assert "looked up within the ten seconds" in TEXT and guarded_post.PATIENCE == 10
    assert "off after three days" in TEXT and courier.FAILING_FOR == 3 * DAY


def test_what_is_said_of_other_sites_is_what_the_contract_says() -> None:
    """The claim that nothing lets other sites read was untrue for a long time."""
    (cors,) = (row for row in ROWS if row.number == "14.5.3")
    assert "bearer token" in cors.answer and "There is none" not in cors.answer
    opened = [
        f"{method.upper()} {path}"
        for path, item in document()["paths"].items()
        for method, each in item.items()
        if isinstance(each, dict) and each.get("x-open-to-pages")
    ]
    assert "POST /api/players" in opened
    assert {each for each in opened if " /api/" not in each} == {
        "POST /oauth/token",
        "POST /oauth/revoke",
        "GET /.well-known/oauth-authorization-server",
    }


def test_whatever_is_named_exists() -> None:
    for name in QUOTED:
        if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", name):
            assert name in SETTINGS, name
        elif name.startswith("/"):
            assert name == "/" or name in ROUTES or (ROOT / "web" / name[1:]).is_file(), name
        elif re.match(r"(GET|PUT|POST|PATCH|DELETE) /", name):
            assert name.split()[1] in ROUTES, name
        elif "/" in name and REFERENCE.fullmatch(name):
            assert is_there(name), name
        elif name.startswith("bin/"):
            assert is_there(name.split()[0]), name


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", TEXT):
        assert target.startswith("https://") or (ROOT / "docs" / target).exists(), target


def test_the_test_finds_what_is_gone() -> None:
    assert is_there("service/people/accounts/accounts.py::RESERVED")
    assert is_there("tests/test_security_document.py::test_links_lead_somewhere")
    assert not is_there("service/people/accounts/accounts.py::GONE")
    assert not is_there("tests/test_security_document.py::test_gone")
    assert not is_there("service/gone.py")
