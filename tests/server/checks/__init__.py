"""Tests of the vault health checks."""
