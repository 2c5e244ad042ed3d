"""Time, randomness, units, problems, repeated attempts after failures, and log files."""
