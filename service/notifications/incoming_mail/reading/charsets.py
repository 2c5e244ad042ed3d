"""Character sets as mail programs mean them: by WHATWG's list of labels, with the common extensions.

`shift_jis` is Windows' (cp932), `iso-2022-jp` has its characters, too (①, half-width kana), `gb2312` is gbk and
`iso-8859-1` is cp1252. Each is tried strictly, which detects labels that are missing or wrong. Bytes that fit no
character set are refused, so that nobody reads a message that was never written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import webencodings

_ESCAPE = b"\x1b"
_SEGMENT = re.compile(rb"\x1b([$(][@-~]|\$\([@-~])|\x0e|\x0f")
_PYTHONS = {
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "windows-1252": "cp1252",
}
"""The names of Python's codecs for WHATWG's encodings, where they differ."""
_OF_TWO_BYTES = {"shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5"}
_NO_HELP = {"iso-2022-jp", "replacement", "x-user-defined"}
"""The encodings that say nothing about bytes without escape sequences."""
_ENOUGH = 2
"""The number of three-byte characters from which on a text is hardly UTF-8 by chance."""
_BROKEN = re.compile("\ufffd|\x1b")


class Undecodable(ValueError):
    """Raised if no character set that mail programs use makes sense of the bytes."""


def decoded(data: bytes, label: str | None) -> str:
    """The text of these bytes, whose message says that they are in `label`.

    Raises Undecodable if no character set fits.
    """
    for decode in _ways(data, label):
        try:
            text = decode(data)
        except (UnicodeDecodeError, LookupError):
            continue
        if not _BROKEN.search(text):
            return text
        if "\ufffd" in text:
            break  # it was lost earlier, and no other character set recovers it
    raise Undecodable


def _ways(data: bytes, label: str | None) -> Iterator[Callable[[bytes], str]]:
    """The functions with which to decode these bytes, the most likely first."""
    named = webencodings.lookup(label or "")
    name = None if named is None or named.name in _NO_HELP else named.name
    if _ESCAPE in data:
        yield _iso_2022_jp
    if name is None or name not in _OF_TWO_BYTES or _is_surely_utf_8(data):
        yield _strictly("utf-8")  # text in another character set is hardly ever valid UTF-8
    if name is not None:
        yield _strictly(name)
    yield _strictly("utf-8")
    yield from (_strictly(each) for each in _likely(data))
    if name is None or name == "utf-8":
        yield _strictly("windows-1252")


def _is_surely_utf_8(data: bytes) -> bool:
    """Whether these bytes are UTF-8 whatever their label: a few characters may be so by chance, but not more."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return sum(each >= "\u0800" for each in text) >= _ENOUGH


def _likely(data: bytes) -> list[str]:
    """The likely character sets of 8-bit text without a correct label.

    Kana distinguish Japanese from other two-byte character sets.
    """
    found = [each for each in ("shift_jis", "euc-jp") if _kana(data, each)]
    found.sort(key=lambda each: -_kana(data, each))
    return found


def _kana(data: bytes, name: str) -> int:
    """The number of full-width kana in these bytes, if they are valid in this character set."""
    try:
        return sum("\u3041" <= each <= "\u30fe" for each in _strictly(name)(data))
    except UnicodeDecodeError:
        return 0


def _strictly(name: str) -> Callable[[bytes], str]:
    def decode(data: bytes) -> str:
        if name == "euc-jp":
            return _euc_jp(data)
        if name in _PYTHONS:
            text = data.decode(_PYTHONS[name])
        else:
            found = webencodings.lookup(name)
            if found is None:
                raise LookupError
            text = found.codec_info.decode(data, "strict")[0]
        return text.removeprefix("\ufeff")

    return decode


def _euc_jp(data: bytes) -> str:
    """The text of EUC-JP with Windows' characters, which Python's codec lacks."""
    try:
        return data.decode("euc_jp")
    except UnicodeDecodeError:
        pairs = re.compile(
            rb"[\xa1-\xfe]{2}|\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe]{2}|[\x00-\x7f]+|.", re.S
        )
        return "".join(map(_euc_character, pairs.findall(data)))


def _euc_character(found: bytes) -> str:
    is_windows = len(found) == 2 and found[0] not in b"\x8e"
    return _of_jis(bytes(each & 0x7F for each in found)) if is_windows else found.decode("euc_jp")


def _iso_2022_jp(data: bytes) -> str:
    """The text of ISO-2022-JP with Windows' characters and half-width kana, in segments begun by escape sequences."""
    parts, at, mode = list[str](), 0, b"(B"
    for match in _SEGMENT.finditer(data):
        parts.append(_segment(data[at : match.start()], mode))
        at, mode = match.end(), match[1] or (b"(I" if match[0] == b"\x0e" else b"(B")
    return "".join([*parts, _segment(data[at:], mode)])


def _segment(data: bytes, mode: bytes) -> str:
    """The text of bytes after this escape sequence. Raises UnicodeDecodeError for bytes that it does not allow.

    A line's end also ends a segment that a program forgot to end.
    """
    if mode in {b"$@", b"$B"}:
        lines = data.split(b"\n")
        return "\n".join(_of_jis(line.rstrip(b"\r")) for line in lines)
    if mode == b"(I":
        return bytes(each | 0x80 if 0x21 <= each <= 0x5F else each for each in data).decode("cp932")
    if mode == b"$(D":
        return (b"\x1b$(D" + data + b"\x1b(B").decode("iso2022_jp_1")
    if mode in {b"(B", b"(J"}:
        return data.decode("ascii")
    raise UnicodeDecodeError(
        "iso-2022-jp", data, 0, len(data), "an escape sequence of no known set"
    )


def _of_jis(data: bytes) -> str:
    """The text of characters of two seven-bit bytes each, as Windows reads them (cp932).

    Raises UnicodeDecodeError for bytes that are no such characters.
    """
    moved = bytearray()
    for row, cell in zip(data[::2], data[1::2], strict=len(data) % 2 == 0):
        lead = ((row - 0x21) >> 1) + 0x81
        lead += 0x40 if lead > 0x9F else 0
        trail = cell + 0x1F + (cell >= 0x60) if row % 2 else cell + 0x7E
        moved += bytes([lead & 0xFF, trail & 0xFF])
    if len(data) % 2:
        raise UnicodeDecodeError("iso-2022-jp", data, len(data) - 1, len(data), "half a character")
    return moved.decode("cp932")
