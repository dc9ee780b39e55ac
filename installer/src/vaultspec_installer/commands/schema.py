"""`spec reference schema`: print a published JSON Schema."""

from __future__ import annotations

import json

from vaultspec_core.report import Report
from vaultspec_core.verb import Call

from ..schemas import text_of_schema


def show(call: Call) -> Report:
    """The schema's text as it is shipped; with `--json`, as an object under `document`."""
    name = call["schema"]
    text = text_of_schema(name)
    return Report("unchanged", {"name": name, "document": json.loads(text)}, text=text)
