"""The rules of the house, read from the sources."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from vaultspec_installer.environment import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
PARTS = {
    "vaultspec_providers": (ROOT / "providers/src", set()),
    "vaultspec_core": (ROOT / "server/src", set()),
    "vaultspec_installer": (ROOT / "installer/src", {"vaultspec_core", "vaultspec_providers"}),
}
SDK_MODULES = {"vaultspec_core.mcp_server.sdk"}
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}


def sources() -> list[tuple[str, Path]]:
    return [(part, path) for part, (folder, _) in PARTS.items() for path in sorted((folder / part).rglob("*.py"))]


def imports(tree: ast.AST) -> list[tuple[ast.stmt, str]]:
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node, "." * node.level + (node.module or "")))
    return found


def test_parts_import_only_what_the_rule_allows() -> None:
    wrong = []
    for part, path in sources():
        allowed = PARTS[part][1] | {part}
        for _, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            top = name.split(".")[0]
            if top in PARTS and top not in allowed:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_no_function_hides_an_import_of_our_own() -> None:
    wrong = []
    for _, path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                wrong += [
                    f"{path.relative_to(ROOT)}:{node.lineno}"
                    for node, name in imports(function)
                    if name.startswith(".") or name.split(".")[0] in PARTS
                ]
    assert wrong == []


def test_only_the_adapter_imports_the_sdk() -> None:
    wrong = []
    for part, path in sources():
        module = ".".join([part, *path.relative_to(PARTS[part][0] / part).with_suffix("").parts])
        for _, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            if name.split(".")[0] in ("mcp", "mcp_types") and module not in SDK_MODULES:
                wrong.append(module)
    assert wrong == []


def test_no_client_is_named_outside_providers() -> None:
    names = [path.stem for path in (ROOT / "providers/src/vaultspec_providers/clients").glob("*.py")]
    words = re.compile(rf"\b({'|'.join(sorted(set(names) - {'__init__'}))})\b", re.IGNORECASE)
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for part, path in sources()
        if part != "vaultspec_providers"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if words.search(line)
    ]
    assert wrong == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [str(path.relative_to(ROOT)) for _, path in sources() if path.stem in BANNED_NAMES] == []


@pytest.mark.parametrize("limit", [400])
def test_no_source_file_outgrows_one_concept(limit: int) -> None:
    long = [
        f"{path.relative_to(ROOT)}: {count}"
        for _, path in sources()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > limit
    ]
    assert long == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for _, path in sources()
        if path.name not in ("__init__.py", "_version.py")
        and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_nothing_prints_to_stdout_behind_the_back_of_its_front() -> None:
    wrong = []
    for part, path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"):
                continue
            if "file" not in {keyword.arg for keyword in node.keywords}:
                wrong.append(f"{path.relative_to(PARTS[part][0])}:{node.lineno}")
    assert wrong == []


def test_every_variable_of_ours_that_is_read_is_documented() -> None:
    read = {
        word
        for _, path in sources()
        if path.stem != "environment"
        for word in re.findall(r"(?<!@)\bVAULTSPEC_[A-Z_]+\b(?!@)", path.read_text(encoding="utf-8"))
    }
    assert read - {variable.name for variable in VARIABLES} == set()
