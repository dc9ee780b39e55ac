"""`spec reference verbs` and `generate`: the verb table for programs, and the marked sections of the documentation."""

from __future__ import annotations

from typing import Any

from vaultspec_core.report import Report, Table
from vaultspec_core.verb import Call, Flag, Verb
from vaultspec_installer.table import all_verbs


def verbs(call: Call) -> Report:
    """The catalogue of verbs: what each takes, whether it speaks JSON, and why the gateway does not run it (null when it does)."""
    table = [verb for verb in all_verbs() if not verb.hidden]
    rows = [(verb.name, verb.summary) for verb in table]
    return Report("ok", {"verbs": [_entry(verb) for verb in table]}, [Table(("verb", "what it does"), rows)])


def _entry(verb: Verb) -> dict[str, Any]:
    return {
        "verb": verb.name,
        "description": verb.summary,
        "supports_json": verb.json,
        "denied": verb.denied,
        "deprecated": verb.deprecated,
        "flags": [_flag(flag) for flag in sorted(verb.flags)],
        "arguments": [
            {
                "name": operand.name,
                "required": operand.required,
                "variadic": operand.variadic,
                "help": operand.help,
                "choices": list(operand.choices),
            }
            for operand in verb.operands
        ],
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {
        "name": flag.name,
        "takes_value": flag.value is not None,
        "help": flag.help,
        "repeatable": flag.many,
        "negatable": flag.negatable,
        "number": flag.number,
        "choices": list(flag.choices),
    }
