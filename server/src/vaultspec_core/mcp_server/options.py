"""The command line of the server."""

from __future__ import annotations

import sys

from vaultspec_core.mcp_server.identity import NAME, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

ENGINES = ("stdio", "sdk")
USAGE = 2


class Options:
    """`parent_pid`: a process to watch besides the detected client."""

    __slots__ = ("engine", "parent_pid", "read_only")

    def __init__(self, read_only: bool = False, parent_pid: int | None = None, engine: str = "stdio") -> None:
        self.read_only = read_only
        self.parent_pid = parent_pid
        self.engine = engine


def parse(words: Sequence[str]) -> Options:
    """The options of a command line. Help, version and faults end the process: 0, 0, and 2 with one line on stderr."""
    if not words:
        return Options()
    import argparse

    def process_number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and 0 < int(text[:11]) < 1 << 31):
            raise argparse.ArgumentTypeError(f"{text!r} is no process number")
        return int(text)

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            print(f"{NAME}: {message} (hint: {NAME} --help)", file=sys.stderr)
            sys.exit(USAGE)

    parser = Parser(
        prog=NAME,
        description="Serve the vaultspec workspace of the current directory to an MCP client over stdin and stdout.",
        epilog="VAULTSPEC_TARGET_DIR names another workspace. VAULTSPEC_STDIO_WATCHDOG=0 turns the lifetime watchdog off.",
        allow_abbrev=False,
    )
    parser.add_argument("--read-only", action="store_true", help="offer only status, find, check and discover")
    parser.add_argument(
        "--parent-pid",
        type=process_number,
        metavar="PID",
        help="also end when this process does, whatever started the server",
    )
    parser.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help="the loop of its own, or the MCP SDK")
    parser.add_argument("--version", action="version", version=f"{NAME} {VERSION}")
    found = parser.parse_args(list(words))
    return Options(found.read_only, found.parent_pid, found.engine)
