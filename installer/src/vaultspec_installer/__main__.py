"""Where the command line starts: `--version` answers from here, anything else loads the rest."""

from __future__ import annotations

import gc
import os
import sys

from vaultspec_core.load import load

from ._version import __version__


def main() -> None:
    """The console script. Ends the process at once: there is nothing that the interpreter would have to tidy up."""
    gc.disable()  # a run ends before there are cycles worth looking for; looking takes one part in thirty of a short one
    try:
        if sys.argv[1:] == ["--version"]:
            os.write(1, f"vaultspec-core {__version__}\n".encode())
            code = 0
        else:
            code = load("vaultspec_installer.cli:main")(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    except OSError:
        code = 1
    os._exit(code)


if __name__ == "__main__":
    main()
