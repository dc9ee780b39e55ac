"""Both engines in this process: frames in, answers out. The loop runs its calls on the spot; the SDK gets pipes and a thread."""

from __future__ import annotations

import json
import os
import select
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from vaultspec_core.mcp_server import frame, sdk
from vaultspec_core.mcp_server.calls import InFlight, Lanes
from vaultspec_core.mcp_server.stdio import Session
from vaultspec_core.mcp_server.table import ToolTable
from vaultspec_core.mcp_server.wire import Wire

Frame = dict[str, Any]
Engine = Callable[[Sequence[bytes], ToolTable, bool], list[Frame]]

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
REVISIONS = (*HANDSHAKES, STATELESS)

PATIENCE_SECONDS = 60
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def line(message: Frame) -> bytes:
    return json.dumps(message).encode()


def request(id: Any, method: str, params: Frame | None = None) -> bytes:
    said = {} if params is None else {"params": params}
    return line({"jsonrpc": "2.0", "id": id, "method": method, **said})


def notification(method: str, params: Frame | None = None) -> bytes:
    said = {} if params is None else {"params": params}
    return line({"jsonrpc": "2.0", "method": method, **said})


def initialize(revision: str = "2025-11-25", id: Any = "init") -> bytes:
    return request(
        id,
        "initialize",
        {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    )


def opened(revision: str, *requests: tuple[Any, str, Frame]) -> list[bytes]:
    """The lines of a connection of this revision: its opening, and requests as (id, method, params)."""
    if revision == STATELESS:
        return [request(id, method, enveloped(params)) for id, method, params in requests]
    opening = [initialize(revision), notification("notifications/initialized")]
    return [*opening, *(request(id, method, params) for id, method, params in requests)]


def enveloped(params: Frame) -> Frame:
    return {**params, "_meta": {**ENVELOPE, **params.get("_meta", {})}}


class Inline(Lanes):
    """Runs a job where it is put."""

    def put(self, job: Callable[[], None], elsewhere: bool) -> None:
        job()


def through_loop(lines: Sequence[bytes], table: ToolTable, read_only: bool = False) -> list[Frame]:
    """What the loop answers, in order."""
    sent: list[bytes] = []
    session = Session(lambda: table, read_only, InFlight(), Inline(), sent.append)
    for one in lines:
        session.receive(one)
    return [json.loads(one) for one in sent]


def through_sdk(lines: Sequence[bytes], table: ToolTable, read_only: bool = False) -> list[Frame]:
    """What the SDK answers, in order. Its input stays open until every request has an answer, for it drops what is under way at the end."""
    source, feed = os.pipe()
    drain, sink = os.pipe()
    wire = Wire(source, sink)
    lanes = Lanes()
    threading.Thread(target=lanes.work, daemon=True).start()
    server = threading.Thread(target=sdk.converse, args=(wire, b"", table, read_only, InFlight(), lanes), daemon=True)
    server.start()
    os.write(feed, b"".join(one + b"\n" for one in lines))
    parsed = [frame.parse(one) for one in lines]
    waiting = [message.id for message in parsed if isinstance(message, frame.Message) and message.id is not None]
    answers: list[Frame] = []
    out = lines_of(drain)
    while waiting:
        answers.append(json.loads(next(out)))
        if "id" in answers[-1]:
            waiting.remove(answers[-1]["id"])
    os.close(feed)
    server.join(PATIENCE_SECONDS)
    os.close(sink)
    answers += [json.loads(rest) for rest in out]
    for handle in (source, drain):
        os.close(handle)
    return answers


def shared(lines: Sequence[bytes], answers: Sequence[Frame]) -> list[Frame]:
    """The loop's answers without those to lines that it rejects and on which the SDK stays silent; each of them is there once."""
    rest = list(answers)
    for one in lines:
        if isinstance(message := frame.parse(one), frame.Rejected):
            rest.remove(json.loads(frame.failure(message.id, message.fault)))
    return rest


def lines_of(handle: int) -> Iterator[bytes]:
    """Lines until the other end is closed; silence for too long fails the test."""
    data = b""
    while True:
        while b"\n" in data:
            one, _, data = data.partition(b"\n")
            yield one
        ready, _, _ = select.select([handle], [], [], PATIENCE_SECONDS)
        assert ready, "no answer"
        part = os.read(handle, 1 << 16)
        if not part:
            return
        data += part


ENGINES: dict[str, Engine] = {"stdio": through_loop, "sdk": through_sdk}


def by_id(answers: Sequence[Frame]) -> dict[Any, Frame]:
    """Answers by the id of their request; each has one."""
    found = {answer["id"]: answer for answer in answers if "id" in answer}
    assert len(found) == sum("id" in answer for answer in answers)
    return found


def meaning(answers: Sequence[Frame]) -> dict[str, list[Frame]]:
    """Answers by id, and what was said without one, in its order. The protocol's own errors are compared without their words."""
    found: dict[str, list[Frame]] = {}
    for answer in answers:
        error = answer.get("error")
        if error and not (isinstance(error.get("data"), dict) and "code" in error["data"]):
            answer = {**answer, "error": {**error, "message": "..."}}
        params = answer.get("params", {})
        found.setdefault(repr(answer.get("id", params.get("progressToken"))), []).append(answer)
    return {id: sorted(said, key=repr) if id != "None" else said for id, said in found.items()}
