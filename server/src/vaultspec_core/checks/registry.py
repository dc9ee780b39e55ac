"""The validators: what stands in the folder `validators/`."""

from __future__ import annotations

import os
from functools import cache

from vaultspec_core.checks import validators
from vaultspec_core.checks.contract import Check
from vaultspec_core.load import load


@cache
def all_checks() -> tuple[Check, ...]:
    """Every validator, by order; those that are only on the command line first."""
    found = sorted({name[:-3] for name in os.listdir(os.path.dirname(validators.__file__)) if name.endswith(".py")})
    checks: list[Check] = [load(f"{validators.__name__}.{name}:CHECK") for name in found if name != "__init__"]
    return tuple(sorted(checks, key=lambda check: check.order))


@cache
def suite() -> tuple[Check, ...]:
    """The validators of a whole check, in the order of its rows."""
    return tuple(check for check in all_checks() if check.order)
