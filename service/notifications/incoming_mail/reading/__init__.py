"""Reading messages, in a time that grows only with their size, whatever is wrong with them."""
