"""Install modes: precedence, detection in pyproject.toml, inference for workspaces that record none."""

from __future__ import annotations

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.mode import CORE, Detection, Mode, ModeChoice, canonical, choose_mode, detect, infer_on_upgrade
from vaultspec_providers.contract import Launch

ADVICE = (
    "vaultspec-core stands among the dependencies of the project itself, so it is installed with every build of it; "
    "a dependency group (uv add --dev vaultspec-core) or --mode tool keeps it out"
)
LISTED = b'[project]\nname = "app"\ndependencies = ["vaultspec-core"]\n'
UV = Launch("uv", ("run", "--no-sync", "python", "-m", "vaultspec_core.mcp_server.app"))
BARE = Launch("uv", ("run", "python", "-m", "vaultspec_core.mcp_server.app"))
UVX = Launch("uvx", ("--from", "vaultspec-core", "python", "-m", "vaultspec_core.mcp_server.app"))
UV_HOOK = "uv run --no-sync vaultspec-core vault check all"
UVX_HOOK = "uvx --from vaultspec-core vaultspec-core vault check all"

NOT_LISTED = {
    "an empty file": "",
    "a project without dependencies": '[project]\nname = "app"\n',
    "a neighbour whose name starts the same": '[project]\ndependencies = ["vaultspec-core-mcp>=1", "vaultspec"]\n',
    "a name inside a marker": "[project]\ndependencies = [\"x; extra == 'vaultspec-core'\"]\n",
    "a name inside a place": '[project]\ndependencies = ["x @ git+https://example.org/vaultspec-core"]\n',
    "poetry's own table": '[tool.poetry.dependencies]\nvaultspec-core = "*"\n',
    "poetry's groups": '[tool.poetry.group.dev.dependencies]\nvaultspec-core = "*"\n',
    "a source without a requirement": '[tool.uv.sources]\nvaultspec-core = { path = "../x" }\n',
    "the package itself": '[project]\nname = "Vaultspec_Core"\ndependencies = ["vaultspec-core"]\n',
    "an include of a group without it": '[dependency-groups]\ndev = [{ include-group = "lint" }]\nlint = ["ruff"]\n',
    "tables of other types": 'project = 1\ntool = "x"\ndependency-groups = []\n',
    "lists of other types": "[project]\ndependencies = {}\n[project.optional-dependencies]\nx = 1\n[dependency-groups]\ndev = [1]\n",
}
LISTED_SOMEHOW = {
    "a bare name": ('dependencies = ["vaultspec-core"]', Mode.DEPENDENCY),
    "a version": ('dependencies = ["vaultspec-core>=1,<2"]', Mode.DEPENDENCY),
    "spaces": ('dependencies = ["  vaultspec-core  >= 1"]', Mode.DEPENDENCY),
    "another spelling": ('dependencies = ["Vaultspec.Core"]', Mode.DEPENDENCY),
    "extras": ('dependencies = ["vaultspec_core[x,y]~=1.0"]', Mode.DEPENDENCY),
    "parentheses": ('dependencies = ["vaultspec-core (>=1)"]', Mode.DEPENDENCY),
    "a marker": ("dependencies = [\"vaultspec-core; python_version > '3.11'\"]", Mode.DEPENDENCY),
    "a place": ('dependencies = ["vaultspec-core @ git+https://example.org/x"]', Mode.DEPENDENCY),
    "a place without a space": ('dependencies = ["vaultspec-core@git+https://example.org/x"]', Mode.DEPENDENCY),
    "an extra of the project": ('[project.optional-dependencies]\ndocs = ["vaultspec-core"]', Mode.DEPENDENCY),
    "the dev group": ('[dependency-groups]\ndev = ["vaultspec-core"]', Mode.DEV),
    "another group": ('[dependency-groups]\nlint = ["ruff", "vaultspec-core"]', Mode.DEV),
    "an included group": (
        '[dependency-groups]\ndev = [{ include-group = "lint" }]\nlint = ["vaultspec-core"]',
        Mode.DEV,
    ),
    "uv's older list": ('[tool.uv]\ndev-dependencies = ["vaultspec-core"]', Mode.DEV),
    "both": ('dependencies = ["vaultspec-core"]\n[dependency-groups]\ndev = ["vaultspec-core"]', Mode.DEPENDENCY),
}


@requirement("MOD-3")
@pytest.mark.parametrize("text", NOT_LISTED.values(), ids=NOT_LISTED)
def test_a_project_that_does_not_list_the_package_says_nothing(text: str) -> None:
    assert detect(text.encode(), CORE) == Detection()


@requirement("MOD-3")
@pytest.mark.parametrize(("text", "mode"), LISTED_SOMEHOW.values(), ids=LISTED_SOMEHOW)
def test_a_project_that_lists_the_package_says_where(text: str, mode: Mode) -> None:
    assert detect(f'[project]\nname = "app"\n{text}\n'.encode(), CORE) == Detection(mode)


