"""`features`: each feature has an index that lists all of it, and a plan before it has execution records."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import WARNING, Check, Finding
from vaultspec_core.checks.survey import Survey


def _findings(survey: Survey) -> Iterator[Finding]:
    for feature, members in sorted(survey.corpus.features.items()):
        kinds = {document.type for document in members.values()}
        said = [document for document in members.values() if document.type == "index"]
        rebuild = f"vaultspec-core vault feature index --feature {feature}"
        count = len({document.stem for document in members.values() if document.type != "index"})
        messages = []
        if "exec" in kinds and "plan" not in kinds:
            messages.append(f"feature {feature} has execution records but no plan")
        if not said:
            messages.append(f"feature {feature} has no index ({rebuild})")
        elif len(said[0].related) != count:
            messages.append(
                f"the index of feature {feature} lists {len(said[0].related)} documents of {count} ({rebuild})"
            )
        for message in messages:
            yield Finding("features", None, message, WARNING, feature=feature)


CHECK = Check("features", 10, vault=_findings)
