"""Sending mail: the sender that empties the outbox, the message, SMTP."""
