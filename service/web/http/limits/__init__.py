"""How often a caller may do something: rates within one process, attempts counted across all; and who is behind it."""
