"""Times as mails and their pages state them."""

from __future__ import annotations

from datetime import datetime, tzinfo

from babel.dates import format_datetime, get_timezone_name

from service.core.words.words import Phrases


def local_time(at: int, zone: tzinfo, words: Phrases) -> str:
    """A time (ms UTC) with its date, in the reader's time zone, which is named."""
    local = datetime.fromtimestamp(at / 1000, zone)
    pattern = words.say("mail.time")
    time = format_datetime(local, pattern, tzinfo=zone, locale=words.language)
    name = get_timezone_name(local, locale=words.language)
    return words.say("mail.time.zone", {"time": time, "zone": name})
