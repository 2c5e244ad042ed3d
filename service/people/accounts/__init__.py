"""Guests and accounts: the ways in which somebody becomes a player."""
