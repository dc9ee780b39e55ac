"""One command line, one outcome: exit codes, the one JSON document, and what real processes do when they are stopped or not heard."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Result, Sandbox
from tests.requirements import requirement
from vaultspec_installer import __version__

Cli = Callable[..., Result]
DEMO = [sys.executable, "-m", "tests.installer.demo"]


@pytest.fixture
def environ(sandbox: Sandbox) -> dict[str, str]:
    """The sandbox for a process that must find the demo verbs."""
    return {**sandbox.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), sandbox.environ["PYTHONPATH"]])}


def error_document(code: str, message: str, **data: Any) -> dict[str, Any]:
    return {
        "schema": "vaultspec.error.v1",
        "status": "failed",
        "data": {**data, "code": code, "message": message},
    }


@requirement("SYN-8", "D-11")
@pytest.mark.usefixtures("demo")
class TestOutcomes:
    def test_a_report_is_text_without_json(self, cli: Cli) -> None:
        assert cli("demo", "text", "--name", "x") == Result(0, "name: x\n", "")

    def test_a_report_is_one_envelope_with_json(self, cli: Cli) -> None:
        result = cli("demo", "show", "--json")
        assert (result.code, result.err) == (0, "")
        assert result.json == {
            "schema": "vaultspec.demo.show.v1",
            "status": "ok",
            "data": {},
            "hints": {"text": "To look closer, run", "command": "vaultspec-core demo echo"},
        }

    def test_a_refusal_is_two_lines_on_stderr_without_json(self, cli: Cli) -> None:
        refused = "error: nothing\\x0ais done today\nhint: vaultspec-core demo echo\n"
        assert cli("demo", "refuse") == Result(1, "", refused)

    def test_a_refusal_is_one_document_with_json(self, cli: Cli) -> None:
        result = cli("demo", "refuse", "--json")
        assert (result.code, result.err) == (1, "")
        assert result.json == error_document(
            "not-today", "nothing\nis done today", day="today", hint="vaultspec-core demo echo"
        )

    def test_wrong_usage_is_on_stderr_alone_without_json(self, cli: Cli) -> None:
        refused = "error: `demo echo` has no option `--forc`; did you mean `--force`?\nhint: vaultspec-core demo echo --help\n"
        assert cli("demo", "echo", "--forc") == Result(2, "", refused)

    @pytest.mark.parametrize(
        ("words", "message", "hint"),
        [
            ("--json", "no command given", "vaultspec-core --help"),
            ("xyzzy --json", "unknown command `xyzzy`", "vaultspec-core --help"),
            ("demo needs --json", "`demo needs` needs COLOUR: What to paint.", "vaultspec-core demo needs --help"),
            ("demo text --json", "`demo text` has no option `--json`", "vaultspec-core demo text --help"),
            (
                "demo echo --name --json",
                "`--name` needs a value: NAME; if `--json` is meant, write `--name=--json`",
                "vaultspec-core demo echo --help",
            ),
        ],
    )
    def test_wrong_usage_with_json_is_one_document_and_one_line_on_stderr(
        self, cli: Cli, words: str, message: str, hint: str
    ) -> None:
        result = cli(*words.split())
        assert (result.code, result.err) == (2, f"error: {message}\n")
        assert result.json == error_document("usage", message, hint=hint)

    @pytest.mark.parametrize("words", ["--name=--json", "-- --json"])
    def test_json_as_a_value_or_an_operand_asks_for_no_document(self, cli: Cli, words: str) -> None:
        result = cli("demo", "echo", *words.split())
        assert result.code == 0
        assert result.out.startswith("{'name':")

    def test_a_missing_workspace_is_one_document_with_json(self, cli: Cli, sandbox: Sandbox) -> None:
        assert cli("demo", "here", "--json").json == error_document(
            "no-workspace",
            f"no workspace in {sandbox.root} or above it",
            hint="vaultspec-core install --mode tool",
        )

    def test_a_deprecated_verb_says_so_on_stderr_and_works(self, cli: Cli) -> None:
        result = cli("demo", "old", "--json")
        assert (result.code, result.err) == (0, "warning: `demo old` is deprecated: use `demo echo`\n")
        assert result.json["status"] == "ok"

    def test_the_version_is_a_document_too(self, cli: Cli) -> None:
        assert cli("--version") == Result(0, f"vaultspec-core {__version__}\n", "")
        assert cli("--version", "--json").data == {"version": __version__}


@requirement("SYN-8")
@pytest.mark.usefixtures("demo")
class TestFaults:
    def test_a_fault_of_ours_is_one_line_and_a_report_that_holds_no_value(self, cli: Cli, sandbox: Sandbox) -> None:
        result = cli("demo", "fault", "--name", "s3cret")
        (path,) = (sandbox.home / "state/vaultspec/faults").iterdir()
        assert result == Result(3, "", f"error: internal error: ValueError; please report it with {path}\n")
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"vaultspec-core {__version__}, Python ")
        assert [line.partition(":")[0] for line in lines[1:]] == [
            "command",
            "ValueError",
            "  src/vaultspec_installer/cli.py",
            "  installer/demo/run.py",
            "KeyError",
            "  installer/demo/run.py",
        ]
        assert lines[1] == "command: demo fault --name"
        assert "s3cret" not in path.read_text(encoding="utf-8")
        assert "hunter2" not in path.read_text(encoding="utf-8")

    def test_a_fault_of_ours_is_one_document_with_json(self, cli: Cli, sandbox: Sandbox) -> None:
        result = cli("demo", "fault", "--json")
        (path,) = (sandbox.home / "state/vaultspec/faults").iterdir()
        message = f"internal error: ValueError; please report it with {path}"
        assert (result.code, result.err) == (3, "")
        assert result.json == error_document("internal", message, report=str(path))

    @pytest.mark.parametrize("named", ["relative/folder", "/dev/null/state"])
    def test_a_fault_without_a_usable_state_directory_is_still_one_line(self, cli: Cli, named: str) -> None:
        result = cli("demo", "fault", env={"VAULTSPEC_STATE_DIR": named})
        assert result == Result(3, "", "error: internal error: ValueError; the state directory takes no report of it\n")


@requirement("SYN-8")
class TestProcesses:
    def test_the_version_and_the_exit_codes_of_a_process(self, command: Callable[..., Any]) -> None:
        version = command("--version")
        assert (version.returncode, version.stdout, version.stderr) == (0, f"vaultspec-core {__version__}\n", "")
        wrong = command("--json")
        assert (wrong.returncode, wrong.stderr) == (2, "error: no command given\n")
        assert json.loads(wrong.stdout)["data"]["code"] == "usage"

    @pytest.mark.parametrize(
        ("number", "name", "code"), [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)]
    )
    @pytest.mark.parametrize("as_json", [False, True])
    def test_a_stopped_command_says_so_once(
        self, environ: Mapping[str, str], tmp_path: Path, number: signal.Signals, name: str, code: int, as_json: bool
    ) -> None:
        ready = tmp_path / "ready"
        os.mkfifo(ready)
        words = [*DEMO, "demo", "wait", str(ready), *(["--json"] if as_json else [])]
        with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert ready.read_bytes() == b"ready"
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        assert process.returncode == code
        message = f"stopped by {number.name}"
        if as_json:
            assert err == b""
            assert json.loads(out) == error_document(name, message)
        else:
            assert (out, err) == (b"", f"error: {message}\n".encode())

    @pytest.mark.parametrize("words", [["demo", "long"], ["demo", "long", "--json"]])
    def test_a_reader_that_goes_away_is_no_failure(self, environ: Mapping[str, str], words: list[str]) -> None:
        with subprocess.Popen([*DEMO, *words], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stdout.read(10)
            process.stdout.close()
            assert process.stderr
            assert process.stderr.read() == b""
        assert process.returncode == 0

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
    @pytest.mark.parametrize("words", [["demo", "echo"], ["demo", "echo", "--json"]])
    def test_output_that_finds_no_room_is_a_failure(self, environ: Mapping[str, str], words: list[str]) -> None:
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([*DEMO, *words], env=environ, stdout=full, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (
            1,
            b"error: the output cannot be written: No space left on device\n",
        )

    def test_closed_streams_are_no_fault(self, environ: Mapping[str, str]) -> None:
        shell = f'"{sys.executable}" -m tests.installer.demo demo show <&- >&- 2>&-'
        assert subprocess.run(["sh", "-c", shell], env=environ, check=False).returncode == 0

    def test_a_character_that_the_terminal_does_not_know_is_spelled_out(self, environ: Mapping[str, str]) -> None:
        done = subprocess.run(
            [*DEMO, "demo", "text", "--name", "→"],
            env={**environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b"name: \\u2192\n")

    def test_a_deleted_folder_is_no_fault(self, environ: Mapping[str, str], tmp_path: Path) -> None:
        gone = tmp_path / "gone"
        gone.mkdir()
        shell = f'rmdir "{gone}" && exec "{sys.executable}" -m tests.installer.demo demo echo'
        done = subprocess.run(["sh", "-c", shell], cwd=gone, env=environ, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize(("said", "answer"), [(b"y\n", "True"), (b"no\n", "False")])
    def test_a_person_at_a_terminal_is_asked(self, environ: Mapping[str, str], said: bytes, answer: str) -> None:
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [*DEMO, "demo", "ask"], env=environ, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE
        ) as process:
            os.close(theirs)
            assert process.stderr
            assert process.stderr.read(len("Go on? [y/N] ")) == b"Go on? [y/N] "
            os.write(ours, said)
            process.wait(timeout=60)
        assert f"answer: {answer}" in os.read(ours, 1000).decode()
        os.close(ours)

    def test_nobody_is_asked_without_a_terminal(self, environ: Mapping[str, str]) -> None:
        done = subprocess.run([*DEMO, "demo", "ask"], env=environ, input=b"y\n", capture_output=True, check=False)
        assert (done.stdout, done.stderr) == (b"answer: False\n", b"")
