"""Time, randomness, units, problems, failures that are tried again, log files."""
