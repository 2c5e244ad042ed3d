"""Character sets as mail programs mean them: by WHATWG's table of labels, and with the extensions that are in use.

`shift_jis` is Windows' (cp932), `iso-2022-jp` has its characters too (①, half-width kana), `gb2312` is gbk and
`iso-8859-1` is cp1252. Each is tried strictly: a label that is missing or wrong is found out, and what no character set
fits is refused, so that nobody reads a message that was never written.
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
"""Python's codecs for what WHATWG means, where they are called otherwise."""
_OF_TWO_BYTES = {"shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5"}
_NO_HELP = {"iso-2022-jp", "replacement", "x-user-defined"}
"""Labels that say nothing of bytes without escape sequences."""
_ENOUGH = 2
"""Characters of three bytes that hardly stand in UTF-8 by chance."""
_BROKEN = re.compile("\ufffd|\x1b")


class Undecodable(ValueError):
    """No character set that mail programs use makes sense of these bytes."""


def decoded(data: bytes, label: str | None) -> str:
    """The text of these bytes, which a message says are in `label`. Raises Undecodable."""
    for decode in _ways(data, label):
        try:
            text = decode(data)
        except (UnicodeDecodeError, LookupError):
            continue
        if not _BROKEN.search(text):
            return text
        if "\ufffd" in text:
            break  # it was lost before: nothing else brings it back
    raise Undecodable


def _ways(data: bytes, label: str | None) -> Iterator[Callable[[bytes], str]]:
    """How to decode these bytes, what is most likely first."""
    named = webencodings.lookup(label or "")
    name = None if named is None or named.name in _NO_HELP else named.name
    if _ESCAPE in data:
        yield _iso_2022_jp
    if name is None or name not in _OF_TWO_BYTES or _is_surely_utf_8(data):
        yield _strictly("utf-8")  # hardly anything else is right in it by chance
    if name is not None:
        yield _strictly(name)
    yield _strictly("utf-8")
    yield from (_strictly(each) for each in _likely(data))
    if name is None or name == "utf-8":
        yield _strictly("windows-1252")


def _is_surely_utf_8(data: bytes) -> bool:
    """Whether these bytes are UTF-8 whatever their label says: a few letters may be by chance, more are not."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return sum(each >= "\u0800" for each in text) >= _ENOUGH


def _likely(data: bytes) -> list[str]:
    """What 8-bit text without a right label is in: kana tell Japanese from what else has two bytes a character."""
    found = [each for each in ("shift_jis", "euc-jp") if _kana(data, each)]
    found.sort(key=lambda each: -_kana(data, each))
    return found


def _kana(data: bytes, name: str) -> int:
    """How many kana of full width these bytes hold, if they are right in this character set."""
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
    """EUC-JP with the characters of Windows, which Python's codec does not have."""
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
    """ISO-2022-JP with the characters of Windows and half-width kana, in segments that escape sequences begin."""
    parts, at, mode = list[str](), 0, b"(B"
    for match in _SEGMENT.finditer(data):
        parts.append(_segment(data[at : match.start()], mode))
        at, mode = match.end(), match[1] or (b"(I" if match[0] == b"\x0e" else b"(B")
    return "".join([*parts, _segment(data[at:], mode)])


def _segment(data: bytes, mode: bytes) -> str:
    """What these bytes say after this escape sequence. Lines end within a segment where a program forgot to end it."""
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
    """Characters of two bytes of seven bits each, as Windows reads them (cp932)."""
    moved = bytearray()
    for row, cell in zip(data[::2], data[1::2], strict=len(data) % 2 == 0):
        lead = ((row - 0x21) >> 1) + 0x81
        lead += 0x40 if lead > 0x9F else 0
        trail = cell + 0x1F + (cell >= 0x60) if row % 2 else cell + 0x7E
        moved += bytes([lead & 0xFF, trail & 0xFF])
    if len(data) % 2:
        raise UnicodeDecodeError("iso-2022-jp", data, len(data) - 1, len(data), "half a character")
    return moved.decode("cp932")
