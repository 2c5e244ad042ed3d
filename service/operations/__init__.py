"""What runs without a request, and what the operator types."""
