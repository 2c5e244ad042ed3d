"""Requests that create something and may be repeated: `Idempotency-Key`."""
