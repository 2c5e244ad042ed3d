"""The database: sessions, transactions, and frequent statements that bypass SQLAlchemy."""
