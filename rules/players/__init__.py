"""House players: programs that see what their seat sees, and choose among its legal actions."""
