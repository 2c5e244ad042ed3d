"""A table before the game: opening it, sitting down, invitations, nonces, expiry, rematches."""
