"""Players and accounts: how they sign in, what they prefer, whom they block."""
