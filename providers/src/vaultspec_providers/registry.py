"""Find providers: the files of `clients/`, then the `vaultspec.providers` entry points that others install.

Names come from a folder listing, so that a command imports only the clients that it needs.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from vaultspec_providers.contract import Provider

FIRST = ("claude", "antigravity", "codex")
"""The documented order of output; any other client follows by name."""


@cache
def built_in_names() -> tuple[str, ...]:
    """Names of the clients that ship with this distribution, in the order of output."""
    folder = Path(__file__).parent / "clients"
    found = {path.stem.replace("_", "-") for path in folder.glob("*.py") if path.stem != "__init__"}
    return tuple(name for name in FIRST if name in found) + tuple(sorted(found - set(FIRST)))


@cache
def load(name: str) -> Provider | None:
    """The provider of that name, built in or installed by another distribution; None when there is none."""
    if name in built_in_names():
        module = import_module(f"vaultspec_providers.clients.{name.replace('-', '_')}")
        provider: Provider = module.PROVIDER
        return provider
    return _installed().get(name)


def names() -> tuple[str, ...]:
    """All provider names, built in and installed by others. Reads the installed distributions' entry points."""
    return built_in_names() + tuple(sorted(set(_installed()) - set(built_in_names())))


@cache
def _installed() -> dict[str, Provider]:
    from importlib.metadata import entry_points

    return {point.name: point.load() for point in entry_points(group="vaultspec.providers")}
