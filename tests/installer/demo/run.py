"""What the demo verbs do."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from vaultspec_core.report import Diff, Line, Refusal, Report, Table
from vaultspec_core.verb import Call

LONG_PATH = "/home/somebody/projects/" + "a-rather-long-folder-name/" * 4 + ".mcp.json"
DIFF = """--- a/.mcp.json
+++ b/.mcp.json
@@ -1,2 +1,2 @@
-old
+new
 same
"""


def echo(call: Call) -> Report:
    """Options as they were understood."""
    options = {key: value for key, value in call.options.items() if key not in ("target", "json", "help")}
    return Report("ok", options, [Line(repr(options))])


def text(call: Call) -> Report:
    """A document that is printed as it is."""
    return Report("ok", {}, text=f"name: {call['name']}\n")


def show(call: Call) -> Report:
    """Every kind of block, a warning and a hint."""
    tones = ("plain", "title", "good", "change", "warn", "bad", "dim", "hint")
    return Report(
        "ok",
        {},
        [
            *(Line(f"a {tone} line", tone) for tone in tones),
            Line("an escape \x1b[31m stays text"),
            Table(("name", "provider", "where"), [("one", "first", LONG_PATH), ("two", "second", "short")]),
            Diff(DIFF),
        ],
        warnings=["mind the gap"],
        hint=("To look closer, run", "vaultspec-core demo echo"),
    )


def refuse(call: Call) -> Report:
    """A refusal with all that one can have."""
    raise Refusal("not-today", "nothing\nis done today", "vaultspec-core demo echo", data={"day": "today"})


def fault(call: Call) -> Report:
    """A fault whose message holds what nobody should see."""
    try:
        raise KeyError("hunter2")
    except KeyError as error:
        raise ValueError(f"no such {call['name']}") from error


def wait(call: Call) -> Report:
    """Wait for a signal; the file says when it can come."""
    Path(call["file"]).write_text("ready", encoding="utf-8")
    while True:
        signal.pause()


def long(call: Call) -> Report:
    """More than any pipe holds."""
    return Report("ok", {"lines": ["x" * 100] * 20_000}, [Line("x" * 100)] * 20_000)


def slow(call: Call) -> Report:
    """Progress, for somebody who looks at a terminal."""
    for done in range(30):
        call.progress(done, 30, "thinking")
        time.sleep(0.1)
    return Report("ok", {}, [Line("done", "good")])


def ask(call: Call) -> Report:
    """One question."""
    answer = call.ask("Go on?")
    return Report("ok", {"answer": answer}, [Line(f"answer: {answer}")])


def here(call: Call) -> Report:
    """The workspace that was found."""
    return Report("ok", {"target": str(call.target)})
