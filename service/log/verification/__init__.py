"""The verification of records, the check of games in the database, and moving their logs to cold storage."""
