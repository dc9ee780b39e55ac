"""Several real MCP servers on one document and one plan: `race_documents.py --servers 4 --edits 500`.

Every server appends to one document over stdio; every `--mixed`th time it also creates a document, closes a step of one plan that all
share and logs it. Whatever a server acknowledged has to be there in the end, once.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / part / "src") for part in ("providers", "server", "installer"))]

from tests.machine import Machine, Server  # noqa: E402
from vaultspec_core.plan.grammar import parse_text  # noqa: E402

SHARED = "2026-07-01-shared-research"
PLAN = "2026-07-01-shared-plan"
SECTION = "## Appended"


def text(kind: str, rest: str, tier: str = "") -> str:
    return f"---\ntags:\n  - '#{kind}'\n  - '#shared'\ndate: '2026-07-01'\nmodified: '2026-07-01'\n{tier}related: []\n---\n\n# `shared` {kind}\n\n{rest}\n"


def prepare(root: Path, steps: int) -> dict[str, Path]:
    rows = "".join(f"- [ ] `S{number:02}` - step {number}; `a`.\n" for number in range(1, steps + 1))
    files = {
        "research": (root / f".vault/research/{SHARED}.md", text("research", f"{SECTION}\n\nfirst\n\n## After")),
        "plan": (
            root / f".vault/plan/{PLAN}.md",
            text("plan", f"## Steps\n\n{rows}\n## Verification\n\n- x", "tier: L1\n"),
        ),
    }
    for path, said in files.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")
    return {name: path for name, (path, _) in files.items()}


def retried(server: Server, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The answer, which has to be a success."""
    answer = server.call(tool, arguments)
    assert answer.get("status", "ok") in ("ok", "created", "updated"), answer
    return answer


def work(server: Server, number: int, edits: int, mixed: int) -> Counter[str]:
    """What one client asks for; gives how many acknowledgements it got by tool."""
    told: Counter[str] = Counter()
    for turn in range(edits):
        row = {"target": SHARED, "operation": "append_section", "section": SECTION, "content": f"w{number}-{turn}."}
        retried(server, "edit", {"operations": [row]})
        told["edit"] += 1
        if mixed and turn % mixed == 0:
            step = f"S{1 + number * -(-edits // mixed) + turn // mixed:02}"
            made = {"feature": f"w{number}-{turn}", "type": "research", "title": "x"}
            retried(server, "create", {"documents": [made]})
            retried(server, "plan_progress", {"plan": PLAN, "steps": [{"step_id": step, "state": "checked"}]})
            server.call("log", {"feature": "shared", "plan": PLAN, "step": step, "rows": [f"M:src/{step}.py"]})
            told.update(("create", "plan_progress", "log"))
    return told


def run(folder: Path, servers: int, edits: int, mixed: int) -> dict[str, int]:
    """The whole race. Raises AssertionError when something acknowledged is missing or there twice."""
    machine = Machine(folder)
    root = machine.workspace("project")
    rounds = -(-edits // mixed) if mixed else 0
    files = prepare(root, max(1, servers * rounds))
    started = [machine.serve(root) for _ in range(servers)]
    with ThreadPoolExecutor(servers) as pool:
        done = list(pool.map(lambda one: work(one[1], one[0], edits, mixed), enumerate(started)))
    for server in started:
        server.close()
    lines = Counter(files["research"].read_text(encoding="utf-8").splitlines())
    missing = [f"w{w}-{turn}." for w in range(servers) for turn in range(edits) if lines[f"w{w}-{turn}."] != 1]
    assert not missing, f"not there exactly once: {missing}"
    plan = parse_text(files["plan"].read_text(encoding="utf-8"))
    steps = {step.id for step in plan.steps if step.checked}
    assert len(steps) == servers * rounds, f"{servers * rounds} steps closed, {len(steps)} are"
    for w in range(servers):
        for turn in range(0, edits if mixed else 0, mixed or 1):
            assert list((root / ".vault/research").glob(f"*-w{w}-{turn}-research.md")), f"w{w}-{turn} was not created"
    logged = "".join(path.read_text(encoding="utf-8") for path in (root / ".vault/exec").rglob("*.md"))
    assert all(logged.count(f"src/{step}.py") == 1 for step in steps), "rows of the ledger are missing"
    assert not machine.litter(), f"left behind: {machine.litter()}"
    return dict(sum(done, Counter()))


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--servers", type=int, default=4)
    options.add_argument("--edits", type=int, default=500)
    options.add_argument("--mixed", type=int, default=10, help="other tools at every so manieth edit; 0: none")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        figures = run(Path(folder), given.servers, given.edits, given.mixed)
        print(json.dumps({**figures, "seconds": round(time.monotonic() - started, 1)}))


if __name__ == "__main__":
    main()
