"""Many writers of ours against a program that takes no lock: `race_files.py --writers 12 --keys 20 --style rename`.

Every writer adds keys to one JSON file through Disk, under the lock, and starts again when the file has changed. The other
program reads the file, adds a key and writes it back every `--pause` seconds, by renaming or in place; each time it first checks
that all its keys are still there. What it overwrites of ours, because it had read before we wrote, is added again by a last
pass once it is done, as the next command would.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server" / "src"))

from vaultspec_core.files import Changed, Disk  # noqa: E402
from vaultspec_core.lock import hold  # noqa: E402
from vaultspec_core.report import Refusal  # noqa: E402


class Race(NamedTuple):
    """Where it is run, and how."""

    path: Path
    writers: int
    keys: int
    style: str
    pause: float


def add(path: Path, key: str) -> int:
    """Add a key; gives how often the file had changed meanwhile."""
    retries = 0
    with hold(path.parent):
        while True:
            data = Disk().read(path)
            document = json.loads(data or b"")
            if key in document:
                return retries
            document[key] = True
            try:
                Disk().write(path, json.dumps(document).encode(), expected=data)
                return retries
            except Changed:
                retries += 1
            except Refusal as refusal:
                if refusal.code != "in-use":
                    raise
                retries += 1


def write_keys(race: Race, number: int) -> int:
    return sum(add(race.path, f"ours-{number}-{key}") for key in range(race.keys))


def interfere(race: Race) -> int:
    """Until the file `stop` appears. Gives how many keys were written; raises AssertionError when one was lost."""
    written: list[str] = []
    while not race.path.with_name("stop").exists():
        document = json.loads(race.path.read_bytes())
        lost = [key for key in written if key not in document]
        assert not lost, f"the other program lost {lost}"
        written.append(f"theirs-{len(written)}")
        text = json.dumps({**document, written[-1]: True})
        in_place = race.style == "in-place" or (race.style == "both" and len(written) % 2)
        if in_place:
            with race.path.open("w") as file:
                time.sleep(race.pause / 25)
                file.write(text)
        else:
            other = race.path.with_name("their-own-temporary")
            other.write_text(text)
            other.replace(race.path)
        time.sleep(race.pause)
    return len(written)


def fork(work: Callable[[], int], said: Path) -> int:
    """Run it in a process of its own, which leaves its number in a file. Gives the process."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        said.write_text(str(work()))
        code = 0
    except (AssertionError, Refusal, ValueError) as error:
        print(f"{error.__class__.__name__}: {error}", file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def run(race: Race) -> dict[str, int]:
    """The whole race. Raises AssertionError when anything was lost or left behind."""
    race.path.write_text("{}")
    folder = race.path.parent
    foreign = fork(lambda: interfere(race), folder / "said-foreign")
    processes = [
        fork(lambda number=number: write_keys(race, number), folder / f"said-{number}")  # type: ignore[misc]
        for number in range(race.writers)
    ]
    codes = [os.waitpid(process, 0)[1] for process in processes]
    (folder / "stop").touch()
    codes.append(os.waitpid(foreign, 0)[1])
    assert not any(codes), f"a process failed: {codes}"
    theirs = int((folder / "said-foreign").read_text())
    before = json.loads(race.path.read_bytes())
    for number in range(race.writers):
        write_keys(race, number)
    after = json.loads(race.path.read_bytes())
    ours = {f"ours-{number}-{key}" for number in range(race.writers) for key in range(race.keys)}
    assert after.keys() == ours | {f"theirs-{key}" for key in range(theirs)}, "keys are missing"
    litter = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert not litter, f"left behind: {litter}"
    return {
        "ours": len(ours),
        "theirs": theirs,
        "retries": sum(int((folder / f"said-{number}").read_text()) for number in range(race.writers)),
        "overwritten_by_them_and_added_again": len(ours - before.keys()),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--writers", type=int, default=12)
    options.add_argument("--keys", type=int, default=20)
    options.add_argument("--style", choices=("rename", "in-place", "both"), default="both")
    options.add_argument("--pause", type=float, default=0.05)
    options.add_argument("--rounds", type=int, default=1)
    given = options.parse_args()
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            counts = run(Race(Path(folder) / "host.json", given.writers, given.keys, given.style, given.pause))
            print(json.dumps({"style": given.style, **counts, "seconds": round(time.monotonic() - started, 1)}))


if __name__ == "__main__":
    main()
