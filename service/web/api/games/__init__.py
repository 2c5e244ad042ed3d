"""What can be done with one game or table, `/api/games/…`."""
