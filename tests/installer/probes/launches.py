"""Cases about what the launch lines would start."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from tests.installer.probes.place import Case, Place, Told

HOST = ".mcp.json"
REQUIREMENT = "uvx {}--from 'vaultspec-core' vaultspec-core --version"


def program(path: Path) -> None:
    """A program that nobody starts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    path.chmod(0o755)


def _without_uv(place: Place) -> None:
    place.environ["PATH"] = str(place.home / "empty")


def _uv_off_path(place: Place) -> None:
    _without_uv(place)
    program(place.home / ".local/bin/uvx")


def offer(place: Place, version: str) -> None:
    """Let uv know a distribution called as ours, of that version and with nothing in it."""
    info = f"vaultspec_core-{version}.dist-info"
    folder = place.home / "links"
    folder.mkdir()
    with zipfile.ZipFile(folder / f"vaultspec_core-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: vaultspec-core\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    place.environ["UV_FIND_LINKS"] = str(folder)


def _cached_below_floor(place: Place) -> None:
    offer(place, "0.9.0")
    place.floor("1.0")


def prepare(place: Place, version: str | None, python: str = "3.12.1") -> None:
    """An environment of the project with that version of core in it."""
    place.write(".venv/pyvenv.cfg", f"home = /usr/bin\nversion = {python}\n")
    if version is not None:
        info = f".venv/lib/python3.12/site-packages/vaultspec_core-{version}.dist-info"
        place.write(f"{info}/METADATA", "Metadata-Version: 2.1\n")


def _old_environment(place: Place) -> None:
    prepare(place, "0.9.0")
    place.floor("1.0")


def _console(place: Place) -> None:
    place.define("search", "C:\\Tools\\vaultspec-mcp.exe")
    place.run("spec", "mcps", "sync")


def _script(place: Place) -> None:
    place.windows = True
    place.define("search", "npx", args=["-y", "search-mcp"])
    place.define("python", sys.executable)
    place.run("spec", "mcps", "sync")


def other(path: Path) -> None:
    """A host file that holds our name with another launch."""
    path.write_text(json.dumps({"mcpServers": {"vaultspec-core": {"command": "other"}}}), encoding="utf-8")


CASES = {
    "uv-missing": Case(
        _without_uv,
        (
            Told(
                f"{HOST}: vaultspec-core is launched by uvx, which is not on PATH",
                HOST,
                "curl -LsSf https://astral.sh/uv/install.sh | sh",
            ),
        ),
    ),
    "uv-not-on-path": Case(
        _uv_off_path,
        (
            Told(
                f"{HOST}: vaultspec-core is launched by uvx, which is not on PATH; it is {{HOME}}/.local/bin/uvx",
                HOST,
                "{HOME}/.local/bin/uv tool update-shell",
            ),
        ),
    ),
    "launch-unknown": Case(
        lambda place: None,
        (Told(f"{HOST}: what vaultspec-core would serve is unknown", HOST, REQUIREMENT.format("")),),
    ),
    "launch-serves": Case(
        lambda place: offer(place, "1.2.3"),
        (Told(f"{HOST}: vaultspec-core serves vaultspec-core 1.2.3 from {{CACHE}}", HOST),),
    ),
    "launch-below-floor": Case(
        _cached_below_floor,
        (
            Told(
                f"{HOST}: vaultspec-core would serve vaultspec-core 0.9.0, and the workspace needs 1.0",
                HOST,
                REQUIREMENT.format("--refresh "),
            ),
        ),
    ),
    "environment-missing": Case(
        lambda place: None,
        (Told(f"{HOST}: vaultspec-core runs in the project's environment, and there is no .venv", ".venv", "uv sync"),),
        mode="dependency",
    ),
    "environment-lacks-package": Case(
        lambda place: prepare(place, None),
        (Told(".venv does not hold vaultspec-core", ".venv", "uv add --dev 'vaultspec-core'"),),
        mode="dev",
    ),
    "environment-below-floor": Case(
        _old_environment,
        (
            Told(
                ".venv holds vaultspec-core 0.9.0, and the workspace needs 1.0", ".venv", "uv add 'vaultspec-core>=1.0'"
            ),
        ),
        mode="dependency",
    ),
    "environment-serves": Case(
        lambda place: prepare(place, "1.2.3"),
        (Told(f"{HOST}: vaultspec-core serves vaultspec-core 1.2.3 from .venv", HOST),),
        mode="dependency",
    ),
    "environment-python-old": Case(
        lambda place: prepare(place, "1.2.3", "3.10.12"),
        (
            Told(
                ".venv has Python 3.10.12; vaultspec-core needs 3.11 or later",
                ".venv",
                "uv venv --clear --python 3.12 && uv sync",
            ),
        ),
        mode="dependency",
    ),
    "server-shadowed": Case(
        lambda place: place.write("vaultspec_core/__init__.py", ""),
        (
            Told(
                "vaultspec_core at the root of the workspace would be started in place of the server",
                "vaultspec_core",
                "git mv vaultspec_core my_vaultspec_core",
            ),
        ),
    ),
    "library-shadowed": Case(
        lambda place: (place.write("json.py", ""), place.write("queue/data.txt", ""), place.write("test.py", "")),
        (
            Told(
                "json.py at the root of the workspace would be imported by the server in place of Python's own module",
                "json.py",
                "git mv json.py my_json.py",
            ),
        ),
    ),
    "launch-console-exe": Case(
        _console,
        (
            Told(
                f"{HOST}: search is started by the console executable vaultspec-mcp.exe",
                HOST,
                "vaultspec-core spec mcps remove search --force",
            ),
        ),
    ),
    "launch-script-shim": Case(
        _script,
        (
            Told(
                f"{HOST}: search is started by npx, which is a script on Windows",
                HOST,
                "vaultspec-core spec mcps add search --force --command cmd --arg /c --arg npx",
            ),
        ),
    ),
    "launch-shadowed": Case(
        lambda place: other(place.home / ".claude.json"),
        (
            Told(
                "vaultspec-core: {HOME}/.claude.json (user scope) launches something else under the same name",
                "{HOME}/.claude.json",
                "vaultspec-core spec mcps diff --scope user --force",
            ),
        ),
    ),
    "launch-shadowed-above": Case(
        lambda place: other(place.root.parent / HOST),
        (
            Told(
                "vaultspec-core: {PARENT}/.mcp.json, above this workspace, launches something else under the same name",
                "{PARENT}/.mcp.json",
            ),
        ),
    ),
}
