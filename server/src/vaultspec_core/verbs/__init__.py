"""The verbs of the vault, one file per group of words, each exporting `VERBS`. The folder is the registry."""
