"""What a person sees: aligned plain text in a pipe; on a terminal, tables that fit its width, tones and coloured diffs."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Sandbox
from tests.installer.demo.run import DIFF, LONG_PATH
from tests.requirements import requirement
from vaultspec_core.report import Diff, Line, Table
from vaultspec_installer.cli import World, run
from vaultspec_installer.progress import Progress
from vaultspec_installer.terminal import draw

TABLE = Table(("name", "provider", "where"), [("one", "first", LONG_PATH), ("two", "second", "")])


class Screen(io.StringIO):
    """A terminal, as far as a command can tell."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    return Screen()


PLAIN = f"""\
a plain line
a title line
a good line
a change line
a warn line
a bad line
a dim line
a hint line
an escape \\x1b[31m stays text
name  provider  where
one   first     {LONG_PATH}
two   second    short
{DIFF}To look closer, run vaultspec-core demo echo
"""


@requirement("CLI-4")
@pytest.mark.usefixtures("demo")
def test_a_pipe_gets_plain_text_and_nothing_is_cut(sandbox: object) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert run(["demo", "show"], World(os.environ, Path.cwd(), bytes, out, err, terminal=False)) == 0
    assert (out.getvalue(), err.getvalue()) == (PLAIN, "warning: mind the gap\n")


@requirement("CLI-4")
@pytest.mark.usefixtures("demo")
def test_each_stream_is_drawn_for_what_it_is(screen: Screen) -> None:
    out = io.StringIO()
    assert run(["demo", "show"], World(os.environ, Path.cwd(), bytes, out, screen, terminal=False)) == 0
    assert out.getvalue() == PLAIN
    assert screen.getvalue() == "\x1b[1mwarning:\x1b[0m mind the gap\n"


AT_80 = """\
name  provider  where
one   first     /home/somebody/projects/a-rather-long-folder-name/a-rather-long-
                folder-name/a-rather-long-folder-name/a-rather-long-folder-name/
                .mcp.json
two   second
"""

AT_120 = """\
name  provider  where
one   first     /home/somebody/projects/a-rather-long-folder-name/a-rather-long-folder-name/a-rather-long-folder-name/a-
                rather-long-folder-name/.mcp.json
two   second
"""

AT_40 = """\
name  provider  where
one   first     /home/somebody/projects/
                a-rather-long-folder-nam
                e/a-rather-long-folder-n
                ame/a-rather-long-folder
                -name/a-rather-long-fold
                er-name/.mcp.json
two   second
"""

AT_20 = f"""\
one
  provider: first
  where: {LONG_PATH}
two
  provider: second
"""

COUNTS = Table(
    ("client", "file", *"abcdefgh"),
    [("first", ".first/mcp.json", *["100"] * 8), ("second", ".second/mcp.json", *["7"] * 8)],
)
COUNTS_AT_40 = """\
first
  file: .first/mcp.json  a: 100  b: 100
  c: 100  d: 100  e: 100  f: 100  g: 100
  h: 100
second
  file: .second/mcp.json  a: 7  b: 7
  c: 7  d: 7  e: 7  f: 7  g: 7  h: 7
"""


@requirement("CLI-4")
@pytest.mark.parametrize(
    ("table", "columns", "expected"),
    [
        (TABLE, 80, AT_80),
        (TABLE, 120, AT_120),
        (TABLE, 40, AT_40),
        (TABLE, 20, AT_20),
        (COUNTS, 40, COUNTS_AT_40),
        (Table(("name",), []), 80, "name\n"),
    ],
)
def test_a_table_fits_the_terminal_and_loses_nothing(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, table: Table, columns: int, expected: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "dumb")
    drawn = draw(table, screen)
    assert "".join(f"{line.rstrip()}\n" for line in drawn.splitlines()) == expected


@requirement("CLI-4")
def test_tones_and_diffs_have_colours_unless_no_color_is_set(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = (Line("well done", "good"), Diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n"))
    bold = "\x1b[1m--- a/x\x1b[0m\n\x1b[1m+++ b/x\x1b[0m\n"
    plain = f"well done\n{bold}@@ -1 +1 @@\n-old\n+new\n same\n"
    assert "".join(draw(block, screen) for block in blocks) == plain
    monkeypatch.delenv("NO_COLOR")
    green, red, cyan = "\x1b[32m", "\x1b[31m", "\x1b[36m"
    assert "".join(draw(block, screen) for block in blocks) == (
        f"{green}well done\x1b[0m\n{bold}{cyan}@@ -1 +1 @@\x1b[0m\n{red}-old\x1b[0m\n{green}+new\x1b[0m\n same\n"
    )


@requirement("CLI-4")
def test_a_dumb_terminal_gets_no_escape(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    blocks = (Line("well done", "good"), Diff(DIFF), TABLE)
    assert "\x1b" not in "".join(draw(block, screen) for block in blocks)


@pytest.mark.parametrize("block", [Line("a\x1b[2Jb"), Table(("a",), [("a\x1b[2Jb",)]), Diff("+a\x1b[2Jb\n")])
def test_what_a_file_holds_never_steers_the_terminal(screen: Screen, block: Line | Table | Diff) -> None:
    assert "a\\x1b[2Jb" in draw(block, screen)


def test_a_long_line_is_left_whole_for_copying(screen: Screen) -> None:
    assert draw(Line(LONG_PATH), screen) == f"{LONG_PATH}\n"


@requirement("SYN-8")
def test_progress_is_drawn_on_a_terminal_only_and_cleared(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultspec_installer.progress.QUIET_SECONDS", 0)
    progress, pipe = Progress(screen, {"TERM": "xterm"}), io.StringIO()
    progress(1, 2, "reading")
    progress.clear()
    progress.clear()
    assert screen.getvalue() == "\r\x1b[K1/2 reading\r\x1b[K"
    for quiet in (Progress(pipe, {"TERM": "xterm"}), Progress(screen, {"TERM": "dumb"})):
        quiet(1, 2, "reading")
        quiet.clear()
    assert (pipe.getvalue(), screen.getvalue()) == ("", "\r\x1b[K1/2 reading\r\x1b[K")


@requirement("SYN-8", "CHK-1")
def test_a_check_tells_a_terminal_how_far_it_is_and_leaves_nothing_there(
    screen: Screen, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultspec_installer.progress.QUIET_SECONDS", -1)
    (sandbox.root / ".vaultspec").mkdir()
    shutil.copytree(ROOT / "fixtures" / "vaults" / "search", sandbox.root / ".vault")
    world = World({**sandbox.environ, "TERM": "xterm"}, sandbox.root, bytes, io.StringIO(), screen, terminal=False)
    assert run(["vault", "check", "all"], world) in (0, 1)
    drawn = screen.getvalue()
    assert drawn.startswith("\r\x1b[K")
    assert drawn.endswith("\r\x1b[K")
    assert "0/0" not in drawn
