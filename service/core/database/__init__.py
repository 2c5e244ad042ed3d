"""The database: sessions, transactions, and statements that run so often that they go round SQLAlchemy."""
