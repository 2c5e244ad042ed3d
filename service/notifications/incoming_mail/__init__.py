"""Mail that comes in: what somebody answers to a turn mail is said at the table."""
