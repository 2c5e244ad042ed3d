"""What a request sends: its path, its query and its body, checked."""
