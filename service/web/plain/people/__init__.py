"""Pages about oneself without scripts: signing in, settings, vacations and blocked people."""
