"""The command lines of our hooks in `.pre-commit-config.yaml`: evidence of how a workspace runs us."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

_ENTRY = re.compile(r"^\s*(?:-\s*)?entry:\s*[\"']?(.*?\bvaultspec-core\b.*?)[\"']?\s*$", re.MULTILINE)


def hook_lines(root: Path, read: Callable[[Path], bytes | None]) -> list[str]:
    """The `entry:` values that start our command, as they stand; none without the file."""
    data = read(root / ".pre-commit-config.yaml") or b""
    return [match.group(1) for match in _ENTRY.finditer(data.decode("utf-8", "replace"))]
