"""SHA-256 of a few kilobytes, without OpenSSL: to load it takes a twentieth of a command that finds nothing to do."""

from __future__ import annotations

import sys
from importlib import import_module

try:
    _sha256 = import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
except ImportError:  # another interpreter, or one built without its own
    _sha256 = import_module("hashlib").sha256


def digest(data: bytes) -> str:
    """64 hexadecimal digits."""
    text: str = _sha256(data).hexdigest()
    return text
