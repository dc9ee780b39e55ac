"""Findings for other programs: annotations of a GitHub workflow, and SARIF 2.1.0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._version import __version__
from .finding import ERROR, INFO, WARNING, Code, Finding
from .probe import all_codes

_COMMANDS = {ERROR: "error", WARNING: "warning", INFO: "notice"}
_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def github(findings: Sequence[Finding]) -> str:
    """One workflow command a line. https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands"""
    return "".join(f"{_annotation(finding)}\n" for finding in findings)


def _annotation(finding: Finding) -> str:
    properties = {"title": finding.code.name}
    if finding.file is not None and not _is_outside(finding.file):
        properties["file"] = finding.file
        if finding.line is not None:
            properties["line"] = str(finding.line)
    said = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    message = finding.message + (f"\n{finding.command}" if finding.command else "")
    return f"::{_COMMANDS[finding.code.severity]} {said}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    """The text as a workflow command holds it."""
    return "".join(f"%{ord(char):02X}" if char in f"%\r\n{more}" else char for char in text)


def sarif(findings: Sequence[Finding]) -> str:
    """One document with one run; files of the workspace are relative to %SRCROOT%."""
    codes = all_codes()
    order = {code.name: index for index, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "vaultspec-core",
                "version": __version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the workspace."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, order[finding.code.name]) for finding in findings],
    }
    document = {"$schema": SARIF, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.meaning},
        "help": {"text": code.mend},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    text = finding.message + (f"\nMend it with: {finding.command}" if finding.command else "")
    result: dict[str, Any] = {
        "ruleId": finding.code.name,
        "ruleIndex": index,
        "level": _LEVELS[finding.code.severity],
        "message": {"text": text},
    }
    if finding.file is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(finding.file)}
        if finding.line is not None:
            place["region"] = {"startLine": finding.line}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _artifact(file: str) -> dict[str, str]:
    from urllib.parse import quote

    if _is_outside(file):
        return {"uri": Path(file).as_uri()}
    return {"uri": quote(file), "uriBaseId": "%SRCROOT%"}


def _is_outside(file: str) -> bool:
    return Path(file).is_absolute()
