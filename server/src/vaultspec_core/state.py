"""Where this machine's own state lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import home_folder

VARIABLE = "VAULTSPEC_STATE_DIR"


def state_folder(environ: Mapping[str, str]) -> Path:
    """`$VAULTSPEC_STATE_DIR`, else the platform's folder for an application's state. Raises Refusal: nothing is written by guess."""
    named = environ.get(VARIABLE, "").strip()
    if named:
        return _absolute(Path(named), VARIABLE)
    home_folder(environ)
    from platformdirs import user_state_path

    return _absolute(user_state_path("vaultspec", appauthor=False), "XDG_STATE_HOME")


def _absolute(folder: Path, variable: str) -> Path:
    if folder.is_absolute():
        return folder
    raise Refusal(
        "state-unusable", f"{variable} is a relative path: {str(folder)!r}", f"Set {variable} to an absolute path."
    )
