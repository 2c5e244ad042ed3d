"""The foundation of all storeys: the database and its tables, settings, words, time, counts and readiness."""
