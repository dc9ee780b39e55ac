"""Would a file of the workspace be imported in place of the server's own modules? `python -m` looks in the current folder first."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from vaultspec_core.report import Refusal

from ..finding import ERROR, WARNING, Code, Finding
from ..launched import Launched, launched
from ..mode import canonical
from ..probe import Patient, Probe

SERVER = Code(
    "server-shadowed",
    ERROR,
    "A folder or file at the root of the workspace has the name of the server's own package, and is what would be started.",
    "Rename it.",
    "vaultspec_core at the root of the workspace would be started in place of the server",
)
LIBRARY = Code(
    "library-shadowed",
    WARNING,
    "A folder or file at the root of the workspace has the name of a module of Python that the server imports, and may break it.",
    "Rename it, or move it into a folder of sources.",
    "json.py at the root of the workspace would be imported by the server in place of Python's own module",
)
NAMES = """
__future__ argparse ast asyncio base64 bisect bz2 calendar collections concurrent contextlib contextvars copy
copyreg csv dataclasses datetime decimal difflib dis email enum errno fcntl fnmatch fractions functools gc
getpass glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword linecache
locale logging lzma math mimetypes ntpath numbers opcode operator pathlib pickle platform pprint queue random
re reprlib resource runpy secrets select selectors shlex shutil signal socket ssl stat statistics string
stringprep struct subprocess sysconfig tempfile textwrap threading timeit token tokenize tomllib traceback
types typing unicodedata urllib uuid warnings weakref zipfile zlib zoneinfo
"""
"""Modules of Python that the server or what it builds on imports after the interpreter has started."""


def look(patient: Patient) -> Iterable[Finding]:
    told: set[str] = set()
    for entry in launched(patient):
        if entry.module is None or _safe(entry) or _is_project_of(patient, entry.package):
            continue
        for name, code in _names(entry.module):
            shadow = _shadow(patient.root, name)
            if shadow is None or shadow in told:
                continue
            told.add(shadow)
            where = f"{shadow} at the root of the workspace would be"
            if code is SERVER:
                said = f"{where} started in place of the server"
            else:
                said = f"{where} imported by the server in place of Python's own module"
            yield code.found(said, shadow, f"git mv {shadow} my_{shadow}")


def _names(module: str) -> Iterable[tuple[str, Code]]:
    yield module.partition(".")[0], SERVER
    for name in NAMES.split():
        yield name, LIBRARY


def _safe(entry: Launched) -> bool:
    """Whether the launch keeps the current folder out of the search (`python -P`)."""
    return "-P" in entry.launch.args or "PYTHONSAFEPATH" in entry.launch.env


def _is_project_of(patient: Patient, package: str | None) -> bool:
    """Whether the workspace is where that package is developed: then its modules are meant to be found here."""
    import tomllib

    try:
        project = tomllib.loads((patient.read(patient.root / "pyproject.toml") or b"").decode()).get("project")
    except (Refusal, ValueError):
        return False
    name = project.get("name") if isinstance(project, dict) else None
    return isinstance(name, str) and canonical(name) == package


def _shadow(root: Path, name: str) -> str | None:
    """The file or folder at the root that would win. A folder without `__init__.py` loses against an installed package."""
    if os.path.isfile(root / name / "__init__.py"):
        return name
    return f"{name}.py" if os.path.isfile(root / f"{name}.py") else None


PROBE = Probe(115, (SERVER, LIBRARY), look)