@requirement("MOD-3")
def test_a_byte_order_mark_and_crlf_change_nothing() -> None:
    assert detect(b"\xef\xbb\xbf" + LISTED.replace(b"\n", b"\r\n"), CORE) == Detection(Mode.DEPENDENCY)


@requirement("MOD-3")
def test_a_companion_is_looked_for_under_its_own_name() -> None:
    text = b'[project]\ndependencies = ["vaultspec-rag[mcp]"]\n'
    assert (detect(text, "vaultspec-rag").value, detect(text, CORE).value) == (Mode.DEPENDENCY, None)


@requirement("MOD-3")
@pytest.mark.parametrize(
    ("data", "start"),
    [
        (b"[project\n", "pyproject.toml is not TOML and was not read for the install mode: "),
        (b'name = "\xff"\n', "pyproject.toml is not UTF-8 and was not read for the install mode"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_and_the_default_taken(data: bytes, start: str) -> None:
    choice = choose_mode(None, None, CORE, data)
    assert (choice.value, choice.source, len(choice.warnings)) == (Mode.TOOL, "default", 1)
    assert choice.warnings[0].startswith(start)


@requirement("MOD-3")
def test_the_order_is_option_then_record_then_project_then_tool() -> None:
    assert choose_mode("tool", Mode.DEV, CORE, LISTED) == ModeChoice(Mode.TOOL, "option")
    assert choose_mode("dev", Mode.TOOL, CORE, b"") == ModeChoice(Mode.DEV, "option")
    assert choose_mode(None, Mode.DEV, CORE, LISTED) == ModeChoice(Mode.DEV, "recorded")
    assert choose_mode(None, Mode.DEPENDENCY, CORE, None) == ModeChoice(Mode.DEPENDENCY, "recorded")
    assert choose_mode(None, None, CORE, LISTED) == ModeChoice(Mode.DEPENDENCY, "detected", (ADVICE,))
    assert choose_mode(None, None, CORE, b"") == ModeChoice(Mode.TOOL, "default")
    assert choose_mode(None, None, CORE, None) == ModeChoice(Mode.TOOL, "default")


@requirement("MOD-3")
def test_a_fresh_choice_of_dependency_mode_is_advised_on() -> None:
    assert choose_mode("dependency", None, CORE, LISTED) == ModeChoice(Mode.DEPENDENCY, "option", (ADVICE,))


@requirement("MOD-3")
@pytest.mark.parametrize("mode", ["dependency", "dev"])
def test_a_projects_environment_without_a_project_is_refused(mode: str) -> None:
    with pytest.raises(Refusal) as caught:
        choose_mode(mode, None, CORE, None)
    assert caught.value.code == "mode-needs-project"
    assert caught.value.message == (
        f"--mode {mode} runs vaultspec-core from the project's environment, but there is no pyproject.toml"
    )
    assert caught.value.hint == "vaultspec-core install --mode tool"


INFERRED = {
    "nothing to go by": ([], [], LISTED, "tool", "default"),
    "uv run, but not listed": ([UV], [UV_HOOK], b"", "tool", "detected"),
    "uv run, but no project": ([BARE], [], None, "tool", "detected"),
    "uvx, though listed": ([UVX], [UVX_HOOK], LISTED, "tool", "detected"),
    "uvx hooks beside a uv run entry": ([UV], [UVX_HOOK], LISTED, "tool", "detected"),
    "uvx entry beside uv run hooks": ([UVX], [UV_HOOK], LISTED, "tool", "detected"),
    "uv run, listed for development only": (
        [UV],
        [],
        b'[dependency-groups]\ndev = ["vaultspec-core"]',
        "tool",
        "detected",
    ),
    "uv run and listed": ([UV], [UV_HOOK], LISTED, "dependency", "detected"),
    "an older uv run and listed": ([BARE, BARE], [], LISTED, "dependency", "detected"),
    "hooks alone and listed": ([], [UV_HOOK, "uv  run vaultspec-core spec doctor"], LISTED, "dependency", "detected"),
}


@requirement("MOD-4")
@pytest.mark.parametrize("case", INFERRED.values(), ids=INFERRED)
def test_a_workspace_without_a_record_is_inferred_from_how_it_runs(
    case: tuple[list[Launch], list[str], bytes | None, str, str],
) -> None:
    launches, hooks, pyproject, mode, source = case
    assert infer_on_upgrade(launches, hooks, CORE, pyproject) == ModeChoice(Mode(mode), source)  # type: ignore[arg-type]


def test_names_compare_as_pep_503_says() -> None:
    assert {canonical(name) for name in ("vaultspec-core", " Vaultspec_Core", "vaultspec.-_core")} == {"vaultspec-core"}
