"""Commands of the operator that leave a line in the audit log: the command, its outcome, its subject, and
who ran it.
"""

from __future__ import annotations

import os
import syslog

import click

from service.core.runtime import log_files

_ABOUT = "tegami.about"


class AuditedCommand(click.Command):
    """A command that logs its outcome on stderr and in the system's log, because a terminal keeps nothing."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, log its outcome, and return its result. Raises whatever the command raises."""
        outcome = "failed"
        try:
            result = super().invoke(ctx)
            outcome = "done"
        finally:
            _log(ctx, outcome)
        return result


class AuditedGroup(click.Group):
    """A group whose commands are all audited."""

    command_class = AuditedCommand


def about(subject: str) -> None:
    """Note the subject of the present command for its log line: an id, never the typed text."""
    click.get_current_context().meta[_ABOUT] = subject


def _log(ctx: click.Context, outcome: str) -> None:
    log_files.set_up()
    what = f"tegami {ctx.command_path.partition(' ')[2]}"
    line = {"who": "operator", "uid": os.getuid(), "about": ctx.meta.get(_ABOUT)}
    log_files.audit(what, outcome, **line)
    details = (f"{name}={value}" for name, value in line.items() if value is not None)
    syslog.openlog("tegami", facility=syslog.LOG_AUTH)
    syslog.syslog(" ".join([what, outcome, *details]))
