"""Cases about what clients' files hold, and what else in the repository is ours."""

from __future__ import annotations

from tests.installer.probes.place import Case, Place, Told

HOST = ".mcp.json"
SYNC = "vaultspec-core spec mcps sync"
DIFF = "vaultspec-core spec mcps diff --force"
YAML = ".pre-commit-config.yaml"


def _conflict(place: Place) -> None:
    place.define("search")
    place.edit(HOST, '"mcpServers": {', '"mcpServers": {"search": {"command": "mine"},')


def _stale(place: Place) -> None:
    place.define("search")
    place.run("spec", "mcps", "sync")
    (place.root / ".vaultspec/mcps/search.json").unlink()


def _others(place: Place) -> None:
    here = place.root
    place.root = here.parent / "other"
    place.root.mkdir()
    place.run("install", "claude", "--mode", "tool")
    place.run("spec", "mcps", "sync", "--scope", "user")
    place.root = here
    place.define("search")
    place.run("spec", "mcps", "sync", "--scope", "user")


def _outdated(place: Place) -> None:
    place.define("search")
    place.run("spec", "mcps", "sync")
    place.define("search", "find-mcp")


def _folder_for_file(place: Place) -> None:
    (place.root / ".gitignore").unlink()
    (place.root / ".gitignore").mkdir()


CASES = {
    "scope-unjudged": Case(
        lambda place: place.environ.update(CODEX_HOME="settings"),
        (
            Told(
                "user scope: CODEX_HOME is a relative path: 'settings'",
                None,
                "Set it to an existing folder by its absolute path.",
            ),
        ),
        provider="codex",
    ),
    "host-file": Case(
        lambda place: place.write(HOST, '{\n  "mcpServers": {]\n}'),
        (
            Told(
                f"{HOST}:2:18: expected a key in double quotes or `}}`, found `]`",
                HOST,
                "Mend the file, or leave this client out with --skip claude.",
                2,
            ),
        ),
    ),
    "entry-missing": Case(
        lambda place: place.define("search"),
        (Told(f"{HOST}: search is defined and not enrolled", HOST, SYNC),),
    ),
    "entry-outdated": Case(
        _outdated,
        (Told(f"{HOST}: search is not what its definition says now", HOST, SYNC),),
    ),
    "entry-edited": Case(
        lambda place: place.edit(HOST, '"uvx"', '"/opt/uvx"'),
        (Told(f"{HOST}: vaultspec-core was edited by hand", HOST, DIFF),),
    ),
    "entry-conflict": Case(
        _conflict,
        (Told(f"{HOST}: search is not ours and differs from the definition of that name", HOST, DIFF),),
    ),
    "entry-stale": Case(
        _stale,
        (Told(f"{HOST}: search is ours and has no definition any more", HOST, f"{SYNC} --prune"),),
    ),
    "region-displaced": Case(
        lambda place: place.edit(".codex/config.toml", '# <vaultspec type="mcps">\n', ""),
        (
            Told(
                ".codex/config.toml: the marks round the entries of vaultspec are not whole",
                ".codex/config.toml",
                SYNC,
            ),
        ),
        provider="codex",
    ),
    "host-file-refused": Case(
        lambda place: place.write(HOST, b"\xef\xbb\xbf" + (place.root / HOST).read_bytes()),
        (Told(f"{HOST}:1: Claude Code may refuse the whole file (bom)", HOST, None, 1),),
    ),
    "entry-of-another-workspace": Case(
        _others,
        (
            Told(
                "{HOME}/.claude.json: vaultspec-core belongs to {PARENT}/other",
                "{HOME}/.claude.json",
                f"{SYNC} --scope user --force",
            ),
        ),
    ),
    "block-incomplete": Case(
        lambda place: place.edit(".gitignore", ".vaultspec/providers.json\n", ""),
        (
            Told(
                ".gitignore: the block of vaultspec is missing or incomplete",
                ".gitignore",
                "vaultspec-core spec gitignore enable",
            ),
        ),
    ),
    "block-kept": Case(
        _folder_for_file,
        (Told("{ROOT}/.gitignore is a folder, not a file", ".gitignore", "vaultspec-core spec gitignore disable"),),
    ),
    "hooks-missing": Case(
        lambda place: place.write(YAML, "repos: []\n"),
        (
            Told(
                f"{YAML}: the hooks of vaultspec are missing or out of date",
                YAML,
                "vaultspec-core spec precommit enable",
            ),
        ),
        git=True,
    ),
    "hooks-kept": Case(
        lambda place: place.edit(YAML, "spec doctor", "spec  doctor"),
        (
            Told(
                f"{YAML}: left as it is: the block was edited by hand",
                YAML,
                "vaultspec-core spec precommit disable",
            ),
        ),
        git=True,
    ),
    "hooks-unrefreshable": Case(
        lambda place: place.write("prek.toml", "# mine\n"),
        (
            Told(
                "prek.toml does not hold the hooks of vaultspec, and is not written without being asked",
                "prek.toml",
                "vaultspec-core spec precommit migrate",
            ),
        ),
        git=True,
    ),
    "hook-not-installed": Case(
        lambda place: None,
        (Told("git does not run the commit hooks of this workspace", YAML, "pre-commit install"),),
        git=True,
    ),
}
