"""Names that a careless program mistakes for something else: header lines, links, cells, markup, commands."""

from __future__ import annotations

import base64

_HEADER = "a\r\nX-Evil: 1"

ENCODED_WORDS = (
    "=?utf-8?q?a=0D=0AX-Evil:_1?=",
    "=?utf-8?q?a=0D=0A=0D=0A<h1>body</h1>?=",
    f"=?utf-8?b?{base64.b64encode(_HEADER.encode()).decode()}?=",
    "=?utf-8?q?Visit_www=2Eevil=2Ecom?=",
    "=?UTF-8?Q?www.evil.com?=",
    "=?iso-2022-jp?b?GyRCJCIbKEI=?=",
    "=?utf-8?q?=00?=",
    "=?x-nothing?q?a?=",
    "=?utf-8?q?unfinished",
    "=?utf-8?b?%%%?=",
)
LINE_ENDS = (
    *("a\r\nBcc: eve@example.org", "a\nBcc: x", "a\rb", "a\x00b", "a\x0bb", "a\x85b", "a\u2028b"),
    *("\x1b[2J\x1b[31mred", "\x9b31mred", "a\tb", "\x7f"),
)
"""Names from before the rules for names: nobody can get one today."""
HIDDEN_LINKS = (
    *(
        "www%2Eevil%2Ecom",
        "www%252Eevil%252Ecom",
        "www&#46;evil&#46;com",
        "www&period;evil&#x2e;com",
    ),
    *(
        "ｗｗｗ．ｅｖｉｌ．ｃｏｍ",
        "evil。com",
        "evil｡com",
        "evil\u200b.com",
        "xn--80ak6aa92e.com",
        "http:%2f%2fa.b",
    ),
    *("www\u2024evil\u2024com", "www%EF%BC%8Eevil%EF%BC%8Ecom", "a&#64;b.example", "a%40b.example"),
)
MARKUP = (
    *(
        "<b>Ann</b>",
        "<script>x()</script>",
        '"><img src=x onerror=x()>',
        "' onclick='x()",
        "&lt;b&gt;",
    ),
    *(
        "</title>",
        "]]>",
        "<!--",
        "--><h1>",
        "{{ 7 * 7 }}",
        "{name}",
        "${name}",
        "%(name)s",
        "%s",
        "$&",
        "\\1",
    ),
    *("**Ann**", "[Ann](x)", "_Ann_", "`Ann`", "# Ann", "| Ann |", "- Ann", "javascript:x()"),
)
COMMANDS = (
    *(
        "=1+1",
        "+1+1",
        "-1+1",
        '=HYPERLINK("x")',
        "a,b;c",
        'a";b',
        "a\\,b\\nc",
        "; rm -rf /",
        "$(reboot)",
    ),
    *("`reboot`", "a'b", "' OR 1=1 --", "100%", "a_b", "%", "../../etc", 'a"; filename="b'),
)
MAILBOXES = (
    *(
        "Ann <eve@example.org>",
        "Ann, eve@example.org",
        "(Ann)",
        '"Ann"',
        'An"n',
        "An\\n",
        "Ann;",
        "<>",
        "a@b",
    ),
    *(
        "J.R.R. Tolkien",
        "O'Neil",
        "Ann: Bob;",
        "Ann (not Bob)",
        "手紙",
        "Ann 手紙  Bob",
        "👨‍👩‍👧",
        "e\u0301" * 40,
    ),
)
HOSTILE = (*ENCODED_WORDS, *LINE_ENDS, *HIDDEN_LINKS, *MARKUP, *COMMANDS, *MAILBOXES)
