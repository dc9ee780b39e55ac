"""One file per migration of enrollment; the folder is the registry."""
