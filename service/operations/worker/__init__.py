"""The worker: moves of house players, deadlines, the daily purge, and the sender next to them."""
