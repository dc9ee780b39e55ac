"""One file per migration of the vault; the folder is the registry."""
