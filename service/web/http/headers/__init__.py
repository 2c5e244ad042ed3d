"""Headers of answers, and which other sites may ask."""
