"""The revision 2026-07-28: no handshake and no ping, every request carries its own envelope."""

from __future__ import annotations

from vaultspec_core.mcp_server.envelope import (
    CAPABILITIES_KEY,
    CLIENT_KEY,
    SERVER_KEY,
    VERSION_KEY,
    check_client,
    check_meta,
)
from vaultspec_core.mcp_server.frame import (
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Fault,
    Message,
    unknown_method,
)
from vaultspec_core.mcp_server.handshake import TABLE_METHODS
from vaultspec_core.mcp_server.identity import CAPABILITIES, SERVER_INFO, instructions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REVISION = "2026-07-28"

_NOBODY = {"name": "", "version": ""}
"""A client that does not say who it is, which it need not."""


def unserved(message: Message) -> bool:
    """Whether an enveloped request names a revision that this module does not know."""
    version = message.params["_meta"][VERSION_KEY]
    return isinstance(version, str) and version != REVISION


class Stateless:
    """A connection of this kind."""

    structured = True

    def __init__(self, read_only: bool) -> None:
        self._read_only = read_only

    def notice(self, message: Message) -> None:
        """No notification opens anything here."""

    def answer(self, message: Message) -> dict[str, Any] | None:
        """The result, when it is the protocol's own; None when the tool table has it. Raises Fault."""
        params = message.params
        if message.method == "initialize":
            requested = params.get("protocolVersion")
            raise _unsupported(f"this connection speaks {REVISION}, which has no handshake", requested)
        meta = _envelope(params)
        if message.method not in TABLE_METHODS and message.method != "server/discover":
            raise unknown_method(message.method)
        check_meta(params)
        check_client(_NOBODY if meta.get(CLIENT_KEY) is None else meta[CLIENT_KEY], meta[CAPABILITIES_KEY])
        if message.method == "server/discover":
            found = {
                "supportedVersions": [REVISION],
                "capabilities": CAPABILITIES,
                "instructions": instructions(self._read_only),
            }
            return self.dress(found, cacheable=True)
        return None

    def dress(self, result: dict[str, Any], cacheable: bool = False) -> dict[str, Any]:
        """The result as this revision frames it."""
        caching = {"cacheScope": "private", "ttlMs": 0} if cacheable else {}
        return {"resultType": "complete", **caching, **result, "_meta": {SERVER_KEY: SERVER_INFO}}


def _envelope(params: dict[str, Any]) -> dict[str, Any]:
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise Fault(INVALID_PARAMS, f"params._meta must be an object with {VERSION_KEY} and {CAPABILITIES_KEY}")
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        raise Fault(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}")
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise Fault(INVALID_PARAMS, f"{VERSION_KEY} must be a string")
    if version != REVISION:
        raise _unsupported("unsupported protocol version", version)
    return meta


def _unsupported(message: str, requested: Any) -> Fault:
    data: dict[str, Any] = {"supported": [REVISION]}
    if isinstance(requested, str):
        data["requested"] = requested
    return Fault(UNSUPPORTED_VERSION, message, data)
