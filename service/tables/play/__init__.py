"""What people do in a game: they move, propose, leave, come back, and run out of time."""
