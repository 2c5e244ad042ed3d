"""Files are compressed once: those of every visit before the web processes are forked, the others on demand."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import brotli
import pytest

from service.web.http.headers import compression
from service.web.page.files import serving
from service.web.page.files.kept_forms import KeptForms
from service.web.page.files.serving import FOR_GOOD, _file, _files
from service.web.serving import gunicorn

BODY = b"export {};" * 100


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """The files that Brotli has compressed; the page's files are compressed again."""
    bodies = list[bytes]()

    def compress(body: bytes, _quality: int) -> bytes:
        bodies.append(body)
        return bytes(brotli.compress(body, quality=1))

    monkeypatch.setattr(compression, "_brotli", compress)
    _files.cache_clear()
    yield bodies
    _files.cache_clear()


def test_a_form_is_made_once_and_not_before_it_is_wanted(made: list[bytes]) -> None:
    form = _file("app.js", BODY, FOR_GOOD).forms["br"]
    assert made == []
    assert form() is form()
    assert made == [BODY]


def test_all_that_is_named_by_its_content_is_compressed_before_processes_are_forked(
    made: list[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    server = SimpleNamespace(
        cfg=SimpleNamespace(worker_connections=1),
        log=SimpleNamespace(error_log=logging.getLogger("tests.compressing")),
    )
    gunicorn.on_starting(server)
    for file in (each for each in _files()[1].values() if each.caching == FOR_GOOD):
        body = file.forms["identity"]()
        assert brotli.decompress(file.forms["br"]()) == body
        assert made.count(body) == 1
        assert file.forms["gzip"].cache_info().misses == 1  # type: ignore[attr-defined]


def test_the_next_start_compresses_nothing_that_is_the_same(
    made: list[bytes], tmp_path: Path
) -> None:
    serving.compress(tmp_path)
    before = {path: file.forms["br"]() for path, file in _files()[1].items() if is_kept(file)}
    assert before and len(made) == len(before)
    _files.cache_clear()
    serving.compress(tmp_path)
    assert {path: _files()[1][path].forms["br"]() for path in before} == before
    assert len(made) == len(before)


def is_kept(file: serving.PageFile) -> bool:
    return file.caching == FOR_GOOD


def kept(folder: Path, body: bytes = BODY, encoding: str = "br") -> tuple[bytes, bool]:
    """The stored form of `body`, and whether it was made now."""
    made = list[bytes]()

    def make() -> bytes:
        made.append(body)
        return b"short " + body[:5]

    return KeptForms(folder, encoding).of(body, make), bool(made)


def test_what_is_kept_is_told_apart_by_content_and_encoding(tmp_path: Path) -> None:
    assert kept(tmp_path) == (b"short expor", True)
    assert kept(tmp_path) == (b"short expor", False)
    assert kept(tmp_path, b"other") == (b"short other", True)
    assert kept(tmp_path, encoding="br, quality 5") == (b"short expor", True)


@pytest.mark.parametrize("broken", [b"", b"x" * 31, b"x" * 60])
def test_what_is_broken_is_made_anew(tmp_path: Path, broken: bytes) -> None:
    kept(tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (broken, whole[:-1], whole[:-1] + b"?"):
        file.write_bytes(damaged)
        assert kept(tmp_path) == (b"short expor", True)
        assert file.read_bytes() == whole


def test_where_nothing_can_be_written_it_is_made_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "a file"
    folder.write_bytes(b"no folder")
    for _ in range(2):
        assert kept(folder) == (b"short expor", True)
    forms = KeptForms(folder, "br")
    forms.forget_others()
    assert folder.read_bytes() == b"no folder"


def test_what_is_not_used_any_more_is_deleted(tmp_path: Path) -> None:
    kept(tmp_path, b"before")
    (tmp_path / "half-written").write_bytes(b"")
    forms = KeptForms(tmp_path, "br")
    forms.of(BODY, lambda: b"short")
    forms.forget_others()
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().endswith(b"short")
