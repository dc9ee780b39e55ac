"""Every verb that `invoke` may run is run, as its own example says, and gives a result of the promised shape."""

from __future__ import annotations

import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.requirements import requirement
from tests.server.gateway.conftest import Invoke, perform
from vaultspec_core.report import BUG, USAGE
from vaultspec_core.verb import Verb
from vaultspec_installer.parser import understand
from vaultspec_installer.table import all_verbs

AT_ONCE = 3
OTHERWISE = {"spec doctor", "vault edit"}
"""Verbs whose example cannot be said to `invoke`: another form of output than JSON, and an editor."""


def as_call(verb: Verb) -> dict[str, Any]:
    """The arguments of `invoke` that say what the verb's example says."""
    line = verb.example.rpartition(" | ")[2].partition(" > ")[0].partition(" < ")[0]
    _, options = understand(shlex.split(line)[1:])
    flags = {flag.key: options[flag.key] for flag in verb.flags if flag.name not in ("--editor", "--body-stdin")}
    operands = [options[operand.name] for operand in verb.operands]
    words = [
        word for value in operands if value is not None for word in (value if isinstance(value, list) else [value])
    ]
    return {"verb": verb.name, "arguments": flags, "positionals": words}


@requirement("GTW-1", "D-11")
def test_every_verb_gives_a_result_of_the_promised_shape(prepared: Path) -> None:
    verbs = [verb for verb in all_verbs() if verb.denied is None and not verb.hidden]

    def outcome(verb: Verb) -> tuple[str, dict[str, Any]]:
        return verb.name, perform(prepared, "invoke", as_call(verb))

    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = dict(pool.map(outcome, verbs))
    assert {name for name, result in results.items() if result["exit_code"] == USAGE} == OTHERWISE
    for verb in verbs:
        result = results[verb.name]
        said = f"{verb.name}: {result}"
        assert 0 <= result["exit_code"] != BUG, said
        assert result["ok"] == (result["exit_code"] == 0), said
        assert result["command"][:3] == ["vaultspec-core", "--target", str(prepared)], said
        if result["exit_code"] == USAGE or not verb.json:
            assert (result["format"], result["data"]) == ("text", None), said
        else:
            assert result["format"] == "json", said
            assert result["schema"].startswith("vaultspec."), said
            assert isinstance(result["data"], dict), said
            assert result["stdout"] is None, said


@requirement("GTW-1", "D-11")
def test_a_missing_operand_is_explained_by_the_verb(call: Invoke, workspace: Path) -> None:
    result = call("vault plan status")
    assert result["error"].pop("stderr").startswith("error: `vault plan status` needs PLAN")
    assert result == {
        "verb": "vault plan status",
        "ok": False,
        "exit_code": 2,
        "format": "text",
        "data": None,
        "stdout": None,
        "error": {"kind": "nonzero_exit", "exit_code": 2, "message": "verb exited with status 2"},
        "command": ["vaultspec-core", "--target", str(workspace), "vault", "plan", "status", "--json"],
    }


@requirement("GTW-1", "D-11")
def test_a_document_is_added_as_the_documentation_says(call: Invoke, prepared: Path) -> None:
    result = call("vault add", {"feature": "paging", "date": "2026-07-11"}, ["research"])
    words = ["vault", "add", "research", "--feature", "paging", "--date", "2026-07-11", "--json"]
    assert result["command"] == ["vaultspec-core", "--target", str(prepared), *words]
    assert result["data"]["path"] == ".vault/research/2026-07-11-paging-research.md"
    assert (result["ok"], result["status"], result["error"]) == (True, "created", None)
