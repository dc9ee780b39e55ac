"""What a replaced file hands on to its successor: owner, group, mode, ACL and extended attributes."""

from __future__ import annotations

import os
import stat as stat_bits
from contextlib import suppress
from typing import Any, NamedTuple


class Attributes(NamedTuple):
    """Of one open file."""

    owner: int
    group: int
    mode: int
    extended: dict[str, bytes]

    @classmethod
    def of(cls, system: Any, handle: int) -> Attributes:
        status = system.fstat(handle)
        found = {}
        with suppress(OSError):
            for name in _names(system, handle):
                with suppress(OSError):
                    found[name] = system.getxattr(handle, name)
        return cls(status.st_uid, status.st_gid, stat_bits.S_IMODE(status.st_mode), found)

    def give(self, system: Any, handle: int) -> None:
        """Give them to an open file, as far as the system allows; the mode always. Raises OSError."""
        if system.name == "nt":
            return
        made = system.fstat(handle)
        mode = self.mode
        # In this order, because a change of owner clears mode bits, and a change of mode cuts an ACL down.
        if self.owner != made.st_uid:
            with suppress(OSError):
                system.fchown(handle, self.owner, -1)
        if self.group != made.st_gid:
            try:
                system.fchown(handle, -1, self.group)
            except OSError:
                # Another group than the file had must not get more than everybody has.
                mode = mode & ~0o070 | (mode & 0o007) << 3
        system.fchmod(handle, mode)
        with suppress(OSError):
            for name in _names(system, handle):
                if name not in self.extended:
                    # An ACL that the folder hands to new files would open this one to more people than before.
                    with suppress(OSError):
                        system.removexattr(handle, name)
        for name, value in self.extended.items():
            with suppress(OSError):
                system.setxattr(handle, name, value)


def _names(system: Any, handle: int) -> list[str]:
    return list(system.listxattr(handle)) if hasattr(os, "listxattr") else []
