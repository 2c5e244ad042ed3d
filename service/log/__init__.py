"""What is true of a game: its event log, its shuffles, its rows, its record and the verification of that."""
