"""The service: people, tables, the log, mail and HTTP around the rules; it never knows a particular game."""

import gc

# Python's own thresholds (700, 10, 10) take a fifth of the time in which the code is loaded, to find nothing.
gc.set_threshold(5_000, 50, 10)
