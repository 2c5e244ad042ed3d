"""The page: its shell, the files of `web/`, and the pages that the server makes itself."""
