"""Lines that a broken, hostile or hasty client sends, drawn by hypothesis: for the property test and for `scripts/fuzz_stdio.py`."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.server.mcp.engines import ENVELOPE, enveloped, initialize, request

IDS: st.SearchStrategy[Any] = st.one_of(
    st.integers(-3, 9),
    st.sampled_from(["", "a", "4", "\u00fc", None, True, 1.5, [1], {}]),
    st.integers(min_value=1 << 64),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
TABLE = st.sampled_from(["tools/call", "tools/call", "tools/list"])
METHODS = st.sampled_from(
    [
        "ping",
        "initialize",
        "server/discover",
        "nope",
        "notifications/initialized",
        "notifications/cancelled",
        "notifications/progress",
        "",
    ]
)
META = st.one_of(
    st.just(ENVELOPE),
    st.fixed_dictionaries({"progressToken": IDS}),
    st.builds(
        lambda meta, key, value: {**meta, key: value}, st.just(ENVELOPE), st.sampled_from(sorted(ENVELOPE)), VALUES
    ),
    VALUES,
)
CLIENT = st.one_of(st.just({"name": "c", "version": "1"}), VALUES)
PARAMS = st.fixed_dictionaries(
    {"name": st.sampled_from(["echo", "echo", "steps", "refuse", "fail", "nobody", "", 5])},
    optional={
        "arguments": st.one_of(st.fixed_dictionaries({"text": st.text(max_size=3)}), VALUES),
        "_meta": META,
        "requestId": IDS,
        "cursor": VALUES,
    },
)
HANDSHAKES = st.fixed_dictionaries(
    {
        "protocolVersion": st.sampled_from(["2024-11-05", "2025-11-25", "2026-07-28", "x", 5]),
        "capabilities": st.one_of(st.just({}), VALUES),
        "clientInfo": CLIENT,
    },
    optional={"_meta": META},
)


def _messages(methods: st.SearchStrategy[Any], params: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "method": methods}, optional={"id": IDS, "params": params})


MESSAGES = st.one_of(
    _messages(TABLE, PARAMS),
    _messages(TABLE, PARAMS),
    _messages(METHODS, PARAMS),
    _messages(st.just("initialize"), HANDSHAKES),
    st.fixed_dictionaries(
        {"jsonrpc": st.sampled_from(["2.0", "1.0", 2])},
        optional={"id": IDS, "method": st.one_of(METHODS, VALUES), "params": VALUES, "result": VALUES},
    ),
)


def _encoded(message: Any) -> bytes:
    return json.dumps(message).encode()


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A message with one place cut, doubled or overwritten."""
    line = draw(MESSAGES.map(_encoded))
    at = draw(st.integers(0, len(line)))
    return (
        line[:at]
        + draw(st.sampled_from([b"", line, b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"}", b'"', b"\r", b"\\ud800"]))
        + line[at + 1 :]
    )


LINES = st.one_of(
    MESSAGES.map(_encoded),
    MESSAGES.map(_encoded),
    _damaged(),
    st.binary(max_size=20),
    st.lists(MESSAGES, max_size=2).map(_encoded),
    st.sampled_from([b"[" * 100_000, b'{"a":' * 5_000, b"9" * 5_000, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r']),
).map(lambda line: line.replace(b"\n", b""))  # fmt: skip

OPENINGS = st.sampled_from([[], [initialize()], [initialize("2024-11-05")], [request(0, "tools/list", enveloped({}))]])
DIALOGUES = st.builds(list.__add__, OPENINGS, st.lists(LINES, max_size=12))
