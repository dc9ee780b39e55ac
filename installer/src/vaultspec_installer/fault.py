"""A fault of ours: one sentence, and a report that a user can paste.

The report holds where the fault lies and what was asked for, but nothing of what the user has: no values of options, no messages of
exceptions, no paths outside our own code.
"""

from __future__ import annotations

import os
import platform
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from vaultspec_core.report import BUG, Refusal
from vaultspec_core.state import state_folder
from vaultspec_core.verb import Verb

from ._version import __version__


def report(error: BaseException, verb: Verb | None, words: Sequence[str], environ: Mapping[str, str]) -> Refusal:
    """Write the report into the state directory and give the sentence that names it."""
    kind = type(error).__name__
    try:
        path = _write("\n".join([*_lines(error, verb, words), ""]), environ)
    except (OSError, Refusal):
        return Refusal("internal", f"internal error: {kind}; the state directory takes no report of it", exit_code=BUG)
    return Refusal(
        "internal", f"internal error: {kind}; please report it with {path}", exit_code=BUG, data={"report": str(path)}
    )


def _write(text: str, environ: Mapping[str, str]) -> Path:
    folder = state_folder(environ) / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}.txt"
    path.write_text(text, encoding="utf-8")
    return path


def _lines(error: BaseException, verb: Verb | None, words: Sequence[str]) -> Iterator[str]:
    yield f"vaultspec-core {__version__}, Python {platform.python_version()}, {platform.system()}"
    if verb is not None:
        names = {flag.name for flag in verb.flags}
        yield " ".join(["command:", *verb.words, *sorted(names & {word.partition("=")[0] for word in words})])
    link: BaseException | None = error
    while link is not None:
        yield type(link).__name__
        yield from (f"  {_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in _frames(link))
        link = link.__cause__ or link.__context__


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return traceback.extract_tb(error.__traceback__, limit=-40)


def _place(filename: str) -> str:
    """The file without the folders of this machine."""
    return "/".join(Path(filename).parts[-3:])
