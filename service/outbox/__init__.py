"""The outbox: emails that are to be sent, their times and recipients, and emails that are not wanted.

The worker sends them later.
"""
