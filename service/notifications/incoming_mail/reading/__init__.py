"""What a message says: read in a time that grows with its size alone, whatever is wrong with it."""
