"""Forms of our own pages, as browsers without JavaScript send them."""
