"""Completion, asked for in the real shells with the demo's verbs."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.requirements import requirement
from vaultspec_installer.completion.shape import places

Cli = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("demo")

DEMO = "ask echo fault here long needs old refuse show slow text wait"
CASES = [
    ("de", "demo"),
    ("demo ec", "echo"),
    ("demo ", DEMO),
    ("demo needs ", "red green"),
    ("demo needs r", "red"),
    ("demo echo --mode ", "tool dependency dev"),
    ("demo echo one --mode d", "dependency dev"),
    ("demo echo --name demo --fo", "--force"),
    ("demo echo --n", "--name --no-hints"),
    ("demo echo --name x --mode to", "tool"),
    ("demo text --", "--name --target --help"),
    ("-t demo demo refu", "refuse"),
    ("--target x de", "demo"),
    ("--ver", "--version"),
    ("completion ", "bash zsh fish powershell"),
    ("demo echo xyz", ""),
]
WITH_EQUALS = ("demo echo --mode=to", "tool")


@pytest.fixture
def script(cli: Cli, tmp_path: Path) -> Callable[[str], str]:
    def write(shell: str) -> str:
        result = cli("completion", shell)
        assert (result.code, result.err) == (0, "")
        path = tmp_path / f"script.{shell}"
        path.write_text(result.out, encoding="utf-8")
        return str(path)

    return write


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def said(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@requirement("CLI-2")
def test_bash_completes_words_options_and_values(script: Callable[[str], str]) -> None:
    lines = [f"source {script('bash')}"]
    for line, _ in [*CASES, ("demo echo --mode = to", ""), ("demo echo --mode =", "")]:
        words = ["vaultspec-core", *line.split(), *([""] if line.endswith(" ") else [])]
        lines.append(f"COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}")
        lines.append('_vaultspec_core; echo "${COMPREPLY[*]}"')
    expected = [words for _, words in CASES]
    assert said(shell("bash"), "--norc", "-c", "\n".join(lines)) == [*expected, "tool", "tool dependency dev"]


@requirement("CLI-2")
def test_bash_offers_files_where_no_value_is_known(script: Callable[[str], str]) -> None:
    lines = said(shell("bash"), "--norc", "-c", f"source {script('bash')}; complete -p vaultspec-core")
    assert lines == ["complete -o bashdefault -o default -F _vaultspec_core vaultspec-core"]


@requirement("CLI-2")
def test_zsh_completes_words_options_and_values(script: Callable[[str], str]) -> None:
    found = shell("zsh")
    lines = [
        "compdef() { }",
        '_describe() { echo "${(@)${(P)2}%%:*}" }',
        "_files() { echo }",
        "compset() { PREFIX=${PREFIX#*=} }",
        f"source {script('zsh')}",
        "try() { words=($@[1,-2] $@[-1]); CURRENT=$#; PREFIX=$@[-1]; _vaultspec_core }",
    ]
    for line, _ in [*CASES, WITH_EQUALS]:
        words = ["vaultspec-core", *line.split(), *([""] if line.endswith(" ") else [])]
        lines.append(f"try {shlex.join(words)}")
    offered = said(found, "-f", "-c", "\n".join(lines))
    for (line, expected), offer in zip([*CASES, WITH_EQUALS], offered, strict=True):
        start = "" if line.endswith(" ") else line.split()[-1].rpartition("=")[2]
        assert " ".join(word for word in offer.split() if word.startswith(start)) == expected, line


@requirement("CLI-2")
def test_fish_completes_words_options_and_values(script: Callable[[str], str]) -> None:
    found = shell("fish")
    path = script("fish")
    for line, expected in [*CASES, ("demo echo --mode=to", "--mode=tool")]:
        ask = f"function __fish_complete_path; end; source {path}; complete -C {shlex.quote(f'vaultspec-core {line}')}"
        offered = [row.partition("\t")[0] for row in said(found, "--no-config", "-c", ask)]
        assert sorted(offered) == sorted(expected.split()), line


@requirement("CLI-2")
def test_powershell_completes_words_options_and_values(script: Callable[[str], str]) -> None:
    found = shell("pwsh")
    for line, expected in CASES:
        text = f"vaultspec-core {line}"
        ask = f". {script('powershell')}; [System.Management.Automation.CommandCompletion]::CompleteInput('{text}', {len(text)}, $null).CompletionMatches.CompletionText"
        assert said(found, "-NoProfile", "-Command", ask) == expected.split(), line


@pytest.mark.parametrize("name", ["bash", "zsh", "fish", "powershell"])
def test_every_script_names_every_word_option_and_value(cli: Cli, name: str) -> None:
    text = cli("completion", name).out
    for place in places():
        known = [word for _, values in place.values for word in values]
        for word in [*(word for word, _ in (*place.words, *place.options)), *known]:
            assert word in text


def test_an_unknown_shell_is_wrong_usage(cli: Cli) -> None:
    refused = "error: SHELL is one of bash, zsh, fish, powershell, not `bsh`; did you mean `bash`?\n"
    assert cli("completion", "bsh") == Result(2, "", f"{refused}hint: vaultspec-core completion --help\n")
