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

_CAPABILITIES = ("roots", "sampling", "elicitation", "experimental", "extensions", "tasks")


def enveloped(params: dict[str, Any]) -> bool:
    """Whether the request says which protocol version it is of: the mark of the stateless era."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and VERSION_KEY in meta


def check_meta(params: dict[str, Any]) -> dict[str, Any]:
    """The `_meta` object, empty when there is none. Raises Fault when it or its progress token has the wrong shape."""
    meta = params.get("_meta")
    if meta is None:
        return {}
    if not isinstance(meta, dict):
        raise malformed()
    token = meta.get("progressToken", "")
    if not isinstance(token, str | int) and not (isinstance(token, float) and token.is_integer()):
        raise malformed()
    return meta


def check_client(info: Any, capabilities: Any) -> None:
    """What a client says of itself. Raises Fault when it has the wrong shape."""
    if not isinstance(info, dict) or not isinstance(capabilities, dict):
        raise malformed()
    if not all(isinstance(info.get(key), str) for key in ("name", "version")):
        raise malformed()
    if not all(isinstance(capabilities.get(key), dict | None) for key in _CAPABILITIES):
        raise malformed()
