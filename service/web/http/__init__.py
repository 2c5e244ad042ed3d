"""What all endpoints share: the caller, the body and the query, limits, headers, problem answers, polling."""
