"""What is forgotten and what is handed out: erasure, export, the daily purge."""
