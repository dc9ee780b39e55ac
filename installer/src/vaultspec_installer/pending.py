"""The warning of every command that does not converge: which migrations are pending. Nothing but a small read where none can be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.load import load
from vaultspec_core.workspace import FRAMEWORK

from ._version import __version__

_SETTLED = f'"vaultspec_version": "{__version__}"'.encode()


def pending_warning(root: Path, environ: Mapping[str, str]) -> str | None:
    """One line that names what is pending in the workspace; None when nothing is."""
    try:
        with open(root / FRAMEWORK / "providers.json", "rb") as manifest:
            if _SETTLED in manifest.read():
                return None
    except OSError:
        pass
    names = [one.name for one in load("vaultspec_installer.migrating:pending")(root, environ)]
    if not names:
        return None
    return f"pending migrations: {', '.join(names)}; vaultspec-core migrations run applies them"
