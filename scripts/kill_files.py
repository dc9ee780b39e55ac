"""Kill a process at random moments while it changes files: `kill_files.py --rounds 500`.

It changes five documents together and moves one of them, by one generation after the other, and then writes a single file. After
each kill the next run recovers and sweeps; then all files are of one generation, none younger than what was acknowledged is
lost, and nothing else lies about.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server" / "src"))

from vaultspec_core.changeset import Changeset  # noqa: E402
from vaultspec_core.files import Disk  # noqa: E402
from vaultspec_core.lock import hold  # noqa: E402
from vaultspec_core.staging import TEMPORARY  # noqa: E402
from vaultspec_core.transaction import recover  # noqa: E402

DOCUMENTS = 5


def text(name: str, generation: int) -> bytes:
    return f"{name} of generation {generation}\n".encode() * (1 + generation % 7)


def change(vault: Path, old: int) -> None:
    """From one generation to the next."""
    files = Changeset(Disk())
    files.rename(vault / "adr" / f"{old}.md", vault / "adr" / f"{old + 1}.md")
    for number in range(DOCUMENTS):
        files.write(vault / "plan" / f"{number}.md", text(str(number), old + 1))
    files.commit(vault / "data" / "change.json")


def work(vault: Path, generation: int, told: int) -> None:
    """For ever; says each generation that is done."""
    while True:
        with hold(vault):
            change(vault, generation)
            Disk().write(vault / "single.md", text("single", generation + 1), expected=text("single", generation))
        generation += 1
        os.write(told, generation.to_bytes(4, "big"))


def prepare(vault: Path) -> None:
    for folder in ("adr", "plan", "data"):
        (vault / folder).mkdir()
    (vault / "adr" / "0.md").write_bytes(b"moved\n")
    for number in range(DOCUMENTS):
        (vault / "plan" / f"{number}.md").write_bytes(text(str(number), 0))
    (vault / "single.md").write_bytes(text("single", 0))


def settle(vault: Path) -> int:
    """The next run. Gives the generation that all documents have."""
    with hold(vault):
        left = recover(Disk(), vault / "data" / "change.json")
        kept = Disk().sweep(*(folder for folder in (vault, *vault.rglob("*")) if folder.is_dir()))
    assert not left, f"not settled: {left}"
    assert not kept, f"not swept: {kept}"
    (moved,) = (vault / "adr").iterdir()
    generation = int(moved.stem)
    expected = {f"adr/{generation}.md": b"moved\n"}
    expected |= {f"plan/{number}.md": text(str(number), generation) for number in range(DOCUMENTS)}
    single = (vault / "single.md").read_bytes()
    found = {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    assert single in (text("single", generation), text("single", generation - 1)), "the single file is not whole"
    assert found == {**expected, "single.md": single}, "half changed"
    if single != text("single", generation):
        Disk().write(vault / "single.md", text("single", generation), expected=single)
    return generation


def run(vault: Path, rounds: int, longest: float, seed: int) -> dict[str, int]:
    """Raises AssertionError when a round failed."""
    chance = random.Random(seed)
    prepare(vault)
    generation = acknowledged = journals = litter = 0
    for _ in range(rounds):
        ends = os.pipe()
        process = os.fork()
        if not process:
            work(vault, generation, ends[1])
        os.close(ends[1])
        time.sleep(chance.uniform(0, longest))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        said = os.read(ends[0], 1 << 16)
        os.close(ends[0])
        journals += (vault / "data" / "change.json").exists()
        litter += any(path.name.startswith(TEMPORARY) for path in vault.rglob("*"))
        acknowledged += len(said) // 4
        last = int.from_bytes(said[-4:], "big") if said else generation
        generation = settle(vault)
        assert last <= generation <= last + 1, f"acknowledged {last}, found {generation}"
    return {
        "kills": rounds,
        "acknowledged_changes": acknowledged,
        "kills_within_a_change": journals,
        "kills_that_left_staged_files": litter,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=500)
    options.add_argument("--longest", type=float, default=0.3, help="seconds until the kill, at most")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder).resolve(), given.rounds, given.longest, given.seed)))


if __name__ == "__main__":
    main()
