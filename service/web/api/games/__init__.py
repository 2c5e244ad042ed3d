"""The endpoints of a game or table, `/api/games/…`."""
