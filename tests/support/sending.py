"""Sending all that is due, as the worker does little by little."""

from __future__ import annotations

from service.notifications.mail_sending.sender import Sender
from service.notifications.receivers.courier import Courier


def send_all(sender: Sender) -> int:
    """Deal with every mail that is due; how many were dealt with."""
    number = 0
    while sender.send_one():
        number += 1
    return number


def deliver_all(courier: Courier) -> int:
    """Deal with every delivery that is due; how many were dealt with."""
    number = 0
    while courier.look() or any(courier.claim_and_send(row) for row, _ in courier.due()):
        number += 1
    return number
