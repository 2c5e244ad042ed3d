"""Sending everything that is due, which the worker does little by little."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

from service.core.models.receivers import Delivery
from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_texts.message import Message
from service.notifications.receivers.courier import Courier


def send_all(sender: Sender) -> int:
    """Handle every due mail; returns the number of mails."""
    number = 0
    while sender.send_one():
        number += 1
    return number


def deliver_all(courier: Courier) -> int:
    """Handle every due delivery; returns the number of deliveries."""
    number = 0
    while courier.look() or any(courier.claim_and_send(row) for row in due(courier)):
        number += 1
    return number


def as_read(message: Message) -> EmailMessage:
    """A mail as a reader's program shows it."""
    raw = message.raw.replace(b"\r\n", b"\n")  # as mail programs store it
    return message_from_bytes(raw, EmailMessage, policy=policy.default)


def due(courier: Courier) -> list[Delivery]:
    """The deliveries that the courier would send now."""
    return [each.delivery for quick in (True, False) for each in courier.due(quick=quick)]
