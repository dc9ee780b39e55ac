"""The revisions that open with `initialize`: 2024-11-05 to 2025-11-25."""

from __future__ import annotations

from vaultspec_core.mcp_server.envelope import check_client, check_meta, enveloped
from vaultspec_core.mcp_server.frame import INVALID_REQUEST, Fault, Message, malformed, unknown_method
from vaultspec_core.mcp_server.identity import CAPABILITIES, SERVER_INFO, instructions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST = REVISIONS[-1]
STRUCTURED_SINCE = "2025-06-18"
"""The first revision whose clients read `structuredContent`; before it the text block has to carry the data."""

TABLE_METHODS = frozenset({"tools/list", "tools/call"})


class Handshake:
    """A connection of this kind: agreed revision, and whether the client may ask for more than `ping`."""

    def __init__(self, read_only: bool) -> None:
        self._read_only = read_only
        self._revision = LATEST
        self._open = False

    @property
    def structured(self) -> bool:
        return self._revision >= STRUCTURED_SINCE

    def notice(self, message: Message) -> None:
        """Take a notification: a client may leave out `initialize`, but not both."""
        if message.method == "notifications/initialized":
            self._open = True

    def answer(self, message: Message) -> dict[str, Any] | None:
        """The result, when it is the protocol's own; None when the tool table has it. Raises Fault."""
        if message.method == "initialize":
            return self._initialize(message.params)
        if enveloped(message.params):
            raise Fault(INVALID_REQUEST, "a connection that began with a handshake takes no 2026-07-28 requests")
        if message.method == "ping":
            check_meta(message.params)
            return {}
        if message.method not in TABLE_METHODS:
            raise unknown_method(message.method)
        if not self._open:
            raise malformed()
        check_meta(message.params)
        return None

    def dress(self, result: dict[str, Any], cacheable: bool = False) -> dict[str, Any]:
        """The result as this revision frames it."""
        return result

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        check_meta(params)
        check_client(params.get("clientInfo"), params.get("capabilities"))
        revision = params.get("protocolVersion")
        if not isinstance(revision, str):
            raise malformed()
        self._revision = revision if revision in REVISIONS else LATEST
        self._open = True
        return {
            "protocolVersion": self._revision,
            "capabilities": CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": instructions(self._read_only),
        }
