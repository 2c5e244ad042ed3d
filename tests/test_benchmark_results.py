"""The stored results of benchmarks: a run replaces its own measurements, and both files say the same."""

from __future__ import annotations

import pytest

from benchmarks.report import Measure
from benchmarks.results import Row, Run, as_json, as_markdown, kept, merged
from service.core.settings.config import ROOT

FILE = ROOT / "benchmarks/results.json"
OLD, NEW = (Run("python -m benchmarks", day, "a machine", "r") for day in ("day 1", "day 2"))


def row(part, what, database=None, run=OLD):
    return Row(part, Measure(what, 1.0, database=database), run)


def test_a_run_replaces_the_rows_of_its_parts_and_databases_alone():
    old = [row("move", "a", "sqlite"), row("move", "b", "postgresql"), row("size", "c")]
    new = [row("move", "d", "sqlite", NEW), row("poll", "e", "sqlite", NEW)]
    found = merged(old, new, ["poll", "move", "size"])
    assert [(each.measure.what, each.run.day) for each in found] == [
        ("e", "day 2"),
        ("d", "day 2"),
        ("b", "day 1"),
        ("c", "day 1"),
    ]


def test_what_is_kept_is_read_again_as_it_was(tmp_path):
    rows = [
        row("move", "a", "sqlite"),
        Row("size", Measure("b", 2.5, "KB", most=3, before="4"), NEW),
    ]
    file = tmp_path / "results.json"
    assert kept(file) == []
    file.write_bytes(as_json(rows))
    assert kept(file) == rows


@pytest.mark.parametrize(("most", "said"), [(3, "≤ 3 | ok"), (2, "≤ 2 | MISSED")])
def test_the_table_tells_what_was_what_is_and_what_is_asked(most, said):
    measure = Measure("a move", 2.5, "ms", most=most, database="sqlite", before="4.4 ms")
    told = as_markdown([Row("move", measure, NEW)])
    assert f"| a move | SQLite | 4.4 ms | 2.5 ms | {said} | day 2 |" in told


def test_both_files_say_the_same():
    page = FILE.with_suffix(".md").read_text("utf-8")
    assert page == as_markdown(kept(FILE))
