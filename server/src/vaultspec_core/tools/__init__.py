"""The tools, one declaration a file, each exporting `TOOL`. The folder is the registry."""
