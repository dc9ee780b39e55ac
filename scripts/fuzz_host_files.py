"""Try the edits of host files on many random documents and damaged files: `fuzz_host_files.py --kind json --count 10000`.

Each round has a seed of its own; a failure prints it, and `--seed N --count 1` runs that round again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "providers" / "src")]

from tests.properties import json_laws, toml_laws  # noqa: E402


def json_round(random: Random) -> None:
    """One document under every law, and three damaged copies of it."""
    sample = json_laws.document(random)
    json_laws.edits_hold_for(sample)
    for _ in range(3):
        json_laws.survives(sample.container, json_laws.mutated(random, sample.data))


def toml_round(random: Random) -> None:
    """One document under every law, and three damaged copies of it."""
    sample = toml_laws.document(random)
    toml_laws.edits_hold_for(sample)
    for _ in range(3):
        toml_laws.survives(toml_laws.mutated(random, sample.data), sample.owned)


ROUNDS: dict[str, Callable[[Random], None]] = {"json": json_round, "toml": toml_round}
"""What one round does for each kind of host file."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=[*ROUNDS, "all"], default="all")
    parser.add_argument("--count", type=int, default=10_000, help="rounds of each kind")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round")
    options = parser.parse_args()
    failures = 0
    for kind in ROUNDS if options.kind == "all" else [options.kind]:
        started = time.perf_counter()
        for seed in range(options.seed, options.seed + options.count):
            try:
                ROUNDS[kind](Random(seed))
            except Exception:  # noqa: BLE001 - whatever comes out of a round is the finding
                failures += 1
                print(f"{kind}: seed {seed} fails\n{traceback.format_exc()}")
                if failures == 5:
                    return 1
        print(f"{kind}: {options.count} rounds in {time.perf_counter() - started:.0f} s, {failures} failures")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
