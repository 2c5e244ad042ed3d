"""The part of a reply that is said at the table: the text above the quoted mail, however a mail program quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.notifications.incoming_mail.reading.answer_text import written_above
from service.notifications.incoming_mail.reading.html_text import text_of
from tests.support.in_one_go import in_one_go

MARKS = ["table@tegami.example", "reply+", "Replies to the table: above this line"]
HAND = "Your hand: 3♥ K♠ 10♦"
SAID = "I am off until Friday."
FROM = "Caravan with Bob <table@tegami.example>"
QUOTES = {
    "marked with >": f"> {HAND}",
    "gmail": f"On Tue, Nov 24, 2026 at 10:00 AM {FROM} wrote:\n\n{HAND}",
    "gmail, wrapped": (
        f"On Tue, Nov 24, 2026 at 10:00 AM Caravan with Bob <\ntable@tegami.example> wrote:\n{HAND}"
    ),
    "apple": f"On 24 Nov 2026, at 10:00, Caravan with Bob wrote:\n\n{HAND}",
    "german": f"Am 24.11.2026 um 10:00 schrieb Caravan with Bob:\n{HAND}",
    "french": f"Le mar. 24 nov. 2026 à 10:00, Caravan with Bob a écrit :\n{HAND}",
    "japanese": f"2026年11月24日(火) 10:00 {FROM}:\n{HAND}",
    "outlook": (
        "________________________________\n"
        f"From: {FROM}\nSent: Tuesday\nSubject: Your turn\n\n{HAND}"
    ),
    "outlook, without a line": f"From: {FROM}\nSent: Tuesday\n\n{HAND}",
    "outlook, japanese": f"差出人: {FROM}\n送信日時: 2026年11月24日\n\n{HAND}",
    "original message": f"-----Original Message-----\n{HAND}",
    "nothing but the mail": f"Replies to the table: above this line\n\nAlice, it is your turn\n{HAND}",
    "signature first": f"-- \nAlice\nhttps://alice.example\n\n> {HAND}",
    "phone": f"Sent from my iPhone\n\n> {HAND}",
    "phone, japanese": f"iPhoneから送信\n\n> {HAND}",
}


@in_one_go("quote", QUOTES)
@in_one_go("end", ["\n", "\r\n"], ids=repr)
def test_what_stands_above_the_quote_is_said(quote, end):
    text = f"{SAID}\n\nSee you,\nAlice\n\n{quote}\n".replace("\n", end)
    assert written_above(text, MARKS) == f"{SAID}\n\nSee you,\nAlice"


@in_one_go("quote", QUOTES)
def test_nothing_is_said_if_nothing_stands_above(quote):
    is_marked = quote.startswith((">", "Sent from", "iPhone"))
    below = "Said below" if is_marked else ""
    assert written_above(f"\n{quote}\nSaid below", MARKS) == below


@pytest.mark.parametrize(
    "text",
    [
        "From here on it is easy.",
        "On Tuesday I wrote you a letter",
        "Le roi est mort",
        "Von mir aus",
        "1 - 2 - 3 --- go",
        "a > b",
    ],
)
def test_what_only_looks_like_a_quote_stays(text):
    assert written_above(text, MARKS) == text


@given(st.text(), st.sampled_from(list(QUOTES.values())))
def test_no_quote_passes_whatever_stands_above(text, quote):
    assert HAND not in written_above(f"{text}\n{quote}", MARKS)


@given(st.text())
def test_what_is_said_can_be_said(text):
    """It has no control characters, none that change the direction of text, and no space at either end."""
    said = written_above(text, MARKS)
    assert said == said.strip()
    assert not any(ord(each) < 32 and each != "\n" for each in said)
    assert "\u202e" not in said and "\u2066" not in said


HTML = {
    "gmail": '<div dir="ltr">{said}</div><div class="gmail_quote"><div class="gmail_attr">On Tue</div>'
    "<blockquote>{hand}</blockquote></div>",
    "apple": "<html><body>{said}<br><blockquote type=cite><div>{hand}<p>x</div></blockquote></body>",
    "outlook": '<p>{said}</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{hand}</div><p>{hand}',
    "thunderbird": '<p>{said}</p><div class="moz-cite-prefix">On</div><blockquote>{hand}</blockquote>',
}


@in_one_go("html", HTML)
def test_html_alone_is_made_text(html):
    shown = "<style>p { color: red }</style>" + html.format(
        said="I am off <b>until</b> Friday.", hand=HAND
    )
    assert written_above(text_of(shown), MARKS) == SAID


@given(st.text(alphabet="<>/abdivpqu \"'=&;\n"))
def test_any_html_is_read(html):
    text_of(html)
