"""The demo's table."""
