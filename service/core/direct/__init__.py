"""Statements that go round SQLAlchemy to the driver, because they run so often."""
