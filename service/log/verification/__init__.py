"""The verification of records."""
