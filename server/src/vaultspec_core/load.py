"""The one place that imports by name, so that a command loads its own parts and nothing else."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs a server's start-up a tenth
    from typing import Any


def load(reference: str) -> Any:
    """The object that `package.module:attribute` names. Raises ImportError or AttributeError: a fault of ours."""
    module, _, attribute = reference.partition(":")
    return getattr(import_module(module), attribute)
