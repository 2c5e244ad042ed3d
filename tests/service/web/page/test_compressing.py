"""Files are compressed once: what every visit needs before the web processes are forked, the rest when it is wanted."""

from __future__ import annotations

import logging
from types import SimpleNamespace

from service.web.page.files.serving import FOR_GOOD, _file, _files
from service.web.serving import gunicorn


def test_a_form_is_made_once_and_not_before_it_is_wanted() -> None:
    form = _file("app.js", b"export {};" * 100, FOR_GOOD).forms["br"]
    assert made(form) == 0
    assert form() is form()
    assert made(form) == 1


def test_all_that_is_named_by_its_content_is_compressed_before_processes_are_forked() -> None:
    _files.cache_clear()
    server = SimpleNamespace(
        cfg=SimpleNamespace(worker_connections=1),
        log=SimpleNamespace(error_log=logging.getLogger("tests.compressing")),
    )
    gunicorn.on_starting(server)
    for path, file in _files()[1].items():
        for encoding in file.forms.keys() - {"identity"} if file.caching == FOR_GOOD else ():
            assert made(file.forms[encoding]) == 1, (path, encoding)


def made(form: object) -> int:
    """How often a form was made."""
    return int(form.cache_info().misses)  # type: ignore[attr-defined]
