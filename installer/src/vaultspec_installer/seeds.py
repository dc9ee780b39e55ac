"""The bundled definitions as text: core's, and that of a companion package. Both leave the launch to the install mode."""

from __future__ import annotations

import json

from .definition import ARGS_TOKEN, COMMAND_TOKEN, MODULE, PACKAGE, REQUIREMENT
from .mode import CORE, canonical

_CORE_SEED = f"""{{
  "command": "{COMMAND_TOKEN}",
  "args": ["{ARGS_TOKEN}"]
}}
"""


def seed_text(package: str, module: str | None = None, requirement: str | None = None) -> str:
    """The text of `NAME.builtin.json` for a package.

    `module`: what is run with `-m`; by default the import package of the same name. `requirement`: what `uvx --from` gets; by default the
    package's name. Core's seed names neither: those are the defaults of rendering.
    """
    if canonical(package) == CORE:
        return _CORE_SEED
    document = {
        "command": COMMAND_TOKEN,
        "args": [ARGS_TOKEN],
        PACKAGE: package,
        MODULE: module or canonical(package).replace("-", "_"),
        REQUIREMENT: requirement or package,
    }
    return json.dumps(document, indent=2) + "\n"
