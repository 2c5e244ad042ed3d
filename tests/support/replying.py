"""Answers to our mails, as a player's mail program writes them."""

from __future__ import annotations

from email.message import EmailMessage

from tests.support.post_office import part

SAID = "I am off until Friday."


def answer(
    mail: EmailMessage,
    text: str = SAID,
    sender: str = "Alice <alice@example.org>",
    **headers: str,
) -> bytes:
    """An answer in the form of alice's mail program, as bytes."""
    message = EmailMessage()
    message["From"], message["To"] = sender, headers.pop("To", str(mail["Reply-To"]))
    message["Message-ID"] = headers.pop("id", "<1@example.org>")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    quote = "".join(f"> {line}\n" for line in part(mail).splitlines())
    message.set_content(f"{text}\n\nOn Tuesday, {mail['From']} wrote:\n{quote}")
    return message.as_bytes()
