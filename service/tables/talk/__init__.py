"""Texts that people write: messages at the table, read marks, reports, mutes, private notes."""
