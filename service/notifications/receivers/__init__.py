"""Receivers of changes: their owners, the messages to them and their delivery, and what is stored about these."""
