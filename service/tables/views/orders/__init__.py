"""Standing orders, as their player sees them."""
