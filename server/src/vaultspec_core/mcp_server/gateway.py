"""`discover` and `invoke`: the way to the verbs that have no tool of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress
from vaultspec_core.vault.vault import Vault


def discover(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> NoReturn:
    """The tool. Raises Refusal `gateway-unavailable`."""
    _unavailable()


def invoke(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> NoReturn:
    """The tool. Raises Refusal `gateway-unavailable`."""
    _unavailable()


def _unavailable() -> NoReturn:
    raise Refusal(
        "gateway-unavailable",
        "this server has no verb catalog to search or run",
        "Run the verb at a terminal; `vaultspec-core --help` lists them.",
    )
