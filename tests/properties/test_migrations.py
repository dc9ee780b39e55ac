"""Laws of migrations over drawn workspaces: twice is once, nothing of anybody else changes, no entry comes or goes."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import tree
from tests.requirements import requirement
from vaultspec_core.files import Disk
from vaultspec_installer.migrating import pending, run
from vaultspec_installer.ownership import fingerprint

NAME = "vaultspec-core"
MODULE = "vaultspec_core.mcp_server.app"
SEED = {"command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@", "args": ["@@VAULTSPEC_INSTALL_MODE_ARGS@@"]}
ARGS = st.sampled_from(
    [
        ("uv", ["run", "python", "-m", MODULE]),
        ("uv", ["run", "--no-sync", "python", "-P", "-m", MODULE]),
        ("uvx", ["--from", "vaultspec-core", "python", "-m", MODULE]),
        ("elsewhere", ["x"]),
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    """Texts by path: a host file with foreign parts, an entry of ours or not, and records that fit it or not."""
    command, args = draw(ARGS)
    entry = {"command": command, "args": args} | draw(st.sampled_from([{}, {"env": {"A": "b"}}]))
    servers: dict[str, Any] = {"theirs": draw(VALUES)}
    if draw(st.booleans()):
        servers[NAME] = entry
    host = draw(st.dictionaries(st.sampled_from(["note", "other"]), VALUES)) | {"mcpServers": servers}
    if draw(st.booleans()):
        host = {"_vaultspecManaged": draw(st.lists(st.sampled_from([NAME, "theirs", "gone"]))), **host}
    mark = draw(st.sampled_from([fingerprint(entry), fingerprint({}), None]))
    files = {
        ".mcp.json": json.dumps(host, indent=draw(st.sampled_from([None, 1, 4]))),
        ".vaultspec/mcps/vaultspec-core.builtin.json": json.dumps(SEED),
    }
    if draw(st.booleans()):
        said = {"managed": {NAME: mark}, "path": "ROOT/.mcp.json", "provider": "claude", "scope": "project"}
        files[".vaultspec/mcp-ownership.json"] = json.dumps({"targets": {"claude:project": said}, "version": 1})
    if draw(st.booleans()):
        record = {"packages": {NAME: {"install_mode": draw(st.sampled_from(["tool", "dependency"]))}}}
        files[".vaultspec/workspace.json"] = json.dumps({**record, "schema_version": "2.2"})
    if draw(st.booleans()):
        version = draw(st.sampled_from(["", "0.1.40", "0.2.4", "9.9"]))
        files[".vaultspec/providers.json"] = json.dumps({"vaultspec_version": version, "installed": ["claude"]})
    if draw(st.booleans()):
        files[".vault/a.index.md"] = "---\ngenerated: true\n---\n" + draw(st.text(max_size=9))
    return files


@requirement("REL-4", "MIG-1", "MIG-3", "D-21")
@settings(max_examples=60)
@given(workspaces())
def test_running_twice_is_running_once_and_touches_nothing_of_others(files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, environ = Path(os.path.realpath(folder)), {**os.environ, "HOME": folder + "/nowhere"}
        (root / ".vault").mkdir()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text.replace("ROOT", str(root)), encoding="utf-8", newline="")
        run(root, environ, Disk())
        assert pending(root, environ) == []
        once = tree(root)
        assert run(root, environ, Disk()) == []
        assert tree(root) == once
        before, after = json.loads(files[".mcp.json"]), json.loads(once[".mcp.json"][0])
        before.pop("_vaultspecManaged", None)
        assert list(after["mcpServers"]) == list(before["mcpServers"])
        after["mcpServers"].pop(NAME, None)
        before["mcpServers"].pop(NAME, None)
        assert after == before
