"""Played games: what each person did in each finished game, and the sums that their page shows."""
