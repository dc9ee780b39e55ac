"""`spec doctor` and `doctor`: ask every probe, and say what they found."""

from __future__ import annotations

from typing import Any

from vaultspec_core.load import load
from vaultspec_core.report import FINDINGS, USAGE, Block, Line, Refusal, Report
from vaultspec_core.verb import Call
from vaultspec_core.workspace import FRAMEWORK, TARGET_VARIABLE, VAULT, find_workspace

from ..finding import ERROR, INFO, WARNING, Finding, exit_code
from ..probe import NO_WORKSPACE, Patient, examine

TONES = {ERROR: "bad", WARNING: "warn", INFO: "dim"}


def spec_doctor(call: Call) -> Report:
    """Every finding. Exit 0, 1 with warnings, 2 with errors; `--gate-errors` lets warnings pass."""
    form = call["format"]
    if form != "text" and call["json"]:
        raise Refusal("usage", f"--json and --format {form} are two outputs; say one", exit_code=USAGE)
    _, findings = _examined(call)
    code = exit_code(findings)
    if call["gate_errors"] and code == FINDINGS:
        code = 0
    status = "failed" if code else "unchanged"
    data = _data(findings)
    if form != "text":
        text: str = load(f"vaultspec_installer.annotations:{form}")(findings)
        return Report(status, data, text=text, exit_code=code)
    return Report(status, data, _body(findings), exit_code=code)


def doctor(call: Call) -> Report:
    """The same beside the whole check of the vault, each with its own data."""
    patient, findings = _examined(call)
    code = exit_code(findings)
    body = _body(findings)
    vault: dict[str, Any] = {"checks": []}
    if patient is not None and (patient.root / VAULT).is_dir():
        options = {"feature": None, "fix": False, "limit": None, "no_hints": False, "verbose": False, **call.options}
        checked: Report = load("vaultspec_core.commands.checks:check_all")(
            Call(call.verb, options, patient.root, call.environ)
        )
        vault = checked.data
        body = [Line("workspace", "title"), *body, Line("vault", "title"), *checked.body]
        code = max(code, checked.exit_code)
    return Report("failed" if code else "unchanged", {"spec": _data(findings), "vault": vault}, body, exit_code=code)


def _examined(call: Call) -> tuple[Patient | None, list[Finding]]:
    """The workspace of the call and its findings; without a workspace that alone is the finding."""
    named = call["target"] or call.environ.get(TARGET_VARIABLE)
    environ = {name: value for name, value in call.environ.items() if name != TARGET_VARIABLE}
    try:
        root = find_workspace(str(call.target) if named else None, environ, call.target)
    except Refusal as refusal:
        return None, [NO_WORKSPACE.found(refusal.message, FRAMEWORK, refusal.hint)]
    patient = Patient(root, call.environ)
    return patient, examine(patient)


def _data(findings: list[Finding]) -> dict[str, Any]:
    counts = {
        f"{severity}s": sum(finding.code.severity == severity for finding in findings)
        for severity in (ERROR, WARNING, INFO)
    }
    return {**counts, "findings": [finding.data() for finding in findings]}


def _body(findings: list[Finding]) -> list[Block]:
    """The gravest first; each with the command that mends it below."""
    body: list[Block] = []
    for severity, tone in TONES.items():
        for finding in findings:
            if finding.code.severity == severity:
                body.append(Line(f"{severity:<7}  {finding.code.name}  {finding.message}", tone))
                if finding.command:
                    body.append(Line(f"         {finding.command}", "hint"))
    data = _data(findings)
    counts = ", ".join(
        f"{data[f'{severity}s']} {severity}{'' if data[f'{severity}s'] == 1 else 's'}" for severity in (ERROR, WARNING)
    )
    tone = "bad" if data["errors"] else "warn" if data["warnings"] else "good"
    return [*body, Line(counts, tone)]
