"""Units of time. All times of the service are whole milliseconds; points in time are ms since 1970 UTC."""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
