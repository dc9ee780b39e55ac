"""Where this machine's own state lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def state_folder(environ: Mapping[str, str]) -> Path:
    """`$VAULTSPEC_STATE_DIR`, else the platform's folder for an application's state."""
    named = environ.get("VAULTSPEC_STATE_DIR", "")
    if named and Path(named).is_absolute():
        return Path(named)
    from platformdirs import user_state_path

    return user_state_path("vaultspec", appauthor=False)
