"""The health checks, one file each. The folder is the registry."""
