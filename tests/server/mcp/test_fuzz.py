"""Whatever a client sends, the loop answers requests once, says nothing else, and goes on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from tests.conftest import Sandbox
from tests.requirements import requirement
from tests.server.mcp import toys
from tests.server.mcp.engines import initialize, request, through_loop
from tests.server.mcp.frames import DIALOGUES
from tests.server.mcp.process import started
from vaultspec_core.mcp_server import frame
from vaultspec_core.mcp_server.stdio import Unserved

MANY = 2_000


def requests(lines: Sequence[bytes]) -> Counter[str]:
    """The ids that are to be answered, None for lines without one that are."""
    parsed = [frame.parse(line) for line in lines]
    return Counter(
        repr(message.id)
        for message in parsed
        if isinstance(message, frame.Rejected) or (message is not None and message.id is not None)
    )


@requirement("SRV-2", "SRV-3")
@given(DIALOGUES)
@settings(max_examples=100, deadline=None)
def test_every_request_has_one_answer_and_nothing_else_has_any(lines: list[bytes]) -> None:
    said = [*lines, request("last", "tools/list")]
    try:
        answers = through_loop(said, toys.table())
    except Unserved:
        return  # the SDK would go on from here
    assert Counter(repr(answer["id"]) for answer in answers if "id" in answer) == requests(said)
    for answer in answers:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) + ("error" in answer) + (answer.get("method") == "notifications/progress") == 1


@requirement("SRV-2", "SRV-6")
def test_a_flood_is_answered_to_the_last_line(sandbox: Sandbox) -> None:
    calls = [
        request(number, "tools/call", {"name": "echo", "arguments": {"text": "x" * 999}}) for number in range(MANY)
    ]
    with started(sandbox) as server:
        server.write(initialize(), *calls, request("last", "ping"))
        seen = {server.read()["id"] for _ in range(MANY + 2)}
        assert seen == {"init", "last", *range(MANY)}


@requirement("SRV-2")
@pytest.mark.parametrize("size", [1 << 20, 8 << 20])
def test_a_long_line_is_read_whole(sandbox: Sandbox, size: int) -> None:
    text = "ä" * (size // 2)
    with started(sandbox) as server:
        server.open()
        said = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        params = {"name": "echo", "arguments": {"text": text}}
        server.write(json.dumps({**said, "params": params}, ensure_ascii=False).encode())
        assert server.read()["result"]["structuredContent"]["said"] == text
