"""The verbs of the installer, one file per group of words, each exporting `VERBS`. The folder is the registry."""
