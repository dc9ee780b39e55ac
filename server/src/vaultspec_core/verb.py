"""The declarative verb table: what the parser, help, completion, `discover` and the reference page are made from.

A file in a `verbs/` folder exports `VERBS`; it imports nothing but this module. The file is called after the words that its
verbs share (`spec_mcps.py` holds `spec mcps status`, `spec mcps sync`, ...), which is how one verb is found without
loading the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Flag(NamedTuple):
    """A long option. `value` is the word shown for its value; None for a switch. `many`: may be repeated, gives a list.

    A switch with `negatable` also has `--no-NAME` and is None when not given. `path`: the value is a file, or may name a
    document by its path; such values stay inside the workspace when `invoke` passes them.
    """

    name: str
    help: str
    value: str | None = None
    many: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    negatable: bool = False
    number: bool = False
    short: str | None = None
    path: bool = False

    @property
    def key(self) -> str:
        return self.name.lstrip("-").replace("-", "_")


class Operand(NamedTuple):
    """A positional operand; `variadic` takes the rest as a list. `path`: as with a flag."""

    name: str
    help: str
    required: bool = True
    variadic: bool = False
    choices: tuple[str, ...] = ()
    path: bool = False


class Verb(NamedTuple):
    """One command.

    `run`: `module:function` taking a Call and giving a Report. `example`: one command line, shown in help.
    `denied`: why the gateway never runs it; None when `invoke` may. `json`: has `--json`. `workspace`: needs one
    (`--target` is then resolved to it). `schema`: of the JSON document; by default made from the words. `exits`: exit codes whose
    meaning is this verb's own.
    """

    words: tuple[str, ...]
    summary: str
    run: str
    example: str
    operands: tuple[Operand, ...] = ()
    flags: tuple[Flag, ...] = ()
    json: bool = True
    workspace: bool = True
    denied: str | None = None
    deprecated: str | None = None
    hidden: bool = False
    schema: str | None = None
    exits: tuple[tuple[int, str], ...] = ()

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def document(self) -> str:
        return self.schema or f"vaultspec.{'.'.join(self.words)}.v1"


class Call:
    """A verb as it was called. `options`: flags by key and operands by name. `target`: the workspace root (for a verb that needs
    none, the folder that it acts on). `terminal`: a person is there; `ask` puts a yes-or-no question, False where nobody is.
    `progress(done, total, message)` tells a waiting person how far a long run is."""

    __slots__ = ("ask", "environ", "options", "progress", "stdin", "target", "terminal", "verb")

    def __init__(
        self,
        verb: Verb,
        options: Mapping[str, Any],
        target: Path,
        environ: Mapping[str, str],
        terminal: bool = False,
        stdin: Callable[[], bytes] = lambda: b"",
        ask: Callable[[str], bool] = lambda question: False,
        progress: Callable[[int, int, str], None] = lambda done, total, message: None,
    ) -> None:
        self.verb = verb
        self.options = options
        self.target = target
        self.environ = environ
        self.terminal = terminal
        self.stdin = stdin
        self.ask = ask
        self.progress = progress

    def __getitem__(self, key: str) -> Any:
        return self.options[key]

    @property
    def dry_run(self) -> bool:
        return bool(self.options.get("dry_run"))


DRY_RUN = Flag("--dry-run", "Show what would change and write nothing.")
DIFF = Flag("--diff", "Show a unified diff of each file.")
FORCE = Flag("--force", "Also overwrite what was edited by hand or written by somebody else.")
