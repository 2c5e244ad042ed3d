"""Who plays for the house: house players see what their seat sees, and choose among its legal actions."""
