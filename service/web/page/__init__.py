"""The page: its shell, the files of `web/`, and what the server draws itself."""
