"""Series, as people see them."""
