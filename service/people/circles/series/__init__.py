"""Series: who meets whom in which seats, the standings, and the rows that store both."""
