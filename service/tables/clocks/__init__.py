"""How much time a seat has: the arithmetic of clocks, paces, the clocks of seats, vacations."""
