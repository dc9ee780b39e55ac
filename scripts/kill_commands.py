"""Kill real commands and servers at random times: `kill_commands.py --rounds 500 --seconds 240`.

Each round kills one of: sync at project and at user scope, install, and a server that is asked to create, edit, close steps or log
without a pause. Then the same is run to its end, without `--force`: host files hold the foreign bytes and ours in their last form,
what was acknowledged is there exactly once, and nothing is left lying about.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / part / "src") for part in ("providers", "server", "installer"))]

from tests.machine import Ended, Machine  # noqa: E402
from vaultspec_core.plan.grammar import parse_text  # noqa: E402

FOREIGN_JSON = b'{\n\t"mine": [1e400, "x"],\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}\n'
FOREIGN_TOML = b'# kept\nmodel = "o9"\n\n[mcp_servers.other] # kept\ncommand = "x"\n'
SECTION = "## Appended"
STEPS = 400

Round = Callable[[Machine, Path, int, float], Counter[str]]


def plant(folder: Path, json_name: str) -> None:
    (folder / ".codex").mkdir(exist_ok=True)
    (folder / json_name).write_bytes(FOREIGN_JSON)
    (folder / ".codex/config.toml").write_bytes(FOREIGN_TOML)


def check_hosts(folder: Path, json_name: str, args: list[str] | None) -> None:
    """Foreign bytes as they were, ours complete. `args`: those of the server `search`, if it is there."""
    first, second = (folder / json_name).read_bytes(), (folder / ".codex/config.toml").read_bytes()
    assert first.startswith(FOREIGN_JSON[: FOREIGN_JSON.index(b"}")]), f"{folder / json_name}: foreign bytes changed"
    assert second.startswith(FOREIGN_TOML), f"{folder}: foreign bytes changed"
    for servers in (json.loads(first)["mcpServers"], tomllib.loads(second.decode())["mcp_servers"]):
        assert {"other", "vaultspec-core"} <= servers.keys(), f"{folder}: {sorted(servers)}"
        assert args is None or servers["search"]["args"] == args, f"{folder}: {servers['search']}"


def kill(machine: Machine, root: Path, words: tuple[str, ...], wait: float) -> None:
    process = machine.start(root, *words)
    time.sleep(wait)
    process.kill()
    process.communicate()


def struck_sync(scope: str) -> Round:
    def strike(machine: Machine, root: Path, turn: int, wait: float) -> Counter[str]:
        path = root / ".vaultspec/mcps/search.json"
        path.write_text(json.dumps({"command": "search", "args": [f"{scope}-{turn}"]}))
        words = ("spec", "mcps", "sync", "--scope", scope)
        kill(machine, root, words, wait * 0.15)
        left = Counter({"left_something": bool(machine.litter())})
        machine.done(root, *words)
        folder, name = (root, ".mcp.json") if scope == "project" else (machine.home, ".claude.json")
        check_hosts(folder, name, [f"{scope}-{turn}"])
        return left

    return strike


def struck_install(machine: Machine, root: Path, turn: int, wait: float) -> Counter[str]:
    fresh = machine.folder / f"fresh-{turn}"
    fresh.mkdir()
    plant(fresh, ".mcp.json")
    words = ("install", "--mode", "tool")
    kill(machine, fresh, words, wait * 0.2)
    left = Counter({"left_something": bool(machine.litter())})
    machine.done(fresh, *words)
    check_hosts(fresh, ".mcp.json", None)
    machine.done(fresh, "spec", "mcps", "status")
    return left


def text(kind: str, feature: str, rest: str, tier: str = "") -> str:
    return f"---\ntags:\n  - '#{kind}'\n  - '#{feature}'\ndate: '2026-07-01'\nmodified: '2026-07-01'\n{tier}related: []\n---\n\n# `{feature}` {kind}\n\n{rest}\n"


def prepare_vault(root: Path, feature: str) -> None:
    rows = "".join(f"- [ ] `S{number:02}` - step {number}; `a`.\n" for number in range(1, STEPS + 1))
    plan = text("plan", feature, f"## Steps\n\n{rows}\n## Verification\n\n- x", "tier: L1\n")
    for kind, said in (("plan", plan), ("research", text("research", feature, f"{SECTION}\n\nfirst\n\n## After"))):
        path = root / ".vault" / kind / f"2026-07-01-{feature}-{kind}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")


def requests(tool: str, feature: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Arguments without end, each with what has to be found afterwards."""
    plan = f"2026-07-01-{feature}-plan"
    for number in range(1, STEPS + 1):
        step = f"S{number:02}"
        match tool:
            case "create":
                made = {"feature": f"{feature}-{number}", "type": "research", "title": "x"}
                yield {"documents": [made]}, f"{feature}-{number}"
            case "edit":
                row = {"target": f"2026-07-01-{feature}-research", "operation": "append_section", "section": SECTION}
                yield {"operations": [row | {"content": f"w-{number}."}]}, f"w-{number}."
            case "plan_progress":
                yield {"plan": plan, "steps": [{"step_id": step, "state": "checked"}]}, step
            case _:
                yield {"feature": feature, "plan": plan, "step": step, "rows": [f"M:src/{step}.py"]}, f"src/{step}.py"


