"""Daily deals as people see them: a day, the calendar, and one's own line next to the best one."""
