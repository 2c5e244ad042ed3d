"""The time of seats: the arithmetic of clocks, paces, the clocks of seats, vacations."""
