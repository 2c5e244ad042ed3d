"""House players: they see what their seat sees, and choose among its legal actions."""
