"""Forms as browsers without JavaScript send them."""
