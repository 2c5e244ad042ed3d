"""Daily deals as people see them: a day, the calendar, and the best line beside one's own."""
