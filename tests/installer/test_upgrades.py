"""Every converging command brings a workspace of an earlier release to the same state; every other one leaves each byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.installer.upgrades import MANIFEST, NAMES, OWNERSHIP, lay, manifest
from tests.requirements import requirement
from tests.server.mcp.engines import request
from tests.server.mcp.process import PLAIN, started
from vaultspec_core.load import load
from vaultspec_core.tools import create
from vaultspec_core.vault.vault import Vault
from vaultspec_core.verb import Verb
from vaultspec_installer.table import all_verbs, find_verb

Cli = Callable[..., Result]


def call_create(sandbox: Sandbox, cli: Cli) -> tuple[list[Any], list[str]]:
    """The tool `create`, as the server runs it."""
    answer, _ = load(create.TOOL.run)(
        Vault.open(sandbox.root), {"documents": [{"feature": "new"}]}, lambda done, total, message: None
    )
    assert answer["items"][0]["status"] == "created"
    return answer["converged"], answer["items"][0]["warnings"]


def call_verb(*words: str) -> Callable[[Sandbox, Cli], tuple[list[Any], list[str]]]:
    def call(sandbox: Sandbox, cli: Cli) -> tuple[list[Any], list[str]]:
        data = cli(*words, "--json").data
        failed = [row for row in data.get("items", ()) if row["outcome"] == "failed"]
        said = [f"{row['name']}: {row['detail'].partition('  ')[2]}" for row in failed]
        return data["converged"], said + [text for text in data["warnings"] if not text.startswith("pending ")]

    return call


CONVERGING = {
    "create": call_create,
    "vault add": call_verb("vault", "add", "research", "--feature", "new"),
    "vault repair": call_verb("vault", "repair"),
    "vault feature index": call_verb("vault", "feature", "index"),
    "migrations run": call_verb("migrations", "run"),
}
HERE = [name for name in CONVERGING if name == "create" or find_verb(name.split())]


def documents_aside(files: dict[str, tuple[bytes, int]]) -> dict[str, str]:
    """Texts by path, without documents that the command made and the machine's record with its times."""
    return {
        path: data.decode()
        for path, (data, _) in files.items()
        if path != MANIFEST and not (path.startswith(".vault/") and ("new" in path or "/data/" in path))
    }


def owned(files: dict[str, str]) -> dict[str, str]:
    """The same with the ownership record as what it owns: names and fingerprints, and of which host file."""
    text = files.get(OWNERSHIP)
    said = json.loads(text) if text else {}
    if said.get("version") != 1:
        return files
    words = ("managed", "path", "provider", "scope")
    targets = {key: {word: record[word] for word in words} for key, record in said["targets"].items()}
    return files | {OWNERSHIP: json.dumps(targets, sort_keys=True)}


@requirement("MIG-1", "MIG-2", "MIG-3", "SYN-2", "SYN-3", "WSP-2", "D-5", "D-6", "D-21")
@pytest.mark.parametrize("command", HERE)
@pytest.mark.parametrize("case", NAMES)
def test_a_converging_command_refreshes_what_is_provably_ours_and_nothing_else(
    case: str, command: str, sandbox: Sandbox, cli: Cli
) -> None:
    laid = lay(case, sandbox)
    expected = laid.expected
    before, home = documents_aside(tree(sandbox.root)), tree(sandbox.home)
    status = cli("migrations", "status", "--json")
    assert [one["name"] for one in status.data["pending"]] == expected["pending"]
    assert status.code == (1 if expected["pending"] else 0)
    refreshed, warnings = CONVERGING[command](sandbox, cli)
    after = documents_aside(tree(sandbox.root))
    wanted = {path: text for path, text in before.items() if path not in expected["gone"]} | laid.after
    assert owned(after) == owned(wanted)
    assert {path: data for path, data in tree(sandbox.home).items() if path in home} == home
    assert refreshed == expected["converged"]
    assert warnings == expected["warnings"]
    record = manifest(sandbox) or {}
    assert record.get("vaultspec_version") == expected["vaultspec_version"]
    assert sorted(record.get("migrations", {})) == sorted(expected["applied"])
    settled = tree(sandbox.root)
    cli("migrations", "run")
    assert tree(sandbox.root) == settled, "a second run wrote something"


