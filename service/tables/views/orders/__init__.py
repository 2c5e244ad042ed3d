"""Standing orders as shown to their player."""
