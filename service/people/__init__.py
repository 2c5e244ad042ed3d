"""People: players and accounts, how they sign in, their preferences, circles and ratings, and whom they block."""
