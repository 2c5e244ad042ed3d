"""Incoming mail: an answer to a turn mail plays, or is said at the table."""
