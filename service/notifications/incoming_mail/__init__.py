"""Incoming mail: a reply to a turn email plays, or is said at the table."""
