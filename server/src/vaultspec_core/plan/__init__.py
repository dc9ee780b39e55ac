"""Plans and execution ledgers: grammar, minimal edits, identifiers that are never used twice."""
