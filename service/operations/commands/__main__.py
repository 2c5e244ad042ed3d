"""`python -m service.operations.commands`: the `tegami` command."""

from service.operations.commands.main import main

main(prog_name="tegami")
