"""`completion`: the script of a shell."""

from __future__ import annotations

from vaultspec_core.load import load
from vaultspec_core.report import Report
from vaultspec_core.verb import Call

from ..completion.shape import places


def show(call: Call) -> Report:
    """The script on stdout."""
    text: str = load(f"vaultspec_installer.completion.{call['shell']}:script")(places())
    return Report("ok", {"shell": call["shell"], "script": text}, text=text)
