"""Settings, which are read once from the environment, and the key files."""
