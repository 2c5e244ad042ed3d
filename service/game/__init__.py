"""One game: its event log, its shuffles, the rows of its table, and its record."""
