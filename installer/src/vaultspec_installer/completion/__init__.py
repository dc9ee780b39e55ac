"""Completion scripts, one module per shell: made from the verb table once, so that no Tab starts Python."""
