"""`python -m vaultspec_installer`: the command line without its console script."""

from .cli import main

main()
