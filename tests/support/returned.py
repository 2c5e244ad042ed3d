"""Messages from mail servers: delivery reports (RFC 3464), complaints (RFC 5965), and older forms."""

from __future__ import annotations

from email.message import EmailMessage

ORIGINAL = "From: Tegami <tegami@tegami.example>\r\nSubject: Your turn\r\nMessage-ID: <x@tegami.example>\r\n"
"""The head of a returned mail."""


def dsn(
    to: str,
    status: str = "5.1.1",
    action: str = "failed",
    code: str = "",
    text: str = "I could not deliver your message.",
) -> bytes:
    """A delivery report, sent to the envelope sender `to`."""
    told = f"Diagnostic-Code: smtp; {code}\r\n" if code else ""
    return _report(
        to,
        "delivery-status",
        text,
        "Reporting-MTA: dns; mx.example\r\nArrival-Date: Sat, 28 Nov 2026 05:00:00 +0000\r\n\r\n"
        f"Final-Recipient: rfc822; somebody@example.org\r\nAction: {action}\r\nStatus: {status}\r\n{told}",
    )


def complaint(to: str, sender: str, kind: str = "abuse", head: str = "") -> bytes:
    """A feedback report about the mail with the envelope sender `sender`."""
    fields = f"Feedback-Type: {kind}\r\nUser-Agent: Provider/1.0\r\nVersion: 1\r\n"
    fields += f"Original-Mail-From: <{sender}>\r\n" if sender else ""
    return _report(to, "feedback-report", "This is an email abuse report.", fields, head)


def _report(to: str, kind: str, text: str, fields: str, head: str = "") -> bytes:
    return (
        f"From: MAILER-DAEMON@mx.example\r\nTo: <{to}>\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type={kind}; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n\r\n"
        f"--b\r\nContent-Type: message/{kind}\r\n\r\n{fields}\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{head}{ORIGINAL}\r\n--b--\r\n"
    ).encode()


def plain(to: str, text: str, **headers: str) -> bytes:
    """A message without structure."""
    message = EmailMessage()
    message["From"], message["To"] = headers.pop("From", "MAILER-DAEMON@mx.example"), to
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()
