"""A wire case: its workspace, its call through an engine, and the placeholders in what is expected. The format: `fixtures/wire/README.md`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import vaultspec_core
from tests.conftest import ROOT
from tests.server.mcp.engines import Engine, by_id, opened, through_loop
from vaultspec_core import __version__
from vaultspec_core.mcp_server.table import ToolTable, registry
from vaultspec_core.vault.stamp import blob_hash
from vaultspec_core.vault.vault import Vault

CASES = ROOT / "fixtures" / "wire"
TEMPLATES = Path(vaultspec_core.__file__).parent / "templates"
TODAY = "2026-08-01"

_HASH = re.compile(r"[0-9a-f]{40}")
_HASH_OF = re.compile(r"<oid:([^>]+)>")

Case = Mapping[str, Any]


def table(root: Path, read_only: bool = False) -> ToolTable:
    return ToolTable(registry(), read_only, lambda: Vault.open(root, today=lambda: TODAY))


def call(engine: Engine, root: Path, tool: str, arguments: Any, revision: str, read_only: bool) -> dict[str, Any]:
    """The answer to one call: a `result`, or an `error`."""
    said = {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}
    answers = engine(opened(revision, (1, "tools/call", said)), table(root, read_only), read_only)
    return by_id(answers)[1]


def repeated(case: Case) -> Any:
    """The arguments of a case, with the entries of the lists that it names as often as it says."""
    many = {name: case["arguments"][name] * times for name, times in case.get("repeat", {}).items()}
    return {**case["arguments"], **many} if many else case.get("arguments")


def prepare(case: Case, root: Path) -> None:
    """Make the workspace of a case in an empty folder."""
    shutil.copytree(TEMPLATES, root / ".vaultspec" / "templates")
    if vault := case.get("vault"):
        shutil.copytree(ROOT / "fixtures" / "vaults" / vault, root / ".vault")
    (root / ".vault").mkdir(exist_ok=True)
    for name, text in case.get("put", {}).items():
        path = root / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(("\n".join([*text, ""]) if isinstance(text, list) else text).encode())
    for tool, arguments in case.get("before", []):
        answer = call(through_loop, root, tool, filled(arguments, root), "2025-11-25", read_only=False)
        assert "result" in answer, answer


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def run(case: Case, tool: str, engine: Engine, root: Path, revision: str = "2025-11-25") -> dict[str, Any]:
    """What the case's call does to a prepared workspace, in the keys of a case."""
    before = files(root)
    answer = call(engine, root, tool, filled(repeated(case), root), revision, bool(case.get("read_only", False)))
    after = files(root)
    done: dict[str, Any] = {"error": answer["error"]} if "error" in answer else {}
    if not done:
        result = answer["result"]
        (text,) = result["content"]
        assert (result["isError"], text["type"]) == (False, "text")
        done = {"summary": text["text"], "result": result["structuredContent"]}
    writes = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return {**done, "writes": writes}


def everywhere(value: Any, change: Callable[[str], str]) -> Any:
    """The value with every string in it changed; keys of objects stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [everywhere(one, change) for one in value]
    if isinstance(value, dict):
        return {key: everywhere(one, change) for key, one in value.items()}
    return value


def filled(value: Any, root: Path) -> Any:
    """Placeholders replaced by what they stand for in this workspace, as it is now."""

    def fill(text: str) -> str:
        text = _HASH_OF.sub(lambda match: blob_hash((root / match[1]).read_bytes()), text)
        return text.replace("<root>", str(root)).replace("<version>", __version__)

    return everywhere(value, fill)


def any_hash(value: Any) -> Any:
    """The value with every hash in it replaced by `<oid>`."""
    return everywhere(value, lambda text: _HASH.sub("<oid>", text))


def expected(case: Case, actual: Any, root: Path) -> tuple[Any, Any]:
    """What the case expects and what was done, both in a form in which they can be compared."""
    wanted = filled({key: case[key] for key in ("error", "summary", "result", "writes") if key in case}, root)
    return _fitted(wanted, actual), actual


def _fitted(wanted: Any, actual: Any) -> Any:
    """The wanted value, with `<oid>` replaced by the hash that stands there."""
    if isinstance(wanted, dict) and isinstance(actual, dict):
        return {key: _fitted(one, actual.get(key)) for key, one in wanted.items()}
    if isinstance(wanted, list) and isinstance(actual, list) and len(wanted) == len(actual):
        return [_fitted(one, other) for one, other in zip(wanted, actual, strict=True)]
    if isinstance(wanted, str) and isinstance(actual, str) and wanted == _HASH.sub("<oid>", actual):
        return actual
    return wanted


def load(path: Path) -> Case:
    case: Case = json.loads(path.read_text(encoding="utf-8"))
    return case
