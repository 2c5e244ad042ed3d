"""The emails that are to be sent: when, to whom, and which are not wanted. The worker sends them later."""
