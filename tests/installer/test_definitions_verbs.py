"""`spec mcps list`, `add` and `remove`, at the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result, Sandbox, tree
from tests.requirements import requirement
from vaultspec_installer.cli import World, run

Cli = Callable[..., Result]
HELP = "vaultspec-core spec mcps add --help"
SYNC = "Clients learn of it by: vaultspec-core spec mcps sync\n"
DEMO = """{
  "command": "uvx",
  "args": [
    "demo-mcp",
    "-m"
  ],
  "env": {
    "REGION": "eu=west"
  }
}
"""
FLAGS = ("--command", "uvx", "--arg", "demo-mcp", "--arg", "-m", "--env", "REGION=eu=west")


@pytest.fixture
def mcps(sandbox: Sandbox) -> Path:
    """The folder of definitions of a workspace that holds nothing else."""
    folder = sandbox.root / ".vaultspec" / "mcps"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def spec(cli: Cli) -> Cli:
    return lambda *words, **options: cli("spec", "mcps", *words, **options)


def document(schema: str, status: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"schema": schema, "status": status, "data": data}


def error(code: str, message: str, hint: str, **data: Any) -> dict[str, Any]:
    said = {**data, "code": code, "message": message, "hint": hint}
    return document("vaultspec.error.v1", "failed", said)


@requirement("DEF-5", "SYN-8")
def test_list_of_nothing(mcps: Path, spec: Cli) -> None:
    assert spec("list") == Result(0, "No definitions.\n", "")
    assert spec("list", "--json").json == document(
        "vaultspec.spec.mcps.list.v1", "unchanged", {"items": [], "invalid": []}
    )


@requirement("DEF-5", "DEF-1", "DEF-3")
def test_list_tells_sources_and_every_fault(mcps: Path, spec: Cli, sandbox: Sandbox) -> None:
    for name in ("a.builtin", "b", "c.builtin", "c"):
        (mcps / f"{name}.json").write_text(DEMO)
    (mcps / "bad.json").write_text('{"command": "", "url": 1}')
    before = tree(sandbox.root)
    faults = [
        {
            "pointer": "/command",
            "line": 1,
            "found": "an empty string",
            "allowed": "a string that names a program",
            "message": ".vaultspec/mcps/bad.json:1: /command is an empty string; allowed: a string that names a program",
        },
        {
            "pointer": "/url",
            "line": 1,
            "found": "no field of a definition",
            "allowed": "command, args, env",
            "message": ".vaultspec/mcps/bad.json:1: /url is no field of a definition; allowed: command, args, env",
        },
    ]
    assert spec("list", "--json").json == document(
        "vaultspec.spec.mcps.list.v1",
        "unchanged",
        {
            "items": [
                {"name": "a", "source": "Built-in"},
                {"name": "b", "source": "Custom"},
                {"name": "c", "source": "Custom (shadows Built-in)"},
            ],
            "invalid": [{"name": "bad", "source": "Custom", "path": ".vaultspec/mcps/bad.json", "faults": faults}],
        },
    )
    assert spec("list") == Result(
        0,
        "name  source                     state\n"
        "a     Built-in                   ok\n"
        "b     Custom                     ok\n"
        "bad   Custom                     invalid\n"
        "c     Custom (shadows Built-in)  ok\n",
        "".join(f"warning: {fault['message']}\n" for fault in faults),
    )
    assert tree(sandbox.root) == before


@requirement("DEF-5", "D-11")
def test_add_writes_the_definition_and_nothing_else(mcps: Path, spec: Cli, sandbox: Sandbox) -> None:
    (sandbox.root / ".mcp.json").write_text("{}")
    before = tree(sandbox.root)
    assert spec("add", "demo", *FLAGS) == Result(0, f".vaultspec/mcps/demo.json created\n{SYNC}", "")
    after = tree(sandbox.root)
    assert after.pop(".vaultspec/mcps/demo.json")[0] == DEMO.encode()
    assert after == before


@requirement("DEF-5")
@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("demo", *FLAGS), b""),
        (("--name", "demo", *FLAGS), b""),
        (("demo", "--name", "demo", "--config", json.dumps(json.loads(DEMO))), b""),
        (("demo", "--from-json", DEMO), b""),
        (("demo", "--from-json", "@demo.txt"), b""),
        (("demo", "--from-json", "-"), b"\xef\xbb\xbf" + DEMO.encode()),
    ],
    ids=["flags", "name as a flag", "config", "text", "file", "stdin"],
)
def test_every_way_to_say_a_definition_writes_the_same_bytes(
    mcps: Path, spec: Cli, sandbox: Sandbox, words: tuple[str, ...], stdin: bytes
) -> None:
    (sandbox.root / "demo.txt").write_text(DEMO)
    result = spec("add", *words, "--json", stdin=stdin)
    assert result.json == {
        **document(
            "vaultspec.spec.mcps.add.v1",
            "created",
            {"path": ".vaultspec/mcps/demo.json", "name": "demo", "warnings": [], "dry_run": False},
        ),
        "hints": {"text": "Clients learn of it by:", "command": "vaultspec-core spec mcps sync"},
    }
    assert (mcps / "demo.json").read_text() == DEMO


@requirement("DEF-5", "NAT-4")
def test_any_string_comes_through_as_it_is(mcps: Path, spec: Cli) -> None:
    texts = ["", " ", "ä😀", "\u2028", "a\tb\nc\x01\x7f", '"\\', "C:\\x", "--flag", "--", "@@", "'"]
    words = [word for text in texts for word in (("--arg", text) if text != "--" else ("--arg=--",))]
    assert spec("add", "demo", "--command", "x", *words, "--env", "ä=\n").code == 0
    assert json.loads((mcps / "demo.json").read_text()) == {"command": "x", "args": texts, "env": {"ä": "\n"}}


@requirement("DEF-5")
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_adding_what_stands_there_changes_no_byte(
    mcps: Path, spec: Cli, sandbox: Sandbox, force: tuple[str, ...]
) -> None:
    (mcps / "demo.json").write_text(json.dumps(json.loads(DEMO)))
    before = tree(sandbox.root)
    assert spec("add", "demo", *FLAGS, *force) == Result(0, ".vaultspec/mcps/demo.json unchanged\n", "")
    assert tree(sandbox.root) == before


@requirement("DEF-5")
def test_a_definition_that_says_something_else_is_overwritten_by_force_alone(mcps: Path, spec: Cli) -> None:
    (mcps / "demo.json").write_text("{")
    assert spec("add", "demo", *FLAGS, "--json").json == error(
        "definition-exists",
        "a definition demo exists and says something else",
        "Run the command again with --force to overwrite it.",
    )
    assert (mcps / "demo.json").read_text() == "{"
    assert spec("add", "demo", *FLAGS, "--force", "--json").json["status"] == "updated"
    assert (mcps / "demo.json").read_text() == DEMO


@requirement("DEF-1", "DEF-5")
def test_adding_beside_a_bundled_definition_shadows_it(mcps: Path, spec: Cli) -> None:
    (mcps / "demo.builtin.json").write_text("{}")
    assert spec("add", "demo", *FLAGS, "--json").json["status"] == "created"
    assert spec("list", "--json").data["items"] == [{"name": "demo", "source": "Custom (shadows Built-in)"}]
    assert (mcps / "demo.builtin.json").read_text() == "{}"


INVALID = {
    "empty command": (
        ("--command", ""),
        "demo.json:2: /command is an empty string; allowed: a string that names a program",
    ),
    "a token": (
        ("--command", "x", "--arg", "@@A@@"),
        "demo.json:4: /args/0 is text with the token @@A@@; allowed: text without a @@...@@ token",
    ),
    "half a template": (
        ("--config", '{"command": "@@VAULTSPEC_INSTALL_MODE_COMMAND@@"}'),
        '--config:1: /args is missing; allowed: ["@@VAULTSPEC_INSTALL_MODE_ARGS@@"], '
        "because the command is the install mode's",
    ),
    "a lone surrogate": (
        ("--config", '{"command": "x", "args": ["\\ud800"]}'),
        "--config:1: /args/0 is text with a lone surrogate; allowed: text without a lone surrogate",
    ),
    "several faults": (
        ("--from-json", '{"command": 1,\n"url": "x"}'),
        "--from-json:1: /command is a number; allowed: a string that names a program; "
        "--from-json:2: /url is no field of a definition; allowed: command, args, env",
    ),
    "null": (("--config", "null"), "--config:1: the file is null; allowed: one JSON object in UTF-8"),
    "nothing": (
        ("--config", ""),
        "--config:1: the file is not JSON: Expecting value at column 1; allowed: one JSON object in UTF-8",
    ),
    "a doubled key": (
        ("--config", '{"command": "x", "command": "y"}'),
        "--config:1: /command is a key that stands twice; allowed: each key once",
    ),
    "too large": (
        ("--command", "x" * 140_000),
        "demo.json: the file is 140019 bytes long; allowed: at most 131072 bytes",
    ),
    "too large once written": (
        ("--config", '{"command": "' + "ä" * 30_000 + '"}'),
        ".vaultspec/mcps/demo.json: the file is 180020 bytes long; allowed: at most 131072 bytes",
    ),
    "a file": (
        ("--from-json", "@in.json"),
        "in.json:2: /args is a string; allowed: an array of strings",
    ),
}


@requirement("DEF-4", "DEF-3")
@pytest.mark.parametrize(("words", "message"), INVALID.values(), ids=INVALID)
def test_an_invalid_definition_is_refused_before_anything_is_written(
    mcps: Path, spec: Cli, sandbox: Sandbox, words: tuple[str, ...], message: str
) -> None:
    (sandbox.root / "in.json").write_text('{"command": "x",\n"args": "y"}')
    before = tree(sandbox.root)
    result = spec("add", "demo", *words, "--force", "--json")
    assert (result.code, result.err) == (1, "")
    data = result.data
    assert (data["code"], data["message"]) == ("invalid-definition", message)
    assert data["hint"] == "vaultspec-core spec reference schema definition"
    assert "; ".join(fault["message"] for fault in data["faults"]) == message
    assert tree(sandbox.root) == before


@requirement("DEF-4")
@pytest.mark.parametrize("name", ["", ".a", "a b", "../a", "a/b", "NUL", "x" * 65, "a\n", "a.json", "a.builtin"])
def test_a_name_outside_the_grammar_is_refused(mcps: Path, spec: Cli, sandbox: Sandbox, name: str) -> None:
    before = tree(sandbox.root)
    result = spec("add", "--name", name, *FLAGS, "--json")
    assert (result.code, result.data["code"], tree(sandbox.root)) == (1, "bad-name", before)


@requirement("DEF-4")
def test_a_name_that_exists_in_another_case_is_refused(mcps: Path, spec: Cli) -> None:
    (mcps / "Demo.json").write_text("{")
    assert spec("add", "demo", *FLAGS, "--json").json == error(
        "name-collision",
        "a definition Demo exists, which differs from demo only in the case of letters",
        "vaultspec-core spec mcps remove Demo --force",
    )


USAGE = {
    "no name": (FLAGS, "say the name of the server"),
    "two names": (("a", "--name", "b", *FLAGS), "say the name of the server once"),
    "no definition": (("a",), "say the definition by one of --command, --config and --from-json"),
    "two definitions": (
        ("a", "--command", "x", "--config", "{}"),
        "say the definition by one of --command, --config and --from-json",
    ),
    "arguments beside JSON": (
        ("a", "--config", "{}", "--arg", "x"),
        "--arg and --env belong to --command, not to --config",
    ),
    "a variable without a value": (("a", "--command", "x", "--env", "A"), "--env takes NAME=VALUE"),
    "a variable without a name": (("a", "--command", "x", "--env", "=A"), "--env takes NAME=VALUE"),
    "a variable twice": (("a", "--command", "x", "--env", "A=1", "--env", "A=1"), "--env names A twice"),
}


@requirement("DEF-5", "SYN-8")
@pytest.mark.parametrize(("words", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_one_document_and_one_line(mcps: Path, spec: Cli, words: tuple[str, ...], message: str) -> None:
    result = spec("add", *words, "--json")
    assert (result.code, result.err) == (2, f"error: {message}\n")
    assert result.json == error("usage", message, HELP)


@requirement("DEF-5")
def test_a_file_that_is_not_there_is_refused(mcps: Path, spec: Cli) -> None:
    assert spec("add", "a", "--from-json", "@nowhere.json") == Result(
        1, "", "error: there is no file nowhere.json\nhint: Name an existing file after @.\n"
    )


SECRET = ("--command", "x", "--arg", "--url=https://h/?api_key=abcd1234", "--env", "API_KEY=sk-live-0123456789abcdef")
WARNED = [
    "/args/0 looks like a literal secret; write it as ${NAME} and keep the value out",
    "/env/API_KEY looks like a literal secret; write it as ${NAME} and keep the value out",
]


@requirement("DEF-6")
def test_a_literal_secret_is_a_warning_that_names_the_field_and_shows_no_value(mcps: Path, spec: Cli) -> None:
    result = spec("add", "demo", *SECRET, "--diff")
    assert result == Result(
        0,
        ".vaultspec/mcps/demo.json created\n"
        "--- /dev/null\n"
        "+++ b/.vaultspec/mcps/demo.json\n"
        "@@ -0,0 +1,9 @@\n"
        "+{\n"
        '+  "command": "x",\n'
        '+  "args": [\n'
        '+    "--url=https://h/?api_key=***"\n'
        "+  ],\n"
        '+  "env": {\n'
        '+    "API_KEY": "***"\n'
        "+  }\n"
        f"+}}\n{SYNC}",
        "".join(f"warning: {line}\n" for line in WARNED),
    )
    again = spec("add", "demo", *SECRET, "--json")
    assert (again.json["status"], again.data["warnings"]) == ("unchanged", WARNED)


@requirement("DEF-6", "D-7")
def test_strict_secrets_makes_it_a_refusal(mcps: Path, spec: Cli) -> None:
    result = spec("add", "demo", *SECRET, "--strict-secrets", "--json")
    assert result.json == error(
        "literal-secret", WARNED[0], "Or add it without --strict-secrets.", fields=["/args/0", "/env/API_KEY"]
    )
    assert list(mcps.iterdir()) == []


@requirement("DEF-6")
def test_a_reference_is_no_secret_even_when_strict(mcps: Path, spec: Cli) -> None:
    words = ("--command", "x", "--arg", "--token", "--arg", "${TOKEN}", "--env", "API_KEY=${API_KEY}")
    assert spec("add", "demo", *words, "--strict-secrets").code == 0


@requirement("D-7")
def test_a_dry_run_says_and_shows_and_writes_nothing(mcps: Path, spec: Cli, sandbox: Sandbox) -> None:
    (mcps / "demo.json").write_text(DEMO)
    before = tree(sandbox.root)
    added = spec("add", "demo", "--command", "y", "--force", "--dry-run", "--diff")
    assert added.out.splitlines()[:4] == [
        ".vaultspec/mcps/demo.json would be updated",
        "--- a/.vaultspec/mcps/demo.json",
        "+++ b/.vaultspec/mcps/demo.json",
        "@@ -1,10 +1,3 @@",
    ]
    removed = spec("remove", "demo", "--dry-run", "--json")
    assert removed.json == document(
        "vaultspec.spec.mcps.remove.v1",
        "removed",
        {"path": ".vaultspec/mcps/demo.json", "removed": "demo", "dry_run": True},
    )
    assert tree(sandbox.root) == before


@requirement("DEF-5")
def test_remove_takes_your_own_first_and_then_the_bundled_one(mcps: Path, spec: Cli, sandbox: Sandbox) -> None:
    (sandbox.root / ".mcp.json").write_text('{"mcpServers": {"demo": {"command": "x"}}}')
    (mcps / "demo.json").write_text("{")
    (mcps / "demo.builtin.json").write_text(DEMO)
    host = tree(sandbox.root)[".mcp.json"]
    for name in ("demo.json", "demo.builtin.json"):
        assert spec("remove", "demo", "--force", "--json").json == {
            **document(
                "vaultspec.spec.mcps.remove.v1",
                "removed",
                {"path": f".vaultspec/mcps/{name}", "removed": "demo", "dry_run": False},
            ),
            "hints": {"text": "Clients learn of it by:", "command": "vaultspec-core spec mcps sync"},
        }
    assert tree(sandbox.root) == {".mcp.json": host}


@requirement("DEF-5")
@pytest.mark.parametrize("name", ["nope", "../workspace", "", "demo.builtin", "DEMO"])
def test_removing_what_is_not_there_is_refused(mcps: Path, spec: Cli, sandbox: Sandbox, name: str) -> None:
    (mcps / "demo.json").write_text(DEMO)
    (mcps.parent / "workspace.json").write_text("{}")
    before = tree(sandbox.root)
    assert spec("remove", "--force", "--json", "--", name).json == error(
        "no-definition", f"there is no definition {json.dumps(name)}", "vaultspec-core spec mcps list"
    )
    assert tree(sandbox.root) == before


@requirement("DEF-5", "SYN-8")
def test_where_nobody_can_be_asked_removing_needs_force(mcps: Path, spec: Cli) -> None:
    (mcps / "demo.json").write_text(DEMO)
    said = ("nobody is there to confirm that demo is to be deleted", "vaultspec-core spec mcps remove demo --force")
    assert spec("remove", "demo", "--json").json == error("unconfirmed", *said)
    assert spec("remove", "demo") == Result(1, "", f"error: {said[0]}\nhint: {said[1]}\n")
    assert (mcps / "demo.json").exists()


@requirement("DEF-5")
@pytest.mark.parametrize(
    ("answer", "left"), [("y\n", False), ("Yes\n", False), ("n\n", True), ("\n", True), ("", True)]
)
def test_at_a_terminal_removing_asks(
    mcps: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, answer: str, left: bool
) -> None:
    (mcps / "demo.json").write_text(DEMO)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    out, err = io.StringIO(), io.StringIO()
    world = World(sandbox.environ, sandbox.root, lambda: b"", out, err, terminal=True)
    assert run(["spec", "mcps", "remove", "demo"], world) == 0
    assert err.getvalue() == "Delete the definition demo? [y/N] "
    said = "Nothing was deleted.\n" if left else f".vaultspec/mcps/demo.json removed\n{SYNC}"
    assert (out.getvalue(), (mcps / "demo.json").exists()) == (said, left)


@requirement("DEF-5", "SYN-8")
def test_at_a_terminal_with_json_nothing_is_asked(mcps: Path, sandbox: Sandbox) -> None:
    (mcps / "demo.json").write_text(DEMO)
    out, err = io.StringIO(), io.StringIO()
    world = World(sandbox.environ, sandbox.root, lambda: b"", out, err, terminal=True)
    assert run(["spec", "mcps", "remove", "demo", "--json"], world) == 1
    assert (json.loads(out.getvalue())["data"]["code"], err.getvalue()) == ("unconfirmed", "")


@requirement("DEF-5")
def test_a_link_that_leaves_the_workspace_is_not_written_through(mcps: Path, spec: Cli, sandbox: Sandbox) -> None:
    outside = sandbox.home.parent / "outside.json"
    outside.write_text("{}")
    (mcps / "demo.json").symlink_to(outside)
    assert spec("add", "demo", *FLAGS, "--force", "--json").data["code"] == "link-outside"
    assert spec("remove", "demo", "--force", "--json").data["code"] == "link-outside"
    assert outside.read_text() == "{}"


@requirement("INS-6")
def test_nothing_but_the_definition_is_left_behind(mcps: Path, spec: Cli) -> None:
    spec("add", "demo", *FLAGS)
    spec("add", "demo", "--command", "y", "--force")
    assert [path.name for path in mcps.parent.rglob("*")] == ["mcps", "demo.json"]
