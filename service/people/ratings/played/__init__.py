"""Played games: each person's part in each finished game, and the sums that their page shows."""
