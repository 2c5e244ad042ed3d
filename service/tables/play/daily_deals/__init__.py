"""Daily deals: what is dealt on a day, everybody's try, and the thoughts of house players about the deal."""
