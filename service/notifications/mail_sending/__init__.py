"""Sending mail: the sender that empties the outbox, its budgets, and the transports."""
