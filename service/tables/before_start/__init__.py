"""A table before the game: opening it, sitting down, inviting, the nonces, expiry, a rematch."""
