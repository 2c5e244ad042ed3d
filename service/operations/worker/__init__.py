"""The worker: moves of house players, deadlines, the daily purge, and the threads that send mails and deliveries."""
