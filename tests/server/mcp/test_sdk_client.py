"""The official SDK's client drives a server process of each engine, in every revision."""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
import mcp.client.session
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from tests.conftest import Sandbox
from tests.requirements import requirement
from tests.server.mcp.engines import HANDSHAKES, REVISIONS, STATELESS
from tests.server.mcp.process import MODULE, workspace
from vaultspec_core import __version__
from vaultspec_core.mcp_server.identity import instructions
from vaultspec_core.mcp_server.table import ORDER

READ_ONLY = ["find", "status", "check", "discover"]
RUNS = [*(("stdio", revision) for revision in REVISIONS), ("sdk", HANDSHAKES[0]), ("sdk", STATELESS)]


async def _talk(parameters: StdioServerParameters, revision: str, mode: str) -> dict[str, Any]:
    async with Client(parameters, mode=mode) as client:
        assert client.protocol_version == revision
        listed = await client.list_tools()
        rollup = await client.call_tool("status", {})
        with pytest.raises(MCPError) as refused:
            await client.call_tool("find", {"limit": 0})
        return {
            "info": (client.server_info.name, client.server_info.version) if client.server_info else None,
            "capabilities": client.server_capabilities.model_dump(exclude_none=True)
            if client.server_capabilities
            else None,
            "instructions": client.instructions,
            "tools": [tool.name for tool in listed.tools],
            "rollup": rollup,
            "refused": (refused.value.code, refused.value.error.message),
        }


def talk(sandbox: Sandbox, engine: str, revision: str, *options: str) -> dict[str, Any]:
    root = workspace(sandbox)
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", MODULE, "--engine", engine, *options],
        cwd=root,
        env=sandbox.environ,
    )
    mode = "auto" if revision == STATELESS else "legacy"
    return anyio.run(_talk, parameters, revision, mode)


@requirement("SRV-1", "SRV-3", "SRV-5")
@pytest.mark.parametrize(("engine", "revision"), RUNS)
def test_the_client_of_the_sdk_is_served(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, engine: str, revision: str
) -> None:
    if revision != STATELESS:
        monkeypatch.setattr(mcp.client.session, "LATEST_HANDSHAKE_VERSION", revision)
    said = talk(sandbox, engine, revision)
    rollup = said.pop("rollup")
    assert said == {
        "info": ("vaultspec-core-mcp", __version__),
        "capabilities": {"tools": {"list_changed": False}},
        "instructions": instructions(read_only=False),
        "tools": list(ORDER),
        "refused": (-32602, "`limit` must be an integer from 1 to 100, got 0"),
    }
    (text,) = rollup.content
    assert rollup.structured_content["kind"] == "rollup"
    if revision < "2025-06-18":
        assert json.loads(text.text) == rollup.structured_content
    else:
        assert text.text == "features: 0, plans in flight: 0"


@requirement("SRV-1", "SRV-5")
def test_a_read_only_server_offers_four_tools_and_says_so(sandbox: Sandbox) -> None:
    said = talk(sandbox, "stdio", STATELESS, "--read-only")
    assert said["tools"] == READ_ONLY
    assert said["instructions"] == instructions(read_only=True)
    assert not {"create", "edit", "log"} & set(said["instructions"].replace("`", " ").split())
