"""One file per MCP client, each exporting `PROVIDER`. The folder is the registry."""
