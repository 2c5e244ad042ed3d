"""Ratings: results of rated games, and the estimates computed from them (docs/ratings.md)."""
