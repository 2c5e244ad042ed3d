"""Series: who meets whom, in which seats, and how they stand; and the rows that keep it."""
