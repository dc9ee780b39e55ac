"""A fault of ours: a report that a user can paste, in the state directory."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from pathlib import Path

from ._version import __version__
from .state import state_folder


def write(error: BaseException, words: list[str], environ: Mapping[str, str]) -> str:
    """Write the report and give its path. It holds the verb and the traceback, no values of options."""
    folder = state_folder(environ) / "faults"
    path = folder / time.strftime("%Y%m%dT%H%M%SZ.txt", time.gmtime())
    verb = " ".join(word for word in words if word.replace("-", "").isalpha() and not word.startswith("-"))
    trace = "".join(traceback.format_tb(error.__traceback__))
    text = f"vaultspec-core {__version__}\ncommand: {verb}\n{trace}{error.__class__.__name__}\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return "the text above"
    return str(Path(path))
