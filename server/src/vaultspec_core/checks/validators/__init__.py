"""One validator per file, each exporting `CHECK`. The folder is the registry."""