def found(tool: str, root: Path, feature: str) -> Counter[str]:
    """What is there of what `requests` asked for; every file is whole."""
    match tool:
        case "create":
            made = list((root / ".vault/research").glob(f"*-{feature}-*-research.md"))
            assert all(path.read_text(encoding="utf-8").startswith("---\ntags:") for path in made), "cut short"
            return Counter("-".join(path.stem.split("-")[3:-1]) for path in made)
        case "edit":
            lines = (
                (root / f".vault/research/2026-07-01-{feature}-research.md").read_text(encoding="utf-8").splitlines()
            )
            assert lines[-1] == "## After", "cut short"
            return Counter(line for line in lines if line.startswith("w-"))
        case "plan_progress":
            plan = parse_text((root / f".vault/plan/2026-07-01-{feature}-plan.md").read_text(encoding="utf-8"))
            assert len(plan.steps) == STEPS, "cut short"
            return Counter(step.id for step in plan.steps if step.checked)
        case _:
            paths = (root / ".vault/exec").rglob(f"*{feature}*.md")
            words = (
                " ".join(path.read_text(encoding="utf-8") for path in paths)
                .replace("`", " ")
                .replace("M:", " ")
                .split()
            )
            return Counter(word for word in words if word.startswith("src/"))


def struck_server(tool: str) -> Round:
    def strike(machine: Machine, root: Path, turn: int, wait: float) -> Counter[str]:
        feature = f"{tool.replace('_', '-')}-{turn}"
        prepare_vault(root, feature)
        server = machine.serve(root)
        death = Timer(wait * 0.8, server.process.kill)
        death.start()
        told: list[str] = []
        asked = requests(tool, feature)
        try:
            for arguments, mark in asked:
                server.call(tool, arguments)
                told.append(mark)
        except Ended:
            pass
        death.join()
        server.process.wait()
        left = Counter({"left_something": bool(machine.litter()), "acknowledged": len(told)})
        there = found(tool, root, feature)
        assert all(there[mark] == 1 for mark in told), f"{tool}: lost or doubled: {[m for m in told if there[m] != 1]}"
        again = machine.serve(root)
        arguments, mark = next(asked)
        again.call(tool, arguments)
        again.close()
        assert found(tool, root, feature)[mark] == 1, f"{tool}: the next run did not do its work"
        return left

    return strike


KINDS: dict[str, Round] = {
    "sync": struck_sync("project"),
    "sync --scope user": struck_sync("user"),
    "install": struck_install,
    **{tool: struck_server(tool) for tool in ("create", "edit", "plan_progress", "log")},
}


def run(folder: Path, rounds: int, seconds: float, seed: int) -> dict[str, int]:
    """As many rounds as fit. Raises AssertionError when one failed."""
    chance = random.Random(seed)
    machine = Machine(folder)
    plant(machine.home, ".claude.json")
    root = machine.folder / "project"
    root.mkdir()
    plant(root, ".mcp.json")
    machine.done(root, "install", "--mode", "tool")
    figures: Counter[str] = Counter()
    end = time.monotonic() + seconds
    for turn in range(rounds):
        if time.monotonic() > end:
            break
        kind = list(KINDS)[turn % len(KINDS)]
        figures.update(KINDS[kind](machine, root, turn, chance.random()))
        assert not machine.litter(), f"{kind}, round {turn}: left behind: {machine.litter()}"
        figures.update((kind, "kills"))
    return dict(figures)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=500)
    options.add_argument("--seconds", type=float, default=3600, help="begin no round after so long")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder), given.rounds, given.seconds, given.seed)))


if __name__ == "__main__":
    main()
