"""Small replies in the forms of the world's mail programs, in our own words, with the text that each contains.

Each is a way to quote, above, below or between the text, in a character set and an encoding.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Iterator
from typing import NamedTuple

FROM = "Caravan with Bob"
ADDRESS = "reply+abcdefgh@tegami.example"
HAND = ["Alice, it is your turn in Caravan with Bob.", "Your hand: 3♥ K♠ 10♦", "", "1. 3♥ …"]
PLAIN = [
    line.replace("♥", "H").replace("♠", "S").replace("♦", "D").replace("…", "...") for line in HAND
]
EN, JA = "I am off until Friday.\n\nSee you!", "金曜日まで出かけます。\n\nまた今度！"


class Example(NamedTuple):
    """A message, and its text; None: it is refused, or contains none."""

    name: str
    data: bytes
    says: str | None


def marked(introduction: str, mark: str = "> ") -> Callable[[list[str]], str]:
    """A way to quote with marked lines."""
    return lambda hand: "\n".join(
        [introduction, *(f"{mark}{line}".rstrip() for line in hand)]
    ).lstrip("\n")


def bare(*introduction: str) -> Callable[[list[str]], str]:
    """A way to quote with unmarked lines."""
    return lambda hand: "\n".join([*introduction, "", *hand])


MARKED = {
    "gmail": marked(f"On Tue, Nov 24, 2026 at 10:00 AM {FROM} <{ADDRESS}> wrote:\n"),
    "gmail, broken": marked(f"On Tue, Nov 24, 2026 at 10:00 AM {FROM} <\n{ADDRESS}> wrote:\n"),
    "gmail, japanese": marked(f"2026年11月24日(火) 10:00 {FROM} <{ADDRESS}>:\n"),
    "gmail, german": marked(f"Am Di., 24. Nov. 2026 um 10:00 Uhr schrieb {FROM} <{ADDRESS}>:\n"),
    "gmail, french": marked(f"Le mar. 24 nov. 2026 à 10:00, {FROM} <{ADDRESS}> a écrit :\n"),
    "apple": marked(f"> On 24 Nov 2026, at 10:00, {FROM} <{ADDRESS}> wrote:\n> "),
    "apple, japanese": marked(f"> 2026/11/24 10:00、{FROM} <{ADDRESS}>のメール:\n> "),
    "ios": marked(
        f"Sent from my iPhone\n\n> On Nov 24, 2026, at 10:00, {FROM} <{ADDRESS}> wrote:\n> "
    ),
    "ios, japanese": marked(
        f"iPhoneから送信\n\n> 2026/11/24 10:00、{FROM} <{ADDRESS}>のメール:\n> "
    ),
    "thunderbird": marked(f"On 11/24/26 10:00, {FROM} wrote:"),
    "thunderbird, german": marked(f"Am 24.11.26 um 10:00 schrieb {FROM}:"),
    "thunderbird, japanese": marked(f"On 2026/11/24 10:00, {FROM} wrote:"),
    "mutt": marked(f"On Tue, Nov 24, 2026 at 10:00:00AM +0000, {FROM} wrote:"),
    "k-9": marked(f"On November 24, 2026 10:00:00 AM UTC, {FROM} <{ADDRESS}> wrote:"),
    "k-9, german": marked(f"Am 24. November 2026 10:00:00 MEZ schrieb {FROM} <{ADDRESS}>:"),
    "claws": marked(f"On Tue, 24 Nov 2026 10:00:00 +0000\n{FROM} <{ADDRESS}> wrote:\n"),
    "evolution": marked(f"On Tue, 2026-11-24 at 10:00 +0000, {FROM} wrote:"),
    "softbank": marked(f"2026/11/24 10:00、{FROM} <{ADDRESS}>のメール:"),
    "docomo": marked("", ">"),
    "sylpheed, full width": marked(f"2026年11月24日 10:00 {FROM}さんは書きました:", "＞"),
    "without an introduction": marked(""),
    "twice quoted": marked("", ">> "),
    "bars": marked(f"{FROM} wrote on 24.11.2026:", "| "),
}
"""The ways to quote below and between which there can be text."""
BARE = {
    "outlook": bare(
        "________________________________",
        f"From: {FROM} <{ADDRESS}>",
        "Sent: Tuesday",
        "Subject: x",
    ),
    "outlook, short": bare(
        f"From: {FROM}", "Sent: Tuesday, November 24, 2026 10:00 AM", "To: Alice"
    ),
    "outlook, japanese": bare(
        f"差出人: {FROM} <{ADDRESS}>", "送信日時: 2026年11月24日 10:00", "宛先: Alice"
    ),
    "outlook, german": bare(f"Von: {FROM}", "Gesendet: Dienstag, 24. November 2026"),
    "outlook, french": bare(f"De : {FROM}", "Envoyé : mardi 24 novembre 2026"),
    "outlook for phones": bare(
        "Get Outlook for iOS", "________________________________", f"From: {FROM} <{ADDRESS}>"
    ),
    "original message": bare("-----Original Message-----", f"From: {FROM} <{ADDRESS}>"),
    "yahoo, japanese": bare(
        "----- Original Message -----", f"From: {FROM} <{ADDRESS}>", "To: Alice"
    ),
    "au": bare("-------- 元のメッセージ --------", f"From: {FROM} <{ADDRESS}>"),
    "android": bare("-------- Original message --------", f"From: {FROM} <{ADDRESS}>"),
    "proton": bare("------- Original Message -------", f"On Tuesday, {FROM} <{ADDRESS}> wrote:"),
    "gmail, not marked": bare(f"On Tue, Nov 24, 2026 at 10:00 AM {FROM} <{ADDRESS}> wrote:"),
    "nothing but the mail": bare("Replies to the table: above this line"),
    "becky": bare(f"On Tue, 24 Nov 2026 10:00:00 +0900\n{FROM} <{ADDRESS}> wrote:"),
    "signature": bare("-- ", "Alice", "+81 3 0000 0000"),
}
"""The ways to quote after which there is no text."""


def message(
    body: bytes, content: str = "text/plain; charset=utf-8", encoding: str = "8bit"
) -> bytes:
    """A message with this body, with the line ends of mail."""
    head = f"From: alice@example.org\nTo: {ADDRESS}\nSubject: Re: Your turn\nMIME-Version: 1.0\n"
    head += f"Content-Type: {content}\nContent-Transfer-Encoding: {encoding}\n\n"
    return head.encode().replace(b"\n", b"\r\n") + body


def lines(text: str) -> bytes:
    """UTF-8 as it is sent."""
    return text.replace("\n", "\r\n").encode()


def quoted() -> Iterator[Example]:
    """Every way to quote, below, above and between."""
    for name, quote in (MARKED | BARE).items():
        for language, text in (("en", EN), ("ja", JA)):
            yield Example(
                f"{name}, {language}, top", message(lines(f"{text}\n\n{quote(HAND)}\n")), text
            )
        yield Example(f"{name}, nothing", message(lines(f"\n{quote(HAND)}\n")), None)
    for name, quote in MARKED.items():
        if name.startswith("ios"):
            continue  # what stands above is the phone's
        yield Example(f"{name}, bottom", message(lines(f"{quote(HAND)}\n\n{EN}\n")), EN)
        between = f"{quote(HAND[:2])}\n\nYes.\n\n> 1. 3\n\nNo.\n"
        yield Example(f"{name}, between", message(lines(between)), "Yes.\n\nNo.")


CHARSETS = [
    ("shift_jis", "cp932", "①はい、髙橋です。㈱～"),
    ("shift_jis", "cp932", "ｱﾘｶﾞﾄｳ"),
    ("x-sjis", "cp932", "了解です、纊"),
    ("windows-31j", "cp932", "Ⅲまで待って"),
    ("euc-jp", "euc_jp", "金曜まで旅行です"),
    ("gb2312", "gbk", "囍，週末見！镕"),
    ("gbk", "gbk", "周五回来，再见"),
    ("gb18030", "gb18030", "周五回来，再见"),
    ("big5", "big5hkscs", "星期五回來，再見"),
    ("euc-kr", "cp949", "금요일에 돌아와요. 똠"),
    ("ks_c_5601-1987", "cp949", "금요일에 돌아와요"),
    ("iso-8859-1", "cp1252", "I’m off – “really” … 5 €"),
    ("us-ascii", "cp1252", "I’m off – really"),
    ("windows-1252", "cp1252", "C’est noté, à vendredi"),
    ("iso-8859-15", "iso8859-15", "Ça coûte 5 €, merci"),
    ("iso-8859-2", "iso8859-2", "Wrócę w piątek, cześć"),
    ("windows-1251", "cp1251", "Вернусь в пятницу"),
    ("koi8-r", "koi8-r", "Вернусь в пятницу"),
    ("windows-1253", "cp1253", "Θα γυρίσω την Παρασκευή"),
    ("utf-8", "utf-8", "Bis Freitag 👋🏽"),
    ("utf8", "utf-8", "Bis Freitag, tschüß"),
    ("", "utf-8", "Bis Freitag, tschüß"),
    ("", "cp932", "金曜日まで、でかけています"),
    ("", "euc_jp", "金曜日まで、でかけています"),
    ("", "cp1252", "À vendredi, c’est sûr"),
    ("utf-8", "cp932", "金曜日まで、でかけています"),
    ("utf-8", "cp1252", "À vendredi, c’est sûr"),
    ("shift_jis", "utf-8", "金曜日まで、でかけています"),
    ("iso-8859-1", "utf-8", "金曜日まで、でかけています"),
    ("iso-2022-jp", "utf-8", "金曜日まで、でかけています"),
    ("klingon", "utf-8", "Bis Freitag, tschüß"),
    ("punycode", "utf-8", "Bis Freitag, tschüß"),
    ("unicode-1-1-utf-7", "ascii", "Until Friday"),
]
"""The stated character set, the real one, and the text."""
ESCAPED = [
    ("iso-2022-jp", b"\x1b$B6bMKF|$^$G\x1b(B", "金曜日まで"),
    ("iso-2022-jp", b"\x1b$B-!$O$$\x1b(B ok", "①はい ok"),
    ("iso-2022-jp", b"\x1b$B|b66\x1b(B", "髙橋"),
    ("iso-2022-jp", b"\x1b(I1X6^D3\x1b(B", "ｱﾘｶﾞﾄｳ"),
    ("iso-2022-jp-ms", b'\x1b$B5!-"\x1b(B', "機②"),
    ("", b"\x1b$B6bMKF|$^$G\x1b(B", "金曜日まで"),
    ("us-ascii", b"\x1b$B6bMKF|$^$G\x1b(B", "金曜日まで"),
    ("utf-8", b"\x1b$B6bMKF|$^$G\x1b(B", "金曜日まで"),
    ("iso-2022-jp", b"\x1b$@6bMK\x1b(J ok", "金曜 ok"),
    ("iso-2022-jp", b"\x1b$B6bMK", "金曜"),
]
REFUSED = [
    ("utf-8", b"caf\xc3 \x81\x8d \xff\xfe", "neither"),
    ("utf-8", "Hello \ufffd".encode(), "lost before it came"),
    ("iso-2022-jp", b"\x1b$B6bMKF\x1b(B", "half a character"),
    ("iso-2022-jp", b"\x1b%Ghello", "an unknown escape"),
    ("utf-8", b"Hello \x1b[31mred", "a command to a terminal"),
    ("shift_jis", b"\x81\x81\x85\xff\xfd", "no such character"),
    ("euc-jp", b"\xa4\xa2\xff\xfd\x81", "not of that set"),
]
"""Bytes that fit no character set."""


def in_charsets() -> Iterator[Example]:
    """Examples in every character set and every encoding."""
    for label, codec, text in CHARSETS:
        content = f"text/plain; charset={label}" if label else "text/plain"
        data = text.encode(codec)
        name = f"{label or 'no label'} as {codec}: {text}"
        yield Example(name, message(data, content), text)
        coded = base64.encodebytes(data)
        yield Example(f"{name}, base64", message(coded, content, "base64"), text)
        printable = quopri.encodestring(data)
        yield Example(f"{name}, quoted", message(printable, content, "quoted-printable"), text)
    for label, data, text in ESCAPED:
        content = f'text/plain; charset="{label}"' if label else "text/plain"
        yield Example(f"{label or 'no label'}: {text}", message(data, content, "7bit"), text)
    for label, data, why in REFUSED:
        yield Example(f"refused: {why}", message(data, f"text/plain; charset={label}"), None)


HTML = {
    "gmail": '<div dir="ltr">{said}</div><br><div class="gmail_quote"><div class="gmail_attr">On Tue</div>'
    '<blockquote class="gmail_quote">{hand}</blockquote></div>',
    "gmail, container": '<div>{said}</div><div class="gmail_quote gmail_quote_container"><p>{hand}</div>',
    "apple": "<html><body>{said}<br><blockquote type=cite><div>{hand}<p>x</div></blockquote></body>",
    "outlook": '<p>{said}</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{hand}</div><p>{hand}',
    "outlook, desk": "<p>{said}</p><div style='border-top:solid 1pt'><p><b>From:</b> Caravan with Bob</p></div>"
    "<p>{hand}</p>",
    "outlook, japanese": "<p>{said}</p><hr><p><b>差出人:</b> Caravan with Bob<br><b>送信日時:</b> x</p><p>{hand}</p>",
    "thunderbird": '<p>{said}</p><div class="moz-cite-prefix">On</div><blockquote>{hand}</blockquote>',
    "yahoo": '<div>{said}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>{hand}</div></div>',
    "proton": '<div>{said}</div><div class="protonmail_quote">On Tue<blockquote>{hand}</blockquote></div>',
    "not marked": "<div>{said}</div><div>On Tue, 24 Nov 2026 10:00, Caravan with Bob wrote:</div><div>{hand}</div>",
    "only a line": "<p>{said}</p><p>Replies to the table: above this line</p><p>{hand}</p>",
    "hidden preview": '<div style="display:none;max-height:0">{hand}</div><div>{said}</div>',
    "hidden by size": '<span style="font-size:0">{hand}</span><p>{said}</p>',
    "hidden for outlook": '<div style="mso-hide:all">{hand}</div><p>{said}</p>',
    "hidden": "<div hidden=''>{hand}</div><p>{said}</p>",
    "styles": "<head><style>p {{ color: red }}</style><title>{hand}</title></head><p>{said}</p>",
    "comments": "<!-- {hand} --><p>{said}</p><!--[if mso]>{hand}<![endif]-->",
    "script": "<script>if (1 < 2) {{ '{hand}' }}</script><p>{said}</p>",
    "broken": "<p>{said}<blockquote><b>{hand}",
    "attributes": "<p title=\"a > b\" class='x'>{said}</p>",
    "below": "<blockquote>{hand}</blockquote><p>{said}</p>",
    "entities": "<p>{said}&nbsp;</p><blockquote>{hand}</blockquote>",
    "upper case": "<P>{said}</P><BLOCKQUOTE>{hand}</BLOCKQUOTE>",
    "tables": "<table><tr><td>{said}</td></tr></table><blockquote>{hand}</blockquote>",
}


def in_html() -> Iterator[Example]:
    """Examples in HTML alone, and beside an empty text."""
    hand = "<br>".join(HAND)
    for name, html in HTML.items():
        for said in ("I am off until Friday.", "金曜日まで出かけます。"):
            filled = html.format(said=said, hand=hand)
            data = lines(filled)
            yield Example(f"{name}: {said}", message(data, "text/html; charset=utf-8"), said)
    both = (
        '--b\nContent-Type: text/plain\n\n\n--b\nContent-Type: text/html; charset="utf-8"\n\n'
        f"<p>Hello</p><blockquote>{hand}</blockquote>\n--b--\n"
    )
    yield Example(
        "empty text", message(lines(both), 'multipart/alternative; boundary="b"'), "Hello"
    )


OTHERS = [
    Example("without any header", lines("From: a@example.org\n\nHello"), "Hello"),
    Example(
        "flowed",
        message(
            lines("I am off \nuntil Friday. \n\n> quoted \n> more\n"), "text/plain; format=flowed"
        ),
        "I am off until Friday.",
    ),
    Example(
        "flowed, without blanks",
        message(
            lines("金曜日まで \n出かけます。\n\n> 引用 \n"),
            "text/plain; charset=utf-8; format=flowed; delsp=yes",
        ),
        "金曜日まで出かけます。",
    ),
    Example(
        "flowed, stuffed",
        message(lines(" From here on\n >it is easy\n"), "text/plain; format=flowed"),
        "From here on\n>it is easy".split("\n", maxsplit=1)[0],
    ),
    Example("a byte order mark", message(b"\xef\xbb\xbfHello"), "Hello"),
    Example("old ends of lines", message(b"Hello\r\rBob\r"), "Hello\n\nBob"),
    Example(
        "attached text",
        message(
            lines(
                "--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/plain\n"
                "Content-Disposition: attachment; filename=x.txt\n\nThe whole hand\n--b--\n"
            ),
            "multipart/mixed; boundary=b",
        ),
        "Hello",
    ),
    Example(
        "a forwarded message beside it",
        message(
            lines(
                "--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: message/rfc822\n\n"
                "Subject: x\n\nThe whole hand\n--b--\n"
            ),
            "multipart/mixed; boundary=b",
        ),
        "Hello",
    ),
    Example(
        "a footer of a provider",
        message(
            lines(
                "--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/plain\n\n"
                "Advertisement\n--b--\n"
            ),
            "multipart/mixed; boundary=b",
        ),
        "Hello",
    ),
    Example(
        "a wrapped quote",
        message(
            lines(
                f"Hello\n\n> {'Your hand and much more that makes the line long enough: 3♥ K♠'}\n10♦ Q♣\n\nBye\n"
            )
        ),
        "Hello\n\nBye",
    ),
]


def corpus() -> list[Example]:
    """All examples of the corpus."""
    return [*quoted(), *in_charsets(), *in_html(), *OTHERS]
