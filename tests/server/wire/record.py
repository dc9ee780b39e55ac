"""Write what the server answers now into wire cases: `python -m tests.server.wire.record [FILE...]`. Read the difference before you keep it."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.server.mcp.engines import through_loop
from tests.server.wire.case import CASES, everywhere, files, load, prepare, run
from vaultspec_core import __version__
from vaultspec_core.mcp_server.frame import INTERNAL_ERROR
from vaultspec_core.vault.stamp import blob_hash

WIDTH = 140
INPUTS = ("about", "ids", "vault", "put", "before", "read_only", "arguments", "repeat")


def written(value: Any, indent: int = 0) -> str:
    """JSON that a person can read: whatever fits stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, list | dict) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, list):
        rows = [written(one, indent + 2) for one in value]
        return "[\n" + ",\n".join(inner + row for row in rows) + "\n" + " " * indent + "]"
    rows = [f"{json.dumps(key, ensure_ascii=False)}: {written(one, indent + 2)}" for key, one in value.items()]
    return "{\n" + ",\n".join(inner + row for row in rows) + "\n" + " " * indent + "}"


def record(path: Path) -> None:
    case = load(path)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        prepare(case, root)
        done = run(case, path.parent.name, through_loop, root)
        assert done.get("error", {}).get("code") != INTERNAL_ERROR, path
        hashes = {blob_hash(data): f"<oid:{name}>" for name, data in files(root).items()}
        texts = {name: (root / name).read_bytes().decode() for name in case.get("files", ())}

    def placed(text: str) -> str:
        return hashes.get(text, text).replace(str(root), "<root>")

    done = everywhere(done, placed)
    if "tool_schema_version" in done.get("result", {}):
        assert done["result"]["tool_schema_version"] == __version__
        done["result"]["tool_schema_version"] = "<version>"
    inputs = {key: case[key] for key in INPUTS if key in case}
    path.write_text(written({**inputs, **done, **({"files": texts} if texts else {})}) + "\n", encoding="utf-8")


def main() -> None:
    for name in sys.argv[1:] or sorted(map(str, CASES.glob("*/*.json"))):
        record(Path(name))


if __name__ == "__main__":
    main()
