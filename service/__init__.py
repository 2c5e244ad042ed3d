"""The service: people, tables, the log, mail and HTTP around the rules; it never knows a particular game."""
