"""The truth about a game: its event log, shuffles, rows and record, and the verification of all of them."""
