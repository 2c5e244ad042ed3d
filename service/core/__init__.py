"""The common base of all storeys."""
