"""Targets: a provider at a scope in a workspace, which is one host file and the place in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from vaultspec_core.files import real_target
from vaultspec_core.report import USAGE, Refusal
from vaultspec_providers import registry
from vaultspec_providers.contract import Format, LocationError, Provider, Scope, Surroundings

ALL = "all"


class Target(NamedTuple):
    """`path`: the host file with links followed. `shown`: the same as the client knows it. `left_by`: the folder that this
    workspace was moved away from, where the place in the file is still that folder's; else empty."""

    provider: Provider
    scope: Scope
    path: Path
    shown: Path
    format: Format
    left_by: str = ""

    @property
    def key(self) -> str:
        """The target's key in the ownership record."""
        if self.scope is Scope.USER:
            return f"{self.provider.name}:user:{self.shown}"
        return f"{self.provider.name}:{self.scope.value}" + (f":{self.left_by}" if self.left_by else "")

    def said(self, root: Path) -> str:
        """The host file as messages and JSON name it: relative inside the workspace, else absolute."""
        return self.shown.relative_to(root).as_posix() if self.shown.is_relative_to(root) else str(self.shown)


def provider_named(name: str) -> Provider:
    """The provider of that name or alias. Raises Refusal `unknown-provider` with the nearest names."""
    provider = registry.load(name.lower())
    if provider is not None:
        return provider
    import difflib

    known = registry.names()
    for candidate in known:
        provider = registry.load(candidate)
        if provider is not None and name.lower() in provider.aliases:
            return provider
    near = difflib.get_close_matches(name.lower(), known, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise Refusal(
        "unknown-provider", f"unknown provider: {name}{meant}", f"Known: {', '.join(known)}.", exit_code=USAGE
    )


def locate(provider: Provider, scope: Scope, surroundings: Surroundings) -> Target:
    """The provider's target at that scope, links followed. Raises Refusal as `spot` and `followed`."""
    return followed(spot(provider, scope, surroundings), surroundings.workspace, surroundings.home)


def followed(target: Target, workspace: Path, home: Path | None) -> Target:
    """The target with the links of its host file followed. Raises Refusal `link-outside` or `link-loop`."""
    # A link at project scope comes along with a repository: it must not lead to the user's own files.
    roots = (workspace,) if home is None or target.scope is Scope.PROJECT else (workspace, home)
    return target._replace(path=real_target(target.shown, roots))


def spot(provider: Provider, scope: Scope, surroundings: Surroundings) -> Target:
    """The provider's target as the client knows it. Raises Refusal: `unsupported-scope` or `home-unusable`."""
    place = provider.locations.get(scope)
    if place is None:
        supported = ", ".join(known.value for known in provider.locations)
        raise Refusal(
            "unsupported-scope",
            f"{provider.title} has no {scope.value} scope",
            f"{provider.name} supports: {supported}.",
            data={"provider": provider.name, "scope": scope.value},
        )
    try:
        location = place(surroundings)
    except LocationError as error:
        raise Refusal("home-unusable", str(error), "Set it to an existing folder by its absolute path.") from error
    return Target(provider, scope, location.path, location.path, location.format)


def supporting(names: Iterable[str], scope: Scope) -> tuple[list[Provider], list[str]]:
    """The known providers among the names that have the scope, and a note for each that has not."""
    chosen: list[Provider] = []
    notes: list[str] = []
    for name in names:
        provider = registry.load(name)
        if provider is None:
            continue
        if scope in provider.locations:
            chosen.append(provider)
        else:
            notes.append(f"{provider.title} has no {scope.value} scope and was left out")
    return chosen, notes


def in_order(names: Iterable[str]) -> list[str]:
    """Provider names in the order of output: the shipped ones as the registry lists them, then the others by name."""
    known = registry.built_in_names()
    wanted = set(names)
    return [name for name in known if name in wanted] + sorted(wanted - set(known))
