"""What people do at a table: set it up, move, propose, leave, come back, play a rematch, run out of time."""
