"""Files are compressed once: what every visit needs before the web processes are forked, the rest when it is wanted."""

from __future__ import annotations

from service.page_files.serving import FOR_GOOD, _files, _once, compress


def test_a_form_is_made_once_and_not_before_it_is_wanted() -> None:
    made = []

    def make(text: str) -> bytes:
        made.append(text)
        return text.encode()

    form = _once(make, "text")
    assert made == []
    assert form() == form() == b"text"
    assert made == ["text"]


def test_at_the_start_all_that_is_named_by_its_content_is_compressed() -> None:
    compress()
    for path, file in _files()[1].items():
        for encoding in file.forms.keys() - {"identity"} if file.caching == FOR_GOOD else ():
            done = file.forms[encoding].cache_info()  # type: ignore[attr-defined]
            assert done.currsize == 1, (path, encoding)
