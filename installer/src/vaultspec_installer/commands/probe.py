"""`spec mcps probe`: start what clients would start, and ask it for its tools."""

from __future__ import annotations

from typing import Any

from vaultspec_core.files import Disk
from vaultspec_core.report import FINDINGS, OK, USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_providers.contract import Scope

from ..health import OWNED
from ..mcp_client import Failure, Greeting, greet
from ..survey import Item, TargetSurvey, survey


def probe(call: Call) -> Report:
    """Every entry of ours at the scope, or the one that is named; the same launch is started once. Exit 1 when one fails."""
    seconds, name = call["timeout"], call["server"]
    if seconds < 1:
        raise Refusal("usage", f"--timeout must be at least 1 second: {seconds}", exit_code=USAGE)
    scope = Scope(call["scope"])
    found = survey(call.target, call.environ, scope, call["provider"] or "all", Disk().read)
    entries = [
        (surveyed, item)
        for surveyed in found.targets
        for item in surveyed.items
        if item.verdict in OWNED and item.actual is not None and name in (None, item.name)
    ]
    if name is not None and not entries:
        more = "" if scope is Scope.PROJECT else f" --scope {scope.value}"
        raise Refusal(
            "not-enrolled",
            f"{name} is not enrolled at {scope.value} scope",
            f"vaultspec-core spec mcps status{more}",
        )
    answers: dict[tuple[Any, ...], Greeting | Failure] = {}
    rows: list[dict[str, Any]] = []
    body: list[Block] = []
    for number, (surveyed, item) in enumerate(entries):
        call.progress(number, len(entries), f"{surveyed.target.provider.name} {item.name}")
        answer = _answer(call, surveyed, item, seconds, answers)
        where = f"{surveyed.target.provider.name} {item.name}"
        rows.append({**_about(surveyed, item, call), **_data(answer)})
        body += _lines(where, answer)
    failed = any(row["outcome"] == "failed" for row in rows)
    return Report(
        "failed" if failed else "ok",
        {"items": rows, "scope": scope.value},
        body or [Line(f"Nothing is enrolled at {scope.value} scope.")],
        exit_code=FINDINGS if failed else OK,
    )


def _answer(
    call: Call, surveyed: TargetSurvey, item: Item, seconds: int, answers: dict[tuple[Any, ...], Greeting | Failure]
) -> Greeting | Failure:
    launch = item.actual_launch
    if launch is None:
        return Failure("the entry says more than a plain launch, so that it cannot be started as the client does")
    key = (launch.command, launch.args, *sorted(launch.env.items()))
    if key not in answers:
        answers[key] = greet(launch, call.target, call.environ, seconds)
    return answers[key]


def _about(surveyed: TargetSurvey, item: Item, call: Call) -> dict[str, Any]:
    target = surveyed.target
    return {"name": item.name, "provider": target.provider.name, "file": target.said(call.target)}


def _data(answer: Greeting | Failure) -> dict[str, Any]:
    match answer:
        case Greeting():
            return {"outcome": "ok", **answer._asdict()}
        case Failure(message, stderr):
            return {"outcome": "failed", "message": message, "stderr": list(stderr)}


def _lines(where: str, answer: Greeting | Failure) -> list[Block]:
    match answer:
        case Greeting(server, version, protocol, tools, seconds):
            said = f"{where}: {server} {version}, protocol {protocol}, {tools} tools, {seconds:.3f} s"
            return [Line(said, "good")]
        case Failure(message, stderr):
            return [Line(f"{where}: {message}", "bad"), *(Line(f"  {line}", "dim") for line in stderr)]
