"""The digest that the installer takes of small things is SHA-256, whoever computes it."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys

import pytest

from tests.requirements import requirement
from vaultspec_installer.digest import digest

WITHOUT = """
import sys
sys.modules["_sha2"] = sys.modules["_sha256"] = None
from vaultspec_installer.digest import digest
print(digest(b"abc"), "hashlib" in sys.modules)
"""


@requirement("OWN-1", "PRF-7")
@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 4096, 100_001])
def test_it_is_sha_256(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert digest(data) == hashlib.sha256(data).hexdigest()


@requirement("OWN-1")
def test_an_interpreter_without_its_own_gives_the_same() -> None:
    said = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True).stdout.split()
    assert said == [hashlib.sha256(b"abc").hexdigest(), "True"]
