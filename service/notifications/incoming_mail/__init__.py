"""Incoming mail: an answer to a turn email plays, or is said at the table."""
