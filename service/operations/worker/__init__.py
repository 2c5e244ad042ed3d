"""The worker: moves of house players, deadlines, the daily purge, and the threads that send emails and deliveries."""