@requirement("MIG-2", "SYN-2", "SYN-3", "MOD-4", "WSP-2", "WSP-3", "D-5", "D-6")
@pytest.mark.parametrize(
    "case", sorted(set(NAMES) - {"malformed-host", "newer-workspace", "newer-ownership", "below-floor"})
)
def test_an_upgrade_converges_too(case: str, sandbox: Sandbox, cli: Cli) -> None:
    laid = lay(case, sandbox)
    hosts = {path: text for path, (data, _) in tree(sandbox.root).items() if (text := data.decode()) and "mcp" in text}
    upgraded = cli("install", "--upgrade", "--json")
    wanted = hosts | laid.after | laid.installed
    for path in (".mcp.json", ".codex/config.toml"):
        if path in wanted and case not in ("fresh-clone", "never-enrolled"):
            assert (sandbox.root / path).read_text(encoding="utf-8") == wanted[path], path
    told = [row for row in upgraded.data["items"] if row["outcome"] == "updated"]
    assert [row["group"] for row in told] == [row["group"] for row in laid.expected["converged"]]
    assert all(row["from"] and row["to"] and row["reason"] for row in told)
    record = manifest(sandbox)
    assert record is not None
    assert record["vaultspec_version"] == (laid.expected["vaultspec_version"] or "1.0.0")
    settled = tree(sandbox.root)
    assert cli("install", "--upgrade", "--json").json["status"] == "unchanged"
    assert tree(sandbox.root) == settled, "a second upgrade wrote something"


@requirement("MIG-2", "INS-3")
@pytest.mark.parametrize("case", ["malformed-host", "newer-workspace", "newer-ownership", "below-floor"])
def test_an_upgrade_that_is_refused_leaves_every_byte(case: str, sandbox: Sandbox, cli: Cli) -> None:
    lay(case, sandbox)
    before = tree(sandbox.root), tree(sandbox.home)
    assert cli("install", "--upgrade").code == 1
    assert (tree(sandbox.root), tree(sandbox.home)) == before


CONVERGE = {*CONVERGING, "install"}
WRITE = ("uninstall", "sync", "spec mcps", "spec gitignore", "spec gitattributes", "spec precommit")
"""Verbs, or the words that they begin with, that write these files by purpose; their dry runs do not."""


def looking(verb: Verb) -> list[str] | None:
    """A command line of the verb that writes nothing: a dry run where it has one, operands that name nothing. None without one."""
    dry = any(flag.name == "--dry-run" for flag in verb.flags)
    if (
        not dry
        and (verb.name in CONVERGE or verb.name.startswith(WRITE))
        and not verb.name.endswith(("status", "list"))
    ):
        return None
    operands = ["nothing-of-that-name" for operand in verb.operands if operand.required]
    return [*verb.words, *operands, *(["--dry-run"] if dry else [])]


@requirement("MIG-2")
def test_no_other_command_changes_a_byte_or_advances_the_record(sandbox: Sandbox, cli: Cli) -> None:
    lay("managed-key", sandbox)
    (sandbox.root / ".vault/old.index.md").write_text("---\ngenerated: true\n---\n", encoding="utf-8")
    before = tree(sandbox.root)
    lines = [line for verb in all_verbs() if (line := looking(verb))]
    assert len(lines) > 30
    for line in lines:
        cli(*line)
        after = {path: pair for path, pair in tree(sandbox.root).items() if not path.startswith(".vault/data/")}
        assert after == before, line


@requirement("MIG-2")
def test_a_command_that_does_not_converge_names_what_is_pending(sandbox: Sandbox, cli: Cli) -> None:
    lay("bare-launch", sandbox)
    line = "warning: pending migrations: launch_convergence; vaultspec-core migrations run applies them\n"
    for words in (
        ["spec", "mcps", "list"],
        ["vault", "check", "links"],
        ["vault", "add", "adr", "--feature", "x", "--dry-run"],
    ):
        assert cli(*words).err.endswith(line), words
    listed = cli("spec", "mcps", "status", "--json")
    assert listed.err == ""
    assert listed.data["warnings"][-1] == line.removeprefix("warning: ").strip()
    assert cli("migrations", "run").code == 0
    assert cli("spec", "mcps", "list").err == ""


@requirement("MIG-2")
@pytest.mark.parametrize("case", NAMES)
def test_nobody_is_nagged_where_nothing_is_pending(case: str, sandbox: Sandbox, cli: Cli) -> None:
    pending = lay(case, sandbox).expected["pending"]
    named = f"warning: pending migrations: {', '.join(pending)}; vaultspec-core migrations run applies them\n"
    assert cli("spec", "mcps", "list").err == (named if pending else "")


@requirement("MIG-2", "MIG-4", "SYN-2")
def test_the_server_converges_before_it_creates(sandbox: Sandbox) -> None:
    laid = lay("hand-edited", sandbox)
    arguments = {"documents": [{"feature": "new"}, {"feature": "new", "type": "adr"}]}
    with started(sandbox, PLAIN) as server:
        server.open()
        server.write(request(1, "tools/call", {"name": "create", "arguments": arguments}))
        answer = server.read()["result"]["structuredContent"]
    assert [item["status"] for item in answer["items"]] == ["created", "created"]
    assert answer["converged"] == laid.expected["converged"]
    assert [item["warnings"] for item in answer["items"]] == [laid.expected["warnings"], []]
    assert (sandbox.root / ".codex/config.toml").read_text(encoding="utf-8") == laid.after[".codex/config.toml"]


