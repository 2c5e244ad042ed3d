"""What every room stands on: settings, the database, problems, words, units, time and randomness, log files."""
