"""`params._meta`: the progress token of every revision, and the envelope of the stateless one."""

from __future__ import annotations

from vaultspec_core.mcp_server.frame import malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = _PREFIX + "protocolVersion"
CLIENT_KEY = _PREFIX + "clientInfo"
CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
SERVER_KEY = _PREFIX + "serverInfo"


def enveloped(params: dict[str, Any]) -> bool:
    """Whether the request says which protocol version it is of: the mark of the stateless era."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and VERSION_KEY in meta


def check_meta(params: dict[str, Any]) -> dict[str, Any]:
    """The `_meta` object, empty when there is none. Raises Fault when it or its progress token has the wrong shape."""
    meta = params.get("_meta")
    if meta is None:
        return {}
    if not isinstance(meta, dict) or not isinstance(meta.get("progressToken", ""), str | int):
        raise malformed()
    return meta