@requirement("MIG-2", "MIG-3")
def test_sync_refreshes_and_stamps_no_migration(sandbox: Sandbox, cli: Cli) -> None:
    laid = lay("bare-launch", sandbox)
    before = manifest(sandbox)
    assert {row["outcome"] for row in cli("sync", "--json").data["items"]} == {"updated"}
    assert (sandbox.root / ".mcp.json").read_text(encoding="utf-8") == laid.after[".mcp.json"]
    assert manifest(sandbox) == before


@requirement("MIG-4", "MIG-3")
def test_create_fails_as_a_whole_when_documents_cannot_be_placed(sandbox: Sandbox, cli: Cli) -> None:
    lay("bare-launch", sandbox)
    for path, text in ((".vault/a.index.md", "mine"), (".vault/index/a.index.md", "---\ngenerated: true\n---\n")):
        (sandbox.root / path).write_text(text, encoding="utf-8")
    before = tree(sandbox.root)
    added = cli("vault", "add", "adr", "--feature", "x", "--json")
    assert added.code == 1
    assert added.data["code"] == "schema-convergence"
    cause = ".vault/a.index.md and .vault/index/a.index.md differ, and the first was written by hand"
    assert added.data["message"] == f"create could not converge the workspace: {cause}"
    assert tree(sandbox.root) == before
    ran = cli("migrations", "run", "--json")
    assert ran.code == 1
    assert ran.data["items"] == [{"name": "index_subfolder", "outcome": "failed", "detail": f"0.1.17  {cause}"}]
    assert tree(sandbox.root) == before
    (sandbox.root / ".vault/a.index.md").unlink()
    assert cli("vault", "add", "adr", "--feature", "x").code == 0


@requirement("MIG-3")
def test_the_record_stops_before_the_first_migration_that_is_still_pending(sandbox: Sandbox, cli: Cli) -> None:
    lay("managed-key", sandbox)
    (sandbox.root / ".vault/a.index.md").write_text("---\ngenerated: true\n---\n", encoding="utf-8")
    host = sandbox.root / ".mcp.json"
    text = host.read_text(encoding="utf-8").replace("{\n", '{\n  "_vaultspecManaged": [],\n', 1)
    host.write_text(text, encoding="utf-8")
    path = sandbox.root / MANIFEST
    path.write_text(path.read_text(encoding="utf-8").replace("0.1.40", "0.1.2"), encoding="utf-8")
    ran = cli("migrations", "run", "--json").data
    assert ran["warnings"] == [
        ".mcp.json:3:3: `_vaultspecManaged` stands here a second time (first on line 2); keep one of them"
    ]
    assert host.read_text(encoding="utf-8") == text
    record = manifest(sandbox) or {}
    assert (record["vaultspec_version"], record["migrations"]) == ("0.1.17", {"index_subfolder": "1.0.0"})
    settled = tree(sandbox.root)
    cli("migrations", "run")
    assert tree(sandbox.root) == settled


@requirement("MIG-1")
def test_a_dry_run_says_the_same_and_writes_nothing(sandbox: Sandbox, cli: Cli) -> None:
    laid = lay("home-ownership-then-launch", sandbox)
    before = tree(sandbox.root), tree(sandbox.home)
    dry = cli("migrations", "run", "--dry-run", "--json")
    assert dry.json["status"] == "unchanged"
    assert dry.data["converged"] == laid.expected["converged"]
    assert dry.data["deletes"] == 0
    assert dry.data["migrations"] == [
        {"name": "home_ownership", "target_version": "0.3.2", "previewable": True, "deletes": []},
        {"name": "launch_convergence", "target_version": "1.0.0", "previewable": True, "deletes": []},
    ]
    assert (tree(sandbox.root), tree(sandbox.home)) == before
    ran = cli("migrations", "run", "--json")
    assert ran.json["status"] == "updated"
    assert ran.data["items"] == dry.data["items"]
    again = cli("migrations", "run", "--json").json
    assert (again["status"], again["data"]["items"]) == ("unchanged", [])


@requirement("MIG-1")
def test_status_names_what_is_registered_and_pending(sandbox: Sandbox, cli: Cli) -> None:
    lay("bare-launch", sandbox)
    registered = [
        {"name": "index_subfolder", "target_version": "0.1.17"},
        {"name": "managed_key", "target_version": "0.1.48"},
        {"name": "home_ownership", "target_version": "0.3.2"},
        {"name": "launch_convergence", "target_version": "1.0.0"},
    ]
    status = cli("migrations", "status", "--json")
    assert status.json == {
        "schema": "vaultspec.migrations.status.v1",
        "status": "unchanged",
        "data": {
            "manifest_version": "0.1.40",
            "status": "pending",
            "registered": registered,
            "pending": registered[-1:],
        },
        "hints": {"text": "Apply them with:", "command": "vaultspec-core migrations run"},
    }
    cli("migrations", "run")
    settled = cli("migrations", "status", "--json")
    assert (settled.code, settled.data["status"], settled.data["manifest_version"]) == (0, "up_to_date", "1.0.0")
    (sandbox.root / MANIFEST).unlink()
    assert json.loads(cli("migrations", "status", "--json").out)["data"]["status"] == "unknown"
