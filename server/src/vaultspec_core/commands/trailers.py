"""`vault plan trailer emit | validate`: the lines of a commit message that tie it to a step or feature."""

from __future__ import annotations

from pathlib import Path

from vaultspec_core.files import Disk
from vaultspec_core.plan.trailer import faults, feature_trailer, step_trailer
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call


def emit(call: Call) -> Report:
    """One trailer line, for a script to append."""
    step, feature = call["step"], call["feature"]
    if (step is None) == (feature is None):
        raise _usage("give one of --step and --feature")
    try:
        line = feature_trailer(feature) if step is None else step_trailer(step)
    except Refusal as refusal:
        raise _usage(refusal.message) from refusal
    return Report("ok", {"trailer": line}, text=f"{line}\n")


def validate(call: Call) -> Report:
    """What is malformed in a message file. It never blocks: as a `commit-msg` hook it only tells."""
    named = call["message_file"]
    try:
        data = Disk().read(Path(named).absolute())
    except Refusal as refusal:
        return _told([], f"{named} cannot be read: {refusal.message}")
    if data is None:
        return _told([], f"{named} does not exist")
    found = list(faults(data.decode("utf-8", "replace")))
    problems: list[dict[str, str | int]] = [fault._asdict() for fault in found]
    return _told(problems, None)


def _told(problems: list[dict[str, str | int]], unread: str | None) -> Report:
    body: list[Block] = [
        Line(f"line {one['line']}: {one['key']}: {one['value']}: {one['reason']}", "warn") for one in problems
    ]
    if not problems and unread is None:
        body.append(Line("no malformed trailer", "good"))
    data = {"problems": problems, "unread": unread}
    return Report("findings" if problems else "ok", data, body, [unread] if unread else [])


def _usage(message: str) -> Refusal:
    return Refusal("usage", message, "vaultspec-core vault plan trailer emit --help", exit_code=USAGE)
