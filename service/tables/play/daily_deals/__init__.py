"""Daily deals: what is dealt on a day, everybody's try at it, and what house players have thought about it."""
