"""The first engine: a small loop over the protocol stream, of the standard library alone, so that a server answers in tens of milliseconds.

It answers what the protocol asks at once and queues tool calls. What it says on the wire is what the SDK would say, save that it calls a
method that the server does not have unknown before it looks at the parameters, and answers lines on which the SDK stays silent (see `frame`).
"""

from __future__ import annotations

from functools import partial

from vaultspec_core.mcp_server import frame
from vaultspec_core.mcp_server.calls import Call, InFlight, Lanes
from vaultspec_core.mcp_server.envelope import check_meta, enveloped
from vaultspec_core.mcp_server.frame import PARSE_ERROR, Fault, Message, Rejected, malformed
from vaultspec_core.mcp_server.handshake import Handshake
from vaultspec_core.mcp_server.stateless import Stateless, unserved
from vaultspec_core.mcp_server.wire import LINE_BYTES, TooLong, Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vaultspec_core.mcp_server.table import ToolTable


class Unserved(Exception):
    """The client opened with a revision that only the SDK may know. `line`: its request, which nobody has answered."""

    def __init__(self, line: bytes) -> None:
        super().__init__("unknown revision")
        self.line = line


class Session:
    """One connection: takes lines in, gives frames to `send`, from any thread. `open_table` is called when a request needs the tools."""

    def __init__(
        self,
        open_table: Callable[[], ToolTable],
        read_only: bool,
        in_flight: InFlight,
        lanes: Lanes,
        send: Callable[[bytes], None],
    ) -> None:
        self._open_table = open_table
        self._read_only = read_only
        self._handshake = Handshake(read_only)
        self._era: Handshake | Stateless | None = None
        self._in_flight = in_flight
        self._lanes = lanes
        self._send = send
        self._listing: bytes | None = None

    def receive(self, line: bytes | TooLong) -> None:
        """Take one line. Raises Unserved."""
        if isinstance(line, TooLong):
            self._send(frame.failure(None, Fault(PARSE_ERROR, f"a line may hold {LINE_BYTES} bytes")))
            return
        message = frame.parse(line)
        if message is None:
            return
        if isinstance(message, Rejected):
            self._send(frame.failure(message.id, message.fault))
            return
        if message.id is None:
            self._notice(message)
            return
        if self._era is None:
            self._era = self._opened_by(message, line)
        try:
            self._answer(self._era, message, message.id)
        except Fault as fault:
            self._send(frame.failure(message.id, fault))

    def _notice(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            self._in_flight.cancel(message.params.get("requestId"))
        else:
            (self._era or self._handshake).notice(message)

    def _opened_by(self, message: Message, line: bytes) -> Handshake | Stateless:
        """The first request decides how the connection goes on."""
        if message.method == "initialize" or not enveloped(message.params):
            return self._handshake
        if unserved(message):
            raise Unserved(line)
        return Stateless(self._read_only)

    def _answer(self, era: Handshake | Stateless, message: Message, id: str | int) -> None:
        body = era.answer(message)
        if body is not None:
            self._send(frame.result(id, frame.encode(body)))
        elif message.method == "tools/list":
            if not isinstance(message.params.get("cursor"), str | None):
                raise malformed()
            if self._listing is None:
                self._listing = frame.encode(era.dress({"tools": self._open_table().listing()}, cacheable=True))
            self._send(frame.result(id, self._listing))
        else:
            self._queue(era, message, id)

    def _queue(self, era: Handshake | Stateless, message: Message, id: str | int) -> None:
        name, arguments = message.params.get("name"), message.params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise malformed()
        token = check_meta(message.params).get("progressToken")
        call = Call(id, name, arguments or {}, token, era.structured)
        table = self._open_table()
        self._in_flight.begin(call)
        self._lanes.put(partial(self._perform, call, table, era), table.elsewhere(name))

    def _perform(self, call: Call, table: ToolTable, era: Handshake | Stateless) -> None:
        def finish(result: dict[str, Any]) -> bytes:
            return frame.result(call.id, frame.encode(era.dress(result)))

        try:
            line = table.perform(call, self._progress, finish)
        except Fault as fault:
            line = frame.failure(call.id, fault)
        if line is not None and not call.cancelled:
            self._send(line)
        self._in_flight.end(call)

    def _progress(self, params: dict[str, object]) -> None:
        self._send(frame.notification("notifications/progress", params))


def converse(wire: Wire, session: Session) -> bytes | None:
    """Serve until the input ends: None. Or until it turns out that the SDK has to serve: what it must read before the rest of the stream."""
    try:
        for line in wire.lines():
            session.receive(line)
    except Unserved as unknown:
        return unknown.line + b"\n" + wire.unread
    return None
