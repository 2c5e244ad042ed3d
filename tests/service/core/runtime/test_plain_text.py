"""Text of people in log lines and on a terminal: it is read, and never executed."""

from __future__ import annotations

import json
import logging
import re

from service.core.runtime.log_files import JsonLines, with_program
from service.core.runtime.plain_text import for_terminal, one_line
from tests.support.hostile_names import HOSTILE
from tests.support.in_one_go import in_one_go

OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@in_one_go("name", HOSTILE)
def test_nothing_of_a_name_is_obeyed(name):
    assert not OBEYED.search(for_terminal(name)) and len(for_terminal(name)) >= len(name)
    assert len(one_line(name).splitlines()) == 1 and len(one_line(name)) == len(name)


@in_one_go("name", HOSTILE)
def test_a_line_of_a_log_is_one_line_of_ascii(name):
    record = logging.LogRecord("x", logging.INFO, "x", 1, "%s", (name,), None)
    for line in (JsonLines().format(record), with_program("web", name)):
        assert line.isascii() and line.isprintable()
        assert json.loads(line)["event"] == name


def test_plain_text_stays_as_it_is():
    for text in ("Ann Lee", "手紙 🎴", "👨‍👩‍👧", "C:\\new"):
        assert for_terminal(text) == one_line(text) == text
