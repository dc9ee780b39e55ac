"""The SDK is the judge of the loop: the same lines get the same answers, in every revision.

The loop alone answers a line that is no JSON, and a request that holds what nobody can take (see `frame`): there a client of the SDK waits for ever.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.requirements import requirement
from tests.server.mcp import toys
from tests.server.mcp.engines import (
    ENVELOPE,
    REVISIONS,
    STATELESS,
    Frame,
    enveloped,
    initialize,
    meaning,
    notification,
    opened,
    request,
    shared,
    through_loop,
    through_sdk,
)

CALLS: list[tuple[Any, str, Frame]] = [
    (1, "ping", {}),
    (2, "tools/list", {}),
    (3, "tools/list", {"cursor": "x", "more": 1}),
    (4, "tools/list", {"cursor": 5}),
    (5, "tools/call", {"name": "echo", "arguments": {"text": "hä"}}),
    (6, "tools/call", {"name": "echo", "arguments": {"text": 5, "note": 6, "x": 1}}),
    (7, "tools/call", {"name": "echo"}),
    (8, "tools/call", {"name": "echo", "arguments": None}),
    (9, "tools/call", {"name": "echo", "arguments": "text"}),
    (10, "tools/call", {"name": 5}),
    (11, "tools/call", {}),
    (12, "tools/call", {"name": "nobody", "arguments": {}}),
    (13, "tools/call", {"name": ""}),
    ("14", "tools/call", {"name": "refuse"}),
    (15, "tools/call", {"name": "fail"}),
    (16, "tools/call", {"name": "leave"}),
    (17, "tools/call", {"name": "unwritable"}),
    (18, "tools/call", {"name": "steps", "_meta": {"progressToken": "t"}}),
    (19, "tools/call", {"name": "steps", "_meta": {"progressToken": 0}}),
    (20, "tools/call", {"name": "steps", "_meta": {"progressToken": [1]}}),
    (21, "tools/call", {"name": "steps", "_meta": {"progressToken": None}}),
    (22, "tools/call", {"name": "steps", "_meta": {"other": 1}}),
    (23, "no/such/method", {}),
    (24, "resources/list", {}),
    (25, "notifications/initialized", {}),
    (-26, "tools/call", {"name": "echo", "arguments": {"text": "x", "times": 2.0}}),
    (123456789012345678901234567890, "ping", {}),
    ("", "ping", {}),
    ("ü", "ping", {"x": float("nan")}),
]

BEGIN, READY = initialize(), notification("notifications/initialized")


def envelope(**changes: Any) -> Frame:
    """Parameters with the envelope, keys changed or (None) left out."""
    meta: Frame = dict(ENVELOPE)
    for name, value in changes.items():
        key = f"io.modelcontextprotocol/{name}"
        if value is None:
            del meta[key]
        else:
            meta[key] = value
    return {"_meta": meta}


def hello(**changes: Any) -> bytes:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    return request("init", "initialize", {**params, **changes})


DIALOGUES: dict[str, list[bytes]] = {
    **{f"calls in {revision}": opened(revision, *CALLS) for revision in REVISIONS},
    "an unknown revision is answered with the latest handshake": [initialize("1999-01-01"), request(1, "tools/list")],
    "the stateless revision has no handshake to agree on": [initialize(STATELESS), request(1, "tools/list")],
    "nothing but ping before the handshake": [
        request(1, "ping"),
        request(2, "tools/list"),
        request(3, "tools/call", {"name": "echo"}),
        request(4, "nope"),
        BEGIN,
        request(5, "tools/list"),
    ],
    "the notification alone opens": [READY, request(1, "tools/list"), request(2, "server/discover", {})],
    "a request is no notification": [
        request(0, "ping"),
        request(1, "notifications/initialized"),
        request(2, "tools/list"),
    ],
    "an odd id makes a notification": [
        request(0, "ping"),
        request(None, "notifications/initialized"),
        request(1.5, "notifications/initialized"),
        request(1, "tools/list"),
    ],
    "a second handshake": [BEGIN, initialize("2024-11-05", 2), request(3, "tools/call", {"name": "steps"})],
    "handshakes with wrong parameters": [
        request(1, "initialize"),
        request(2, "initialize", {}),
        hello(protocolVersion=5),
        hello(capabilities=[]),
        hello(capabilities={"roots": 5}),
        hello(clientInfo={"name": "x"}),
        hello(clientInfo={"name": "x", "version": 1}),
        hello(_meta=5),
        request(3, "ping", {"_meta": "x"}),
        request(4, "tools/list"),
    ],
    "handshakes with unusual parameters": [
        hello(capabilities={"roots": {"listChanged": True}, "own": {}}, clientInfo={"name": "", "version": ""}),
        hello(protocolVersion="", _meta=None, more=1),
        request(1, "tools/list"),
    ],
    "lines that are no messages get no result": [
        BEGIN,
        *(b"", b"  ", b"garbage", b"{}", b"[]", b"null", b"3", b'"x"'),
        b'[{"jsonrpc":"2.0","id":2,"method":"ping"}]',
        b'{"id":3,"method":"ping"}',
        b'{"jsonrpc":"1.0","id":4,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":[1],"method":"ping"}',
        b'{"jsonrpc":"2.0","id":10,"method":5}',
        b'{"jsonrpc":"2.0","id":11,"method":"ping","params":[]}',
        b'{"jsonrpc":"2.0","id":12,"method":"ping","params":"x"}',
        b'{"jsonrpc":"2.0","id":13,"result":{}}',
        b'{"jsonrpc":"2.0","id":14,"error":{"code":1,"message":"x"}}',
        b'{"jsonrpc":"2.0","id":15,"method":"ping"',
        b'{"jsonrpc":"2.0","id":16,"method":"ping"} x',
        b'{"jsonrpc":"2.0","id":17,"method":"pi\x00ng"}',
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":18,"method":"ping"}',
        request(19, "ping"),
    ],
    "unusual lines that are messages": [
        BEGIN,
        b'  {"jsonrpc":"2.0","id":1,"method":"ping"}  \r',
        b'{"jsonrpc":"2.0","id":2,"method":"ping","params":null,"extra":1}',
        b'{"jsonrpc":"2.0","id":3,"method":"ping","id":4}',
        b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
        b'{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"ping"}',
        request(5, ""),
    ],
    "an envelope on a handshake connection": [
        BEGIN,
        *(request(number, method, envelope()) for number, method in enumerate(("tools/list", "ping", "nope"))),
        request(3, "tools/list", envelope(clientInfo=None)),
        request(4, "tools/list", envelope(protocolVersion=None)),
        request(5, "tools/list", envelope(protocolVersion="x")),
    ],
    "an envelope on the handshake itself": [hello(**envelope()), request(1, "tools/list")],
    "a handshake on a stateless connection": [
        request(1, "tools/list", envelope()),
        initialize(id=2),
        request(3, "initialize"),
        request(4, "initialize", {"protocolVersion": 5}),
    ],
    "stateless envelopes of every shape": [
        request(0, "server/discover", envelope()),
        request(1, "tools/list"),
        request(2, "tools/list", {"_meta": "x"}),
        request(3, "tools/list", {"_meta": {}}),
        request(4, "tools/list", envelope(protocolVersion=None)),
        request(5, "tools/list", envelope(clientCapabilities=None)),
        request(6, "tools/list", envelope(clientInfo=None)),
        request(7, "tools/list", envelope(protocolVersion="2025-11-25")),
        request(8, "tools/list", envelope(protocolVersion=5)),
        request(9, "tools/list", envelope(clientInfo="x")),
        request(10, "tools/list", envelope(clientInfo={"name": "x"})),
        request(11, "tools/list", envelope(clientCapabilities="x")),
        request(12, "nope", envelope(clientInfo=None)),
        request(13, "nope", envelope(protocolVersion="x")),
        request(14, "server/discover", {**envelope(), "x": 1}),
        request(15, "ping", {}),
    ],
    "stateless notifications": [
        READY,
        request(1, "tools/list", envelope()),
        READY,
        notification("notifications/nobody"),
        request(2, "tools/call", enveloped({"name": "steps", "_meta": {"progressToken": 7}})),
    ],
    "requests of one id at once": [BEGIN, request(4, "tools/call", {"name": "steps"}), request(4, "ping")],
    "cancellations of nothing": [
        BEGIN,
        *(notification("notifications/cancelled", {"requestId": id}) for id in (99, [1], None, "init")),
        notification("notifications/cancelled"),
        request(1, "ping"),
    ],
}


@requirement("SRV-3", "SRV-5", "SRV-6")
@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_the_loop_says_what_the_sdk_says(dialogue: str) -> None:
    lines = DIALOGUES[dialogue]
    assert meaning(shared(lines, through_loop(lines, toys.table()))) == meaning(through_sdk(lines, toys.table()))


@requirement("SRV-2", "SRV-3")
@pytest.mark.parametrize(
    ("line", "id", "code", "message"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1, -32602, "`params` must be an object"),
        (b'{"jsonrpc":"2.0","id":"a","method":"nope","params":"x"}', "a", -32602, "`params` must be an object"),
        (
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\\ud800"}}}',
            2,
            -32602,
            "a string holds half a surrogate pair, which is no text",
        ),
        (
            b'{"jsonrpc":"2.0","id":"\\udfff","method":"ping"}',
            None,
            -32602,
            "a string holds half a surrogate pair, which is no text",
        ),
        (
            b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":' + b"9" * 5_000 + b"}}",
            3,
            -32602,
            "an integer has too many digits",
        ),
        (b"garbage", None, -32700, "the line is no JSON"),
        (b'{"jsonrpc":"2.0","id":4,"method":"ping"', None, -32700, "the line is no JSON"),
        (b"[" * 100_000, None, -32700, "the line is no JSON"),
    ],
)
def test_where_the_sdk_leaves_a_client_waiting_the_loop_answers(
    line: bytes, id: str | int | None, code: int, message: str
) -> None:
    answers = through_loop([line, request("next", "ping")], toys.table())
    assert answers == [
        {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}},
        {"jsonrpc": "2.0", "id": "next", "result": {}},
    ]
    assert [answer["id"] for answer in through_sdk([line, request("next", "ping")], toys.table())] == ["next"]


@requirement("SRV-2")
@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" \t\r",
        b"9" * 5_000,
        b"[]",
        b'"\\ud800"',
        b'{"jsonrpc":"2.0","method":"notifications/nobody","params":[]}',
        b'{"jsonrpc":"2.0","method":"notifications/nobody","params":{"x":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
    ],
)
def test_what_nobody_waits_for_is_not_answered(line: bytes) -> None:
    assert through_loop([line], toys.table()) == []


@requirement("SRV-1", "SRV-3")
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_read_only_surface_is_the_same_through_both(revision: str) -> None:
    lines = opened(
        revision,
        (1, "tools/list", {}),
        (2, "tools/call", {"name": "refuse"}),
        (3, "tools/call", {"name": "echo", "arguments": {"text": "x", "note": None}}),
    )
    answers = through_loop(lines, toys.table(read_only=True), True)
    assert meaning(answers) == meaning(through_sdk(lines, toys.table(read_only=True), True))
    assert [answer["error"]["message"] for answer in answers if "error" in answer] == [
        "tool `refuse` is not offered by a read-only server (hint: The tools are echo, steps.)",
        "`note` is not offered by a read-only server",
    ]
