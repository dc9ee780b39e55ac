"""`feature-rename-integrity`: a folder of execution records holds the records of the feature that it is named after."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, Check, Finding
from vaultspec_core.checks.survey import Survey

NAME = "feature-rename-integrity"

_FOLDER = re.compile(r"/exec/\d{4}-\d\d-\d\d-([a-z0-9-]+)/[^/]+\Z")


def _findings(survey: Survey) -> Iterator[Finding]:
    for record in survey.corpus.of_type("exec"):
        match = _FOLDER.search(record.relative)
        if match and record.feature is not None and record.feature != match[1]:
            message = f"a record of the feature {record.feature} in the folder of {match[1]}"
            yield Finding(NAME, record.relative, message, ERROR, feature=record.feature)


CHECK = Check(NAME, 13, vault=_findings, everywhere=True)
