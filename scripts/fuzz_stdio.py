"""Let the SDK judge what the loop says to clients that are broken, hostile or hasty.

    python scripts/fuzz_stdio.py --count 20000 --seed 7

Every dialogue goes through both engines, in this process; the first one that they do not answer alike is shown, as small as it can be made.
Lines that the loop rejects on purpose, where the SDK says nothing, are left out of the comparison (`engines.shared`).
"""

from __future__ import annotations

import argparse
import io
import sys
from contextlib import redirect_stderr
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / part / "src") for part in ("server", "installer", "providers"))]

from hypothesis import Phase, given, seed, settings  # noqa: E402

from tests.server.mcp import engines, toys  # noqa: E402
from tests.server.mcp.frames import DIALOGUES  # noqa: E402
from vaultspec_core.mcp_server.stdio import Unserved  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=2_000, help="dialogues to try")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same dialogues")
    options = parser.parse_args()

    @seed(options.seed)
    @settings(max_examples=options.count, deadline=None, database=None, phases=[Phase.generate, Phase.shrink])
    @given(DIALOGUES)
    def agree(lines: list[bytes]) -> None:
        with redirect_stderr(io.StringIO()):  # the toys' own faults
            try:
                ours = engines.through_loop(lines, toys.table())
            except Unserved:
                return
            theirs = engines.through_sdk(lines, toys.table())
        assert engines.meaning(engines.shared(lines, ours)) == engines.meaning(theirs), (lines, ours, theirs)

    agree()
    print(f"{options.count} dialogues were answered alike")


if __name__ == "__main__":
    main()
