"""The vault: documents, their frontmatter and structure, the corpus that indexes them, and what is done to them."""
