"""Mail: what a letter is, how it is made into a message, and what people do not want to get."""
