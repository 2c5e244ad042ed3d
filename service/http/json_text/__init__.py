"""JSON as it is sent and as it is read."""
