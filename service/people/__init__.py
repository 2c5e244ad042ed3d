"""Players and accounts: how people sign in, what they prefer, whom they block."""
