"""What must hold before a sync writes: the version floor (MOD-6), and no literal secret in a committed file (DEF-6)."""

from __future__ import annotations

from vaultspec_core.load import load
from vaultspec_core.report import Refusal
from vaultspec_providers.contract import Scope

from ._version import __version__
from .declaration import FILE, floor_refusal
from .mode import CORE
from .survey import Survey


def require_floor(found: Survey) -> None:
    """Raises Refusal `below-floor` when workspace.json asks for a newer release than this one."""
    refusal = floor_refusal(found.declaration, CORE, __version__)
    if refusal is not None:
        raise refusal


def floor_warning(found: Survey) -> str | None:
    """The same for a command that only looks."""
    refusal = floor_refusal(found.declaration, CORE, __version__)
    return f"{refusal.message}; {refusal.hint}" if refusal is not None else None


def secret_warnings(found: Survey) -> list[str]:
    """One line per field of a definition that looks like a literal secret and would land in a committed file."""
    if found.scope is not Scope.PROJECT or not found.targets:
        return []
    # A bundled definition without env holds nothing of anybody's, and the shapes of secrets are costly to load.
    suspects = {
        name: definition
        for name, definition in found.definitions.valid.items()
        if definition.env or not definition.templated
    }
    said = [
        f"{FILE}: the requirement of {package} holds credentials and would be committed with it and with the host files"
        for package, record in found.declaration.packages.items()
        if record.tool_requirement and "@" in record.tool_requirement and _redacted(record.tool_requirement)
    ]
    if not suspects:
        return said
    find_secrets = load("vaultspec_installer.secrets:find_secrets")
    return said + [
        f"definition {name}: {field} looks like a literal secret and would be committed with the host file; "
        "write it as ${NAME} or enroll at local scope"
        for name, definition in suspects.items()
        for field in find_secrets(definition)
    ]


def require_no_secrets(found: Survey) -> None:
    """Raises Refusal `literal-secret`."""
    said = secret_warnings(found)
    if said:
        raise Refusal("literal-secret", said[0], "Or sync without --strict-secrets.", data={"secrets": said})


def _redacted(requirement: str) -> bool:
    redact_args = load("vaultspec_installer.secrets:redact_args")
    return tuple(redact_args((requirement,))) != (requirement,)
