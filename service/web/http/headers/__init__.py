"""Headers of responses, and the access of other sites."""
