"""`python -m service.commands`: the `tegami` command."""

from service.commands.main import main

main(prog_name="tegami")
