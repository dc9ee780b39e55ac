"""Many real syncs against programs that take no lock: `race_commands.py --syncs 12 --rounds 10 --style both`.

Two workspaces share one home folder. Each sync process has a server of its own, changes its definition every round and enrolls it at
project and at user scope. Meanwhile one program for every host file reads it, adds a key and writes the whole file back every
`--pause` seconds, by renaming or in place; before each write it checks that the file parses and that all its keys are still there.
Readers look at the renamed files all the time. In the end one more sync per scope has to bring everything of ours back.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / part / "src") for part in ("providers", "server", "installer"))]

from tests.machine import Machine  # noqa: E402

SCOPES = ("project", "user")
BUSY = ("open for writing", "kept changing", "another vaultspec command has been working")
"""Why a sync may give up: the other program never lets go, or so many of ours wait that the patience of one ends."""


class Race(NamedTuple):
    syncs: int
    rounds: int
    style: str
    pause: float


def servers(path: Path) -> dict[str, Any]:
    """What a host file says of servers; the file must parse."""
    if path.suffix == ".json":
        found: dict[str, Any] = json.loads(path.read_bytes()).get("mcpServers", {})
        return found
    return dict(tomllib.loads(path.read_text(encoding="utf-8")).get("mcp_servers", {}))


def foreign_keys(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    document = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    return {key for key in document if key.startswith("theirs_")}


def added(path: Path, key: str) -> str:
    """The file as the other program writes it: with one more key, JSON in its own layout."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.dumps({key: True, **json.loads(text)}, separators=(",", ":"))
    tomllib.loads(text)
    return f"{key} = true\n{text}"


def interfere(path: Path, race: Race, stop: Path) -> dict[str, int]:
    """The other program, until `stop` appears."""
    count = 0
    while not stop.exists():
        lost = {f"theirs_{number}" for number in range(count)} - foreign_keys(path)
        assert not lost, f"{path}: the other program lost {sorted(lost)}"
        text = added(path, f"theirs_{count}")
        count += 1
        if race.style == "in-place" or (race.style == "both" and count % 2):
            with path.open("r+", encoding="utf-8") as file:
                file.truncate()
                file.write(text)
        else:
            other = path.with_name(f"their-own-{path.name}")
            other.write_text(text, encoding="utf-8")
            other.replace(path)
        time.sleep(race.pause)
    return {"foreign_writes": count}


def look(paths: list[Path], stop: Path) -> dict[str, int]:
    """A reader, until `stop` appears: every look parses."""
    count = 0
    while not stop.exists():
        for path in paths:
            servers(path)
        count += 1
        time.sleep(0.002)
    return {"reads": count * len(paths)}


def define(root: Path, name: str, generation: int) -> None:
    path = root / ".vaultspec" / "mcps" / f"{name}.json"
    path.with_suffix(".new").write_text(json.dumps({"command": name, "args": [str(generation)]}))
    path.with_suffix(".new").replace(path)


def sync(machine: Machine, root: Path, name: str, rounds: int) -> dict[str, int]:
    """One of ours. A sync may end with 1 where the other program never lets go; it may never fail in another way."""
    ends: Counter[str] = Counter()
    for generation in range(1, rounds + 1):
        define(root, name, generation)
        for scope in SCOPES:
            code, said = machine.run(root, "spec", "mcps", "sync", "--scope", scope)
            assert code in (0, 1), said
            assert "Traceback" not in said, said
            ends["syncs"] += 1
            ends["refused_as_busy"] += code
            assert not code or any(reason in said for reason in BUSY), said
    return dict(ends)


def fork(work: Callable[[], dict[str, int]], said: Path) -> int:
    """Run it in a process of its own, which leaves its figures in a file. Gives the process."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        said.write_text(json.dumps(work()))
        code = 0
    except (AssertionError, ValueError, OSError) as error:
        print(f"{error.__class__.__name__}: {error}", file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def run(race: Race, folder: Path) -> dict[str, int]:
    """The whole race. Raises AssertionError when anything was lost or left behind."""
    machine = Machine(folder)
    roots = [machine.workspace("one"), machine.workspace("two")]
    names = [f"s{number}" for number in range(race.syncs)]
    for root in roots:
        machine.run(root, "spec", "mcps", "sync", "--scope", "user")
    hosts = [root / name for root in roots for name in (".mcp.json", ".codex/config.toml")]
    hosts += [machine.home / ".claude.json", machine.home / ".codex/config.toml"]
    stop, figures = machine.folder / "stop", machine.folder / "figures"
    figures.mkdir()
    others = [partial(interfere, path, race, stop) for path in hosts]
    readers = [partial(look, hosts, stop)] if race.style == "rename" else []
    ours = [partial(sync, machine, roots[number % 2], name, race.rounds) for number, name in enumerate(names)]
    waiting = [fork(work, figures / f"other-{number}") for number, work in enumerate([*others, *readers])]
    working = [fork(work, figures / f"ours-{number}") for number, work in enumerate(ours)]
    codes = [os.waitpid(process, 0)[1] for process in working]
    stop.touch()
    codes += [os.waitpid(process, 0)[1] for process in waiting]
    assert not any(codes), f"a process failed: {codes}"
    totals: Counter[str] = Counter()
    for path in figures.iterdir():
        totals.update(json.loads(path.read_text()))
    for number, path in enumerate(hosts):
        count = json.loads((figures / f"other-{number}").read_text())["foreign_writes"]
        assert foreign_keys(path) == {f"theirs_{key}" for key in range(count)}, f"{path}: keys of the other are missing"
    settle(machine, roots, names, race.rounds)
    assert not machine.litter(), f"left behind: {machine.litter()}"
    return dict(totals)


def settle(machine: Machine, roots: list[Path], names: list[str], rounds: int) -> None:
    """The last sync: what the other programs overwrote is there again, in its last form."""
    for number, root in enumerate(roots):
        wanted = {name: str(rounds) for name in names[number::2]}
        for scope in SCOPES:
            machine.done(root, "spec", "mcps", "sync", "--scope", scope)
        for folder, main in ((root, ".mcp.json"), (machine.home, ".claude.json")):
            for path in (folder / main, folder / ".codex/config.toml"):
                found = servers(path)
                assert "vaultspec-core" in found, f"{path}: our own server is missing"
                for name, generation in wanted.items():
                    entry = found.get(name)
                    assert entry, f"{path}: {name} is missing"
                    assert entry["args"] == [generation], f"{path}: {name} is {entry}"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--syncs", type=int, default=12)
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--style", choices=("rename", "in-place", "both"), default="both")
    options.add_argument("--pause", type=float, default=0.05)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        figures = run(Race(given.syncs, given.rounds, given.style, given.pause), Path(folder))
        print(json.dumps({"style": given.style, **figures, "seconds": round(time.monotonic() - started, 1)}))


if __name__ == "__main__":
    main()
