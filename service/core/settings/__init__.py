"""Settings, read from the environment once, and the key files."""
