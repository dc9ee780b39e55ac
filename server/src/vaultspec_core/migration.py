"""The contract of a migration: what an earlier release left behind, how to tell that it is there, and what brings it up to date.

A file in a `migrations/` folder exports `MIGRATION`; the folder is the registry. What stands in the workspace decides whether
there is anything to do, never a version that some release has written down: a record may claim more than was done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from vaultspec_core.files import Disk

Reach = Literal["placement", "environment", "content"]
"""`placement`: where documents lie, so that nothing may be created before it. `environment`: host files and our records of
them. `content`: what stands in documents."""

Read = Callable[[Path], bytes | None]


class Applied(NamedTuple):
    """What a migration did. `detail`: one clause. `refreshed`: entries whose launch changed, one row each (name, group, file,
    from, to, reason). `warnings`: what it had to leave, one line each."""

    detail: str
    refreshed: list[dict[str, Any]] = []
    warnings: list[str] = []


Needed = Callable[[Path, Mapping[str, str], Read], bool]
Run = Callable[[Path, Mapping[str, str], Disk], Applied]


class Migration(NamedTuple):
    """One migration. `version`: the release whose workspaces need no more of it; the order of migrations.

    `needed` (`module:function`, see `Needed`): whether there is something to do; cheap, and False for what cannot be judged.
    `run` (see `Run`): does it under the workspace's lock, through the disk that it is given (a dry run gives one that only
    remembers). A second run changes no byte. Raises Refusal; what was written until then is whole.
    """

    name: str
    version: str
    reach: Reach
    summary: str
    needed: str
    run: str
