"""Provision workspaces with this checkout and let an earlier release judge them, and the other way round; print a table.

    python scripts/compare_earlier_release.py /path/to/venv      # a venv with vaultspec-core==0.2.4

Both are run as black boxes. A row agrees when both say the same of the entries, when a sync by the one that did not
write them leaves every host file as it is, and when it keeps the recorded fingerprints. Exit 1 when a row does not agree.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OURS = [sys.executable, "-m", "vaultspec_installer"]
TARGETS = (("project", "all"), ("local", "claude"), ("user", "claude"), ("user", "codex"))
STAGES = ("installed", "refreshed", "uninstalled")
WORDS = ("status", "managed", "missing", "drifted", "stale_managed", "external")
HOSTS = (".mcp.json", ".agents/mcp_config.json", ".codex/config.toml", ".claude.json")


class Row(NamedTuple):
    """One comparison. `wrong`: what the two do not agree on; empty when they do."""

    writer: str
    mode: str
    scope: str
    client: str
    stage: str
    wrong: list[str]


class Sandbox:
    """A home and a workspace of its own, and both programs in it."""

    def __init__(self, folder: Path, earlier: Path, mode: str) -> None:
        self.home, self.root = folder / "home", folder / "project"
        (self.home / ".codex").mkdir(parents=True)
        self.root.mkdir()
        sources = os.pathsep.join(str(ROOT / part / "src") for part in ("providers", "server", "installer"))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("VAULTSPEC_", "XDG_"))}
        kept |= {"HOME": str(self.home), "CODEX_HOME": str(self.home / ".codex"), "CLAUDE_CONFIG_DIR": str(self.home)}
        self.programs = {
            "this checkout": (OURS, kept | {"PYTHONPATH": sources}),
            "earlier": ([str(earlier / "bin/vaultspec-core")], kept),
        }
        if mode != "tool":
            listed = "dependencies" if mode == "dependency" else "[dependency-groups]\ndev"
            text = f'[project]\nname = "demo"\nversion = "1"\n{listed} = ["vaultspec-core"]\n'
            (self.root / "pyproject.toml").write_text(text)

    def run(self, program: str, *words: str) -> Any:
        command, environ = self.programs[program]
        done = subprocess.run(
            [*command, *words, "--json"], cwd=self.root, env=environ, capture_output=True, text=True, check=False
        )
        try:
            return json.loads(done.stdout)["data"]
        except (ValueError, KeyError):
            raise SystemExit(f"{program}: {' '.join(words)}: {done.stdout}{done.stderr}") from None

    def hosts(self) -> dict[str, bytes]:
        """Every host file."""
        paths = [folder / name for folder in (self.root, self.home) for name in HOSTS]
        return {str(path): path.read_bytes() for path in paths if path.exists()}

    def fingerprints(self) -> dict[str, Any]:
        """What the ownership records say: target -> name -> fingerprint."""
        found: dict[str, Any] = {}
        for folder in (self.root, self.home):
            path = folder / ".vaultspec/mcp-ownership.json"
            if path.exists():
                targets = json.loads(path.read_bytes())["targets"]
                found |= {key: record["managed"] for key, record in targets.items()}
        return found


def provision(sandbox: Sandbox, writer: str, mode: str, place: Sequence[str], stage: str) -> None:
    """Bring the workspace into the stage."""
    sandbox.run(writer, "install", "--mode", mode)
    sandbox.run(writer, "spec", "mcps", "sync", *place)
    if stage == "refreshed":
        folder = sandbox.root / ".vaultspec/mcps"
        definition = json.loads((folder / "vaultspec-core.builtin.json").read_text())
        definition["env"] = {"REGION": 'eu "north"\n\\x', "A": "é"}
        (folder / "vaultspec-core.json").write_text(json.dumps(definition))
        (folder / "other.json").write_text('{"command": "npx", "args": ["-y", "other"]}')
        sandbox.run(writer, "spec", "mcps", "sync", *place)
    if stage == "uninstalled":
        sandbox.run(writer, "spec", "mcps", "uninstall", "--force", *place)


def compare(sandbox: Sandbox, writer: str, reader: str, place: Sequence[str], stage: str) -> list[str]:
    """What the two disagree on."""
    said = {name: sandbox.run(name, "spec", "mcps", "status", *place) for name in (writer, reader)}
    wrong = [
        f"{word}: {said[writer][word]} / {said[reader][word]}"
        for word in WORDS
        if said[writer][word] != said[reader][word]
    ]
    if stage == "uninstalled":
        return wrong
    if said[reader]["status"] != "ok" or not said[reader]["managed"]:
        wrong.append(f"not ok: {said[reader]['status']}")
    before = sandbox.hosts(), sandbox.fingerprints()
    sandbox.run(reader, "spec", "mcps", "sync", *place)
    after = sandbox.hosts(), sandbox.fingerprints()
    wrong += [f"sync changed {path}" for path in before[0] if before[0][path] != after[0].get(path)]
    if before[1] != after[1]:
        wrong.append(f"fingerprints: {before[1]} / {after[1]}")
    return wrong


def rows(earlier: Path) -> Iterator[Row]:
    for writer, reader in (("this checkout", "earlier"), ("earlier", "this checkout")):
        for mode in ("tool", "dependency", "dev"):
            for scope, client in TARGETS:
                if scope == "user" and mode != "tool":
                    continue  # the earlier release lets each workspace render the shared file in its own mode; we do not (OWN-5)
                for stage in STAGES:
                    folder = Path(tempfile.mkdtemp()).resolve()
                    try:
                        sandbox = Sandbox(folder, earlier, mode)
                        place = (client, "--scope", scope)
                        provision(sandbox, writer, mode, place, stage)
                        yield Row(writer, mode, scope, client, stage, compare(sandbox, writer, reader, place, stage))
                    finally:
                        shutil.rmtree(folder)


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write(f"usage: {sys.argv[0]} VENV\n")
        return 2
    apart = 0
    form = "{:<14} {:<11} {:<8} {:<7} {:<12} {}\n"
    sys.stdout.write(form.format("written by", "mode", "scope", "client", "stage", "judged by the other"))
    for row in rows(Path(sys.argv[1]).absolute()):
        apart += bool(row.wrong)
        sys.stdout.write(form.format(row.writer, row.mode, *row[2:5], "; ".join(row.wrong) or "agrees"))
        sys.stdout.flush()
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
