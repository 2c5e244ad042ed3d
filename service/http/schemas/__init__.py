"""What may be sent to each endpoint, as marshmallow schemas."""
