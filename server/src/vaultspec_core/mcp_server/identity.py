"""What the server says of itself: name, version, capabilities, and the instructions that a model reads first."""

from __future__ import annotations

from vaultspec_core import __version__

NAME = "vaultspec-core-mcp"
TITLE = "Vaultspec"
VERSION = __version__

SERVER_INFO = {"name": NAME, "title": TITLE, "version": VERSION}
CAPABILITIES = {"tools": {"listChanged": False}}

_FULL = """\
Vaultspec keeps this project's research, decisions (adr), plans, references, audits and execution ledgers as markdown in `.vault/`.
Begin with `status`: features, plans in flight, the next open step. `status` with a feature or plan traces one of them.
`find` locates documents; each row has a `blob_hash` that guards a later `edit`.
`create` scaffolds documents, `edit` changes their prose, `plan_edit` writes plan steps, `plan_progress` marks them, \
`log` records what a step changed, `check` validates the vault and can repair it.
Frontmatter, file names, step rows and identifiers belong to the tools: never write them by hand.
For anything else, `discover` finds a verb and `invoke` runs it."""

_READ_ONLY = """\
Vaultspec keeps this project's research, decisions (adr), plans, references, audits and execution ledgers as markdown in `.vault/`.
This server only reads. Begin with `status`: features, plans in flight, the next open step; with a feature or plan it traces one of them.
`find` locates documents, `check` validates the vault, `discover` searches the verbs that a person can run at a terminal."""


def instructions(read_only: bool) -> str:
    """The text for this surface."""
    return _READ_ONLY if read_only else _FULL
