"""Every wire case through both engines: the same answer, the one in the case, of the declared shape, and no file touched but those named."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from tests.requirements import IDS, requirement
from tests.server.mcp.engines import ENGINES, REVISIONS, through_loop, through_sdk
from tests.server.wire.case import CASES, Case, any_hash, everywhere, expected, load, prepare, run
from tests.server.wire.record import INPUTS
from vaultspec_core.mcp_server.table import registry

PATHS = {f"{path.parent.name}/{path.stem}": path for path in sorted(CASES.glob("*/*.json"))}
DOCUMENTED = {name: path for name, path in PATHS.items() if path.stem.startswith("documented")}
SCHEMAS = {tool.name: jsonschema.Draft202012Validator(tool.result) for tool in registry()}

OUTCOMES = ("error", "summary", "result", "writes", "files")


def workspace(case: Case, folder: Path) -> Path:
    folder.mkdir()
    prepare(case, folder)
    return folder


@requirement("SRV-2", "SRV-3", "SRV-4", "SRV-7")
@pytest.mark.parametrize("name", PATHS)
def test_both_engines_answer_as_the_case_says(name: str, tmp_path: Path) -> None:
    path = PATHS[name]
    case = load(path)
    told = []
    for engine in ENGINES:
        root = workspace(case, tmp_path / engine)
        done = run(case, path.parent.name, ENGINES[engine], root)
        wanted, actual = expected(case, done, root)
        assert actual == wanted, engine
        for inside, text in case.get("files", {}).items():
            assert (root / inside).read_bytes().decode() == text
        if "result" in done:
            SCHEMAS[path.parent.name].validate(done["result"])
        told.append(everywhere(any_hash(done), lambda text, root=root: text.replace(str(root), "<root>")))  # type: ignore[misc]
    assert told[0] == told[1]


@requirement("SRV-5")
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_documented_examples_hold_in_every_revision(name: str, revision: str, tmp_path: Path) -> None:
    case = load(DOCUMENTED[name])
    tool = DOCUMENTED[name].parent.name
    root = workspace(case, tmp_path / "root")
    done = run(case, tool, through_sdk if revision == REVISIONS[0] else through_loop, root, revision)
    wanted, actual = expected(case, done, root)
    assert actual["result"] == wanted["result"]
    SCHEMAS[tool].validate(actual["result"])


@requirement("SRV-4")
@pytest.mark.parametrize("name", PATHS)
def test_a_case_says_what_it_is_about_in_known_words(name: str) -> None:
    case = load(PATHS[name])
    assert set(case) <= {*INPUTS, *OUTCOMES}
    assert case["about"].endswith(".")
    assert set(case["ids"]) <= IDS
    assert ("error" in case) != ("result" in case)


def test_every_tool_has_cases() -> None:
    assert {path.parent.name for path in PATHS.values()} >= SCHEMAS.keys() - {"discover", "invoke"}
