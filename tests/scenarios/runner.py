"""Scenarios: command lines with what they print and the files they leave, in one readable text file each.

    # a comment; `# requirement: SYN-2 D-4` marks the file
    write PATH            the `| ` lines that follow are the file's text (~/PATH is in the home folder)
    remove PATH           delete a file
    edit PATH OLD => NEW  replace one text in a file (\\n in OLD and NEW is a newline)
    $ words               run the command line; it must exit 0
    $1 words              ... or with that code
    > line                all of its stdout, line by line (left out: not looked at)
    ! line                all of its stderr
    same                  no file has changed since before the last command, neither bytes nor mtime
    file PATH             the `| ` lines that follow are all that the file holds
    absent PATH           there is no such file
    git                   make the workspace a git repository

`{ROOT}` and `{HOME}` stand for the folders of the test.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import Sandbox, tree


class Scenario:
    """One file being played in a sandbox."""

    def __init__(self, path: Path, sandbox: Sandbox, cli: Callable[..., Any]) -> None:
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.sandbox = sandbox
        self.cli = cli
        self.number = 0
        self.before: dict[str, Any] = {}

    def play(self) -> None:
        while self.number < len(self.lines):
            line = self.lines[self.number]
            self.number += 1
            if line.strip() and not line.startswith("#"):
                word, _, rest = line.partition(" ")
                self.step(word, self.filled(rest))

    def step(self, word: str, rest: str) -> None:
        where = f"line {self.number}"
        match word:
            case "write":
                path = self.place(rest)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.block("|").encode())
            case "remove":
                self.place(rest).unlink()
            case "edit":
                name, _, change = rest.partition(" ")
                old, _, new = change.replace("\\n", "\n").partition(" => ")
                text = self.place(name).read_text(encoding="utf-8")
                assert old in text, f"{where}: {old!r} is not in {name}"
                self.place(name).write_text(text.replace(old, new, 1), encoding="utf-8")
            case "same":
                assert self.state() == self.before, where
            case "file":
                assert self.place(rest).read_bytes().decode() == self.block("|"), f"{where}: {rest}"
            case "absent":
                assert not self.place(rest).exists(), f"{where}: {rest} exists"
            case "git":
                subprocess.run(["git", "init", "-q", str(self.sandbox.root)], check=True)
            case _ if word.startswith("$"):
                self.run(word, rest, where)
            case _:
                raise AssertionError(f"{where}: what is {word!r}?")

    def run(self, word: str, rest: str, where: str) -> None:
        self.before = self.state()
        result = self.cli(*shlex.split(rest))
        said = f"{where}: $ {rest}\n{result.out}{result.err}"
        assert result.code == int(word[1:] or 0), said
        for mark, text in ((">", result.out), ("!", result.err)):
            if self.number < len(self.lines) and self.lines[self.number].startswith(mark):
                assert text == self.block(mark), said

    def block(self, mark: str) -> str:
        """The marked lines from here on as one text; every line ends in a newline."""
        out = []
        while self.number < len(self.lines) and self.lines[self.number].startswith(mark):
            out.append(self.filled(self.lines[self.number][1:].removeprefix(" ")) + "\n")
            self.number += 1
        return "".join(out)

    def filled(self, text: str) -> str:
        return text.replace("{ROOT}", str(self.sandbox.root)).replace("{HOME}", str(self.sandbox.home))

    def place(self, name: str) -> Path:
        return self.sandbox.home / name[2:] if name.startswith("~/") else self.sandbox.root / name

    def state(self) -> dict[str, Any]:
        return {"root": tree(self.sandbox.root), "home": tree(self.sandbox.home)}
