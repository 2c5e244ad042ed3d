"""The operator's command `tegami`, run on the database of a test."""

from __future__ import annotations

from typing import Any

from click.testing import CliRunner, Result

from service.core.settings.config import Config
from service.operations.commands.main import main


def run(config: Config, *words: str, status: int = 0, **more: Any) -> Result:
    """Run the command; it is expected to end with this exit code."""
    environment = {
        "DATA_DIR": str(config.data_dir),
        "DATABASE_URL": config.database_url,
        "PUBLIC_URL": config.public_url,
        **more.pop("env", {}),
    }
    done = CliRunner().invoke(main, words, env=environment, **more)
    assert done.exit_code == status, (done.output, done.exception)
    return done


def told(config: Config, *words: str, status: int = 0, **more: Any) -> str:
    """The output of the command; after a failure, including stderr."""
    done = run(config, *words, status=status, **more)
    return done.output if status else done.stdout
