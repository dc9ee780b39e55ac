"""Companion packages: provisioned beside core through the documented function and found by their entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.companion import Companion, Provisioned, companion_named, describe, provision
from vaultspec_installer.mode import Mode, ModeChoice
from vaultspec_installer.seeds import seed_text

RAG = Companion("vaultspec-rag", "vaultspec_rag.server", "vaultspec-rag[mcp]")
RAG_SEED = """{
  "command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@",
  "args": [
    "@@VAULTSPEC_INSTALL_MODE_ARGS@@"
  ],
  "_vaultspec_mode_package": "vaultspec-rag",
  "_vaultspec_mode_module": "vaultspec_rag.server",
  "_vaultspec_mode_tool_spec": "vaultspec-rag[mcp]"
}
"""
CORE_SEED = """{
  "command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@",
  "args": ["@@VAULTSPEC_INSTALL_MODE_ARGS@@"]
}
"""
CORE_RECORD = """{
  "packages": {
    "vaultspec-core": {
      "install_mode": "dependency"
    }
  },
  "schema_version": "2.2"
}
"""
BOTH_RECORD = """{
  "packages": {
    "vaultspec-core": {
      "install_mode": "dependency"
    },
    "vaultspec-rag": {
      "install_mode": "tool"
    }
  },
  "schema_version": "2.2"
}
"""
SEED_PATH, OWN_PATH = ".vaultspec/mcps/vaultspec-rag.builtin.json", ".vaultspec/mcps/vaultspec-rag.json"
RECORD_PATH = ".vaultspec/workspace.json"


@pytest.fixture
def root(sandbox: Sandbox) -> Path:
    """A workspace whose core is a dependency."""
    (sandbox.root / ".vaultspec").mkdir()
    (sandbox.root / RECORD_PATH).write_text(CORE_RECORD)
    return sandbox.root


def texts(root: Path) -> dict[str, str]:
    return {path: data.decode() for path, (data, _) in tree(root).items()}


@requirement("MOD-5")
def test_the_bundled_definitions_are_the_texts_that_earlier_releases_know() -> None:
    assert (seed_text("vaultspec-core"), len(CORE_SEED)) == (CORE_SEED, 101)
    assert seed_text("Vaultspec_Core", "ignored", "ignored") == CORE_SEED
    assert seed_text("vaultspec-rag", "vaultspec_rag.server", "vaultspec-rag[mcp]") == RAG_SEED


@requirement("MOD-5")
def test_a_package_that_says_no_more_than_its_name_runs_its_import_package() -> None:
    document = json.loads(seed_text("my-server"))
    assert document["_vaultspec_mode_module"] == "my_server"
    assert document["_vaultspec_mode_tool_spec"] == "my-server"


@requirement("MOD-5", "MOD-2")
def test_a_companion_gets_its_definition_and_its_record_beside_core(root: Path) -> None:
    assert provision(root, RAG) == Provisioned(ModeChoice(Mode.TOOL, "default"), (RECORD_PATH, SEED_PATH))
    assert texts(root) == {RECORD_PATH: BOTH_RECORD, SEED_PATH: RAG_SEED}


@requirement("MOD-5")
def test_a_second_run_changes_nothing(root: Path) -> None:
    provision(root, RAG)
    before = tree(root)
    assert provision(root, RAG) == Provisioned(ModeChoice(Mode.TOOL, "recorded"), ())
    assert tree(root) == before


@requirement("MOD-5", "MOD-3")
def test_its_mode_is_chosen_as_cores_is(root: Path) -> None:
    (root / "pyproject.toml").write_text('[dependency-groups]\ndev = ["vaultspec-rag"]\n')
    assert provision(root, RAG).mode == ModeChoice(Mode.DEV, "detected")
    assert provision(root, RAG, "tool").mode == ModeChoice(Mode.TOOL, "option")
    assert texts(root)[RECORD_PATH] == BOTH_RECORD
    (root / "pyproject.toml").unlink()
    with pytest.raises(Refusal) as caught:
        provision(root, RAG, "dev")
    assert caught.value.code == "mode-needs-project"
    assert texts(root)[RECORD_PATH] == BOTH_RECORD


@requirement("MOD-5", "MOD-6")
def test_its_floor_is_recorded_and_a_requirement_of_the_workspace_stays(root: Path) -> None:
    entry = '"install_mode": "tool",\n      "k": 1,\n      "tool_requirement": "./rag"'
    (root / RECORD_PATH).write_text(BOTH_RECORD.replace('"install_mode": "tool"', entry))
    provision(root, RAG._replace(minimum_version="0.4.0"))
    assert json.loads(texts(root)[RECORD_PATH])["packages"]["vaultspec-rag"] == {
        "install_mode": "tool",
        "k": 1,
        "minimum_version": "0.4.0",
        "tool_requirement": "./rag",
    }


@requirement("MOD-5")
def test_an_older_bundled_definition_is_replaced(root: Path) -> None:
    (root / SEED_PATH).parent.mkdir()
    (root / SEED_PATH).write_text('{"command": "uv", "args": ["run", "python", "-m", "vaultspec_rag.server"]}')
    assert provision(root, RAG).written == (RECORD_PATH, SEED_PATH)
    assert texts(root)[SEED_PATH] == RAG_SEED


@requirement("MOD-5", "INS-3")
def test_variables_that_somebody_added_to_the_bundled_definition_live_on(root: Path) -> None:
    (root / SEED_PATH).parent.mkdir()
    env = {"VAULTSPEC_TARGET_DIR": "/srv/x"}
    (root / SEED_PATH).write_text(json.dumps({**json.loads(RAG_SEED), "env": env}))
    assert provision(root, RAG).written == (RECORD_PATH, OWN_PATH, SEED_PATH)
    assert json.loads(texts(root)[OWN_PATH]) == {**json.loads(RAG_SEED), "env": env}
    assert texts(root)[SEED_PATH] == RAG_SEED


@requirement("MOD-5")
def test_a_definition_of_your_own_is_never_touched(root: Path) -> None:
    (root / SEED_PATH).parent.mkdir()
    (root / SEED_PATH).write_text('{"command": "x", "env": {"A": "1"}}')
    (root / OWN_PATH).write_text("{ mine")
    provision(root, RAG)
    assert texts(root)[OWN_PATH] == "{ mine"


@requirement("MOD-5", "WSP-2")
@pytest.mark.parametrize(
    ("record", "companion", "code"),
    [
        ("{", RAG, "bad-workspace-record"),
        ('{"schema_version": "9.0"}', RAG, "workspace-newer"),
        (CORE_RECORD, Companion("../x"), "bad-name"),
        (CORE_RECORD, Companion("nul"), "bad-name"),
    ],
)
def test_a_refusal_leaves_every_file_as_it_was(root: Path, record: str, companion: Companion, code: str) -> None:
    (root / RECORD_PATH).write_text(record)
    before = tree(root)
    with pytest.raises(Refusal) as caught:
        provision(root, companion)
    assert (caught.value.code, tree(root)) == (code, before)


@requirement("MOD-5")
def test_without_a_workspace_nothing_is_written(sandbox: Sandbox) -> None:
    with pytest.raises(Refusal) as caught:
        provision(sandbox.root, RAG)
    assert (caught.value.code, caught.value.hint) == ("no-workspace", f"vaultspec-core install --target {sandbox.root}")
    assert tree(sandbox.root) == {}


def installed(folder: Path, value: str, source: str) -> None:
    """Lay a distribution with the entry point out as an installer leaves it."""
    info = folder / "vaultspec_rag-0.4.4.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vaultspec-rag\nVersion: 0.4.4\n")
    (info / "entry_points.txt").write_text(f"[vaultspec.packages]\nVaultspec_RAG = {value}\n")
    (folder / "vaultspec_rag_enrollment.py").write_text(source)


SOURCE = """
from vaultspec_installer.companion import Companion

