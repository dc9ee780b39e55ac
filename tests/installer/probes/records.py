"""Cases about the workspace's own files: the framework, its records, definitions, floors, migrations, the vault."""

from __future__ import annotations

import shutil

from tests.installer.probes.place import Case, Place, Told

RECORD = ".vaultspec/workspace.json"
OWNERSHIP = ".vaultspec/mcp-ownership.json"
SEED = ".vaultspec/mcps/vaultspec-core.builtin.json"
UPGRADE = "vaultspec-core install --upgrade"


def _track_ownership(place: Place) -> None:
    place.git("add", "--force", OWNERSHIP)


def _move(place: Place) -> None:
    place.run("spec", "mcps", "sync", "--scope", "local")
    place.root = place.root.rename(place.root.parent / "moved")


def _file_for_folder(place: Place) -> None:
    shutil.rmtree(place.root / ".vaultspec/mcps")
    place.write(".vaultspec/mcps", "no folder")


def _vault_elsewhere(place: Place) -> None:
    shutil.rmtree(place.root / ".vault")
    (place.root / ".vault").symlink_to(place.home)


CASES = {
    "no-vault": Case(
        lambda place: shutil.rmtree(place.root / ".vault"),
        (Told("there is no .vault in this workspace", ".vault", UPGRADE),),
    ),
    "bad-manifest": Case(
        lambda place: place.write(".vaultspec/providers.json", "{"),
        (
            Told(
                "{ROOT}/.vaultspec/providers.json is not JSON",
                ".vaultspec/providers.json",
                f"rm .vaultspec/providers.json && {UPGRADE}",
            ),
        ),
    ),
    "not-installed-here": Case(
        lambda place: (place.root / ".vaultspec/providers.json").unlink(),
        (Told("this machine has no record of an installation", ".vaultspec/providers.json", "vaultspec-core install"),),
    ),
    "bundled-file-missing": Case(
        lambda place: (place.root / ".vaultspec/templates/adr.md").unlink(),
        (
            Told(
                ".vaultspec/templates/adr.md was written by vaultspec and is gone",
                ".vaultspec/templates/adr.md",
                UPGRADE,
            ),
        ),
    ),
    "bundled-file-changed": Case(
        lambda place: place.edit(SEED, "\n}", ',\n  "env": {"REGION": "eu"}\n}'),
        (Told(f"{SEED} differs from what vaultspec wrote", SEED, UPGRADE),),
    ),
    "bad-workspace-record": Case(
        lambda place: place.edit(RECORD, '"tool"', '"toll"'),
        (
            Told(
                f'{RECORD}:4: /packages/vaultspec-core/install_mode is "toll"; allowed: "tool", "dependency" or "dev"',
                RECORD,
                "Correct it by hand; or move {ROOT}/.vaultspec/workspace.json away and run: vaultspec-core install --mode tool",
                4,
            ),
        ),
    ),
    "workspace-newer": Case(
        lambda place: place.edit(RECORD, '"2.2"', '"3.0"'),
        (Told(f"{RECORD} has schema_version 3.0, newer than 2.2", RECORD, "uvx vaultspec-core@latest spec doctor"),),
    ),
    "mode-unrecorded": Case(
        lambda place: place.write(RECORD, "{}"),
        (Told(f"{RECORD} records no install mode of vaultspec-core", RECORD, UPGRADE),),
    ),
    "below-floor": Case(
        lambda place: place.floor("99.0"),
        (
            Told(
                "this workspace needs vaultspec-core 99.0 or later; this is {VERSION}",
                RECORD,
                "uvx --refresh --from 'vaultspec-core>=99.0' vaultspec-core install --upgrade",
            ),
        ),
    ),
    "invalid-definition": Case(
        lambda place: place.write(".vaultspec/mcps/search.json", '{\n"command": "x", "args": "y"}'),
        (
            Told(
                ".vaultspec/mcps/search.json:2: /args is a string; allowed: an array of strings",
                ".vaultspec/mcps/search.json",
                "vaultspec-core spec reference schema definition",
                2,
            ),
        ),
    ),
    "definitions-unreadable": Case(
        _file_for_folder,
        (
            Told(
                "{ROOT}/.vaultspec/mcps cannot be listed: Not a directory",
                ".vaultspec/mcps",
                "chmod u+rx .vaultspec/mcps",
            ),
        ),
    ),
    "static-seed": Case(
        lambda place: place.write(".vaultspec/mcps/search.builtin.json", '{"command": "search-mcp"}'),
        (
            Told(
                ".vaultspec/mcps/search.builtin.json says its launch outright and cannot follow the install mode",
                ".vaultspec/mcps/search.builtin.json",
                "search install --upgrade",
            ),
        ),
    ),
    "literal-secret": Case(
        lambda place: place.define("search", env={"API_KEY": "hunter2hunter2"}),
        (
            Told(
                ".vaultspec/mcps/search.json: /env/API_KEY looks like a literal secret",
                ".vaultspec/mcps/search.json",
                "Write it as ${NAME} in .vaultspec/mcps/search.json, and change it.",
            ),
        ),
    ),
    "bad-ownership": Case(
        lambda place: place.write(OWNERSHIP, "["),
        (
            Told(
                "the ownership record {ROOT}/.vaultspec/mcp-ownership.json cannot be used: it is not JSON (JSONDecodeError)",
                OWNERSHIP,
                "vaultspec-core spec mcps sync --repair-ownership",
            ),
        ),
    ),
    "tracked-ownership": Case(
        _track_ownership,
        (
            Told(
                f"{OWNERSHIP} is tracked by git and is not believed",
                OWNERSHIP,
                f"git rm --cached {OWNERSHIP}",
            ),
        ),
        git=True,
    ),
    "moved-workspace": Case(
        lambda place: setattr(place, "root", place.root.rename(place.root.parent / "moved")),
        (
            Told(
                "the record of claude at project scope is about {OLD}/.mcp.json, which now is .mcp.json",
                OWNERSHIP,
                "vaultspec-core spec mcps sync",
            ),
        ),
    ),
    "left-behind": Case(
        _move,
        (
            Told(
                "{HOME}/.claude.json: left behind by {OLD}, which is gone: vaultspec-core",
                "{HOME}/.claude.json",
                "vaultspec-core spec mcps sync --scope local --prune",
            ),
        ),
    ),
    "pending-migration": Case(
        lambda place: place.edit(
            ".mcp.json", '"mcpServers": {', '"_vaultspecManaged": ["vaultspec-core"], "mcpServers": {'
        ),
        (
            Told(
                "managed_key is pending: Move the list of owned names out of host files into the ownership record.",
                None,
                "vaultspec-core migrations run",
            ),
        ),
    ),
    "vault-unhealthy": Case(
        lambda place: place.write(".vault/adr/2026-01-02-search-adr.md", b"\xff"),
        (Told("the vault has 2 errors and 1 warning", ".vault", "vaultspec-core vault check all --fix"),),
    ),
    "vault-remarks": Case(
        lambda place: place.run("vault", "add", "research", "--feature", "search", "--title", "Search"),
        (Told("the vault has 4 warnings", ".vault", "vaultspec-core vault check all"),),
    ),
    "vault-unusable": Case(
        _vault_elsewhere,
        (Told("{ROOT}/.vault is a link that leaves the workspace", ".vault", "Put the file itself in its place."),),
    ),
}
