"""JSON-RPC frames as the SDK reads and writes them: one line of UTF-8 JSON each way.

A line of JSON that is no request and no notification (a batch, another version, a response) is not answered, as in the SDK.

Where the SDK leaves a client waiting, this differs on purpose, for every call is promised an answer: a line that is no JSON is
answered without an id; a request whose parameters are no object, or that holds half a surrogate pair or an integer with more
digits than are read, is answered as malformed.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, UNSUPPORTED_VERSION = -32602, -32603, -32022


class Fault(Exception):
    """An answer that is a JSON-RPC error. `data` None: none is sent."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def malformed() -> Fault:
    """The protocol's own parameters have the wrong shape; in the SDK's words."""
    return Fault(INVALID_PARAMS, "Invalid request parameters", "")


def unknown_method(method: str) -> Fault:
    """The server has no such method; in the SDK's words."""
    return Fault(METHOD_NOT_FOUND, "Method not found", method)


class Message:
    """A request, or a notification when `id` is None. An id that is neither a string nor an integer makes a notification, as in the SDK."""

    __slots__ = ("id", "method", "params")

    def __init__(self, id: str | int | None, method: str, params: dict[str, Any]) -> None:
        self.id = id
        self.method = method
        self.params = params


class Rejected:
    """A line that gets this error and no more. `id` None: it is not known, or cannot be said."""

    __slots__ = ("fault", "id")

    def __init__(self, id: str | int | None, fault: Fault) -> None:
        self.id = id
        self.fault = fault


def parse(line: bytes) -> Message | Rejected | None:
    """The message in a line; None when there is none and nobody waits for an answer."""
    try:
        value, wrong = _read(line)
    except (ValueError, RecursionError):
        return Rejected(None, Fault(PARSE_ERROR, "the line is no JSON")) if line.strip() else None
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return None
    method, params, id = value.get("method"), value.get("params"), value.get("id")
    if not isinstance(method, str):
        return None
    if isinstance(id, bool) or not isinstance(id, str | int):
        id = None
    if not isinstance(params, dict | None):
        wrong = wrong or "`params` must be an object"
    if not wrong:
        return Message(id, method, params or {})
    if id is None:
        return None
    return Rejected(id if _is_text(id) else None, Fault(INVALID_PARAMS, wrong))


def _read(line: bytes) -> tuple[Any, str]:
    """The value of a line, and what in it cannot be taken. Raises ValueError, RecursionError when it is no JSON."""
    text, wrong = line.decode("utf-8", "replace"), ""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        value, wrong = json.loads(text, parse_int=_integer), "an integer has too many digits"
    if b"\\u" in line and not _is_text(value):
        wrong = "a string holds half a surrogate pair, which is no text"
    return value, wrong


def _integer(digits: str) -> int | float:
    """The integer; infinity for one with more digits than Python reads."""
    try:
        return int(digits)
    except ValueError:
        return float("inf")


def _is_text(value: Any) -> bool:
    """Whether all strings in the value can be written."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def encode(value: Any) -> bytes:
    """Compact JSON. A file name that is no UTF-8 gets replacement characters instead of half a surrogate pair."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def result(id: str | int, body: bytes) -> bytes:
    """The line of a result whose JSON is `body`."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (encode(id), body)


def failure(id: str | int | None, fault: Fault) -> bytes:
    """The line of an error."""
    error: dict[str, Any] = {"code": fault.code, "message": fault.message}
    if fault.data is not None:
        error["data"] = fault.data
    return encode({"jsonrpc": "2.0", "id": id, "error": error}) + b"\n"


def notification(method: str, params: dict[str, Any]) -> bytes:
    """The line of a notification."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"