COMPANION = Companion("vaultspec-rag", module="vaultspec_rag.server", requirement="vaultspec-rag[mcp]")
OTHER = "no companion"
"""


@requirement("MOD-5")
def test_an_installed_companion_describes_itself_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (companion_named("vaultspec-rag"), describe("vaultspec-rag")) == (None, Companion("vaultspec-rag"))
    installed(tmp_path / "site", "vaultspec_rag_enrollment:COMPANION", SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert companion_named("another") is None
    assert describe("vaultspec-rag") == RAG
    assert describe("vaultspec-rag", requirement="./rag") == RAG._replace(requirement="./rag")
    assert describe("vaultspec-rag", "x.y") == Companion("vaultspec-rag", "x.y")


@requirement("MOD-5")
def test_without_an_entry_point_the_standing_definition_is_kept_to() -> None:
    assert describe("Vaultspec_RAG", standing=RAG_SEED.encode()) == RAG
    assert describe("vaultspec-rag", "x.y", standing=RAG_SEED.encode()) == RAG._replace(module="x.y")
    assert describe("vaultspec-rag", standing=b'{"command": "uvx"}') == Companion("vaultspec-rag")
    assert describe("vaultspec-rag", standing=b"{") == Companion("vaultspec-rag")


@requirement("MOD-5")
def test_install_provisions_a_companion_and_keeps_to_it(
    cli: Callable[..., Result], sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cli("install", "--mode", "tool").code == 0
    words = ("install", "--package", "vaultspec-rag")
    assert cli(*words, "--module", "vaultspec_rag.server", "--from", "vaultspec-rag[mcp]").code == 0
    before = texts(sandbox.root)
    assert before[SEED_PATH] == RAG_SEED
    for more in ((), ("--upgrade",)):
        assert cli(*words, *more).code == 0
        assert texts(sandbox.root)[SEED_PATH] == RAG_SEED
    assert cli("install", "--package", "../x", "--json").data["code"] == "bad-name"


@requirement("MOD-5")
def test_install_asks_an_installed_companion_for_the_rest(
    cli: Callable[..., Result], sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed(tmp_path / "site", "vaultspec_rag_enrollment:COMPANION", SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert cli("install", "--mode", "tool").code == 0
    assert cli("install", "--package", "vaultspec-rag", "--mode", "tool").code == 0
    assert texts(sandbox.root)[SEED_PATH] == RAG_SEED


@requirement("MOD-5")
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "vaultspec_rag_enrollment:OTHER",
            "the entry point vaultspec.packages:Vaultspec_RAG (vaultspec_rag_enrollment:OTHER) "
            "is no vaultspec_installer.companion.Companion",
        ),
        (
            "vaultspec_rag_nowhere:COMPANION",
            "the entry point vaultspec_rag_nowhere:COMPANION of group vaultspec.packages cannot be loaded: "
            "No module named 'vaultspec_rag_nowhere'",
        ),
    ],
)
def test_an_entry_point_that_is_no_companion_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, message: str
) -> None:
    installed(tmp_path / "site", value, SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with pytest.raises(Refusal) as caught:
        describe("vaultspec-rag")
    assert (caught.value.code, caught.value.message) == ("bad-companion", message)


@requirement("MOD-5")
@pytest.mark.parametrize("name", ["../x", "", "a b", "con"])
def test_a_name_that_is_no_distribution_is_refused(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        describe(name)
    assert caught.value.code == "bad-name"


@requirement("MOD-5")
def test_a_companions_own_installer_can_do_it_in_a_process_of_its_own(root: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from vaultspec_installer.companion import Companion, provision\n"
        "done = provision(Path.cwd(), Companion('vaultspec-rag', 'vaultspec_rag.server', 'vaultspec-rag[mcp]'))\n"
        "print(done.mode.value, *done.written)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"tool {RECORD_PATH} {SEED_PATH}\n", "")
    assert texts(root) == {RECORD_PATH: BOTH_RECORD, SEED_PATH: RAG_SEED}
