"""How mail leaves: the sender that empties the outbox, the message, SMTP."""
