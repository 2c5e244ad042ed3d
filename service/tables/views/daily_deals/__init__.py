"""Daily deals as people see them: a day, the calendar, and the viewer's line next to the best one."""
