"""`python -m tests.installer.demo`: the command line as a real process, with the demo verbs."""

from vaultspec_installer import table
from vaultspec_installer.__main__ import main

from . import verbs

table.FOLDERS = (*table.FOLDERS, verbs)
main()
