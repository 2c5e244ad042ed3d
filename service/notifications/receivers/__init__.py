"""What is sent to receivers by itself: who they are, what is sent, how it leaves and what is kept of that."""
