"""Guests and accounts: how somebody becomes a player."""
