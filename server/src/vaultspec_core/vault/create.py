"""Create documents from templates: each item is judged against the vault as the items before it left it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vaultspec_core.batch import FAILED, demand_at_most, envelope, summary
from vaultspec_core.convergence import Converged, converge
from vaultspec_core.files import Changed
from vaultspec_core.report import Refusal
from vaultspec_core.tool import Progress
from vaultspec_core.vault import names
from vaultspec_core.vault.document import demand_fitting
from vaultspec_core.vault.edit import seeded
from vaultspec_core.vault.index import refreshed_index
from vaultspec_core.vault.resolve import candidates
from vaultspec_core.vault.stamp import blob_hash, stamped
from vaultspec_core.vault.template import filled, one_line, with_front
from vaultspec_core.vault.vault import Vault
from vaultspec_core.workspace import FRAMEWORK

LIMIT = 200
CREATABLE = ("research", "adr", "plan", "reference", "audit")


def run(vault: Vault, arguments: Mapping[str, Any], progress: Progress) -> tuple[dict[str, Any], str]:
    """The `create` tool."""
    answer = create(vault, arguments["documents"], progress)
    return answer, summary(answer)


def create(vault: Vault, documents: Sequence[Mapping[str, Any]], progress: Progress) -> dict[str, Any]:
    """Create each document and regenerate the indexes of the features concerned. Raises Refusal `empty-batch`,
    `batch-too-large`, `schema-convergence`: then nothing was written."""
    if not documents:
        raise Refusal("empty-batch", "create requires at least one document spec")
    demand_at_most(LIMIT, "create", "items", documents)
    converged = converge(vault.root, vault.disk)
    if converged.schema_error is not None:
        raise Refusal(
            "schema-convergence",
            f"create could not converge the workspace: {converged.schema_error}",
            "vaultspec-core migrations status, then vaultspec-core migrations run",
        )
    with vault.hold():
        vault.corpus.refresh()
        items = []
        for index, spec in enumerate(documents):
            items.append(_item(vault, index, spec))
            progress(index + 1, len(documents), str(items[-1]["target"]))
        _index(vault, items)
    return _answer(items, converged)


def _answer(items: list[dict[str, Any]], converged: Converged) -> dict[str, Any]:
    for item in items:
        item.pop("feature")
    if items and converged.warnings:
        items[0]["warnings"] = [*converged.warnings, *items[0]["warnings"]]
    return {**envelope(items), "converged": converged.converged}


def _index(vault: Vault, items: list[dict[str, Any]]) -> None:
    """Regenerate the index of every feature with a success; what hinders that is a warning of its last item."""
    last = {item["feature"]: item for item in items if item["status"] != FAILED}
    for feature, item in last.items():
        item["warnings"] += refreshed_index(vault, feature)


def _item(vault: Vault, index: int, spec: Mapping[str, Any]) -> dict[str, Any]:
    item: dict[str, Any] = {
        "index": index,
        "target": f"{spec.get('type') or 'research'}:{spec['feature']}",
        "status": FAILED,
        "path": None,
        "blob_hash": None,
        "error": None,
        "warnings": [],
        "feature": None,
    }
    try:
        draft = Draft(vault, spec)
        data, warnings = draft.compose()
        vault.write(draft.relative, data, expected=None)
    except Refusal as refusal:
        item["error"] = {"message": refusal.message, "code": refusal.code, **refusal.data}
        return item
    except Changed:
        item["error"] = {"message": f"File already exists at {draft.relative}", "code": "already-exists"}
        return item
    vault.corpus.put(draft.relative, data)
    return item | {
        "status": "created",
        "path": draft.relative,
        "blob_hash": blob_hash(data),
        "warnings": warnings,
        "feature": draft.feature,
    }


class Draft:
    """One new document, judged in the order in which a person would want to hear of faults. Raises Refusal for the first."""

    def __init__(self, vault: Vault, spec: Mapping[str, Any]) -> None:
        self.vault = vault
        self.feature = names.valid_feature(spec["feature"])
        self.kind = _kind(spec.get("type") or "research", self.feature, vault)
        self.title = spec.get("title") or ""
        self.content = spec.get("content") or ""
        self.related = _related(vault, spec.get("related") or ())
        self.tier = _tier(spec.get("tier")) if self.kind == "plan" else None
        self.topic = _topic(self.kind, spec.get("topic"))
        self.date = names.calendar_date(spec["date"]) if spec.get("date") else vault.today()
        _check_tags(spec.get("tags") or (), self.kind, self.feature)
        self.template = _template(vault, self.kind)
        self.relative = names.document_path(self.kind, self.feature, self.date, self.topic)
        self._check_free()

    def _check_free(self) -> None:
        stem = names.stem_of(self.relative)
        if self.vault.disk.read(self.vault.path(self.relative)) is not None:
            raise Refusal("already-exists", f"File already exists at {self.relative}")
        taken = self.vault.corpus.stems.get(stem.casefold(), ())
        if taken:
            raise Refusal(
                "stem-taken",
                f"A file with stem {stem!r} already exists at {taken[0].relative}. Choose a different name.",
            )
        if stem.casefold() in self.vault.corpus.archived:
            raise Refusal(
                "stem-taken", f"A file with stem {stem!r} is in the archive. Choose a different date or topic."
            )

    def compose(self) -> tuple[bytes, list[str]]:
        """The document's bytes, and warnings about its seed content. Raises Refusal `too-large`."""
        title = one_line(self.title or (self.topic or "").replace("-", " "))
        values = {"feature": self.feature, "date": self.date}
        if title:
            values |= {"title": title, "topic": title}
        if self.tier:
            values["tier"] = self.tier
        text = filled(self.template.replace("\r\n", "\n"), values)
        text = with_front(text, self.kind, self.feature, self.date, self.related, self.tier)
        warnings: list[str] = []
        if self.content:
            try:
                text, warnings = seeded(self.kind, text, self.content)
            except Refusal as refusal:
                warnings = [f"Seed content not applied: {refusal.message}"]
        today = max(self.vault.today(), self.date) if self.content else self.date
        data = stamped(text, today).encode("utf-8")
        demand_fitting(data)
        return data, warnings


def _kind(said: str, feature: str, vault: Vault) -> str:
    if said == "index":
        raise Refusal(
            "generated-type",
            "'index' documents are auto-generated. Use 'vaultspec-core vault feature index', not create.",
        )
    if said == "exec":
        plans = [document for document in vault.corpus.of_feature(feature) if document.type == "plan"]
        lacking = "" if plans else f" and requires a plan: the feature {feature!r} has none yet"
        raise Refusal(
            "logged-type", f"'exec' documents are not created: execution is logged with the `log` tool{lacking}."
        )
    if said not in CREATABLE:
        raise Refusal("invalid-type", f"Invalid document type: {said}. Allowed: {', '.join(CREATABLE)}.")
    return said


def _tier(said: str | None) -> str:
    tier = said or "L1"
    if tier not in names.TIERS:
        raise Refusal("invalid-tier", f"Invalid tier {tier!r}. Allowed values: {', '.join(names.TIERS)}.")
    return tier


def _topic(kind: str, said: str | None) -> str | None:
    if said is None:
        return None
    if kind not in names.TOPIC_TYPES:
        allowed = "'adr', 'audit', 'reference', and 'research'"
        raise Refusal("topic-not-allowed", f"topic is only valid for {allowed} documents.")
    return names.valid_tag(said, "topic")


def _check_tags(said: Sequence[str], kind: str, feature: str) -> None:
    tags = dict.fromkeys(names.normal_tag(tag) for tag in said)
    extra = [f"#{tag}" for tag in tags if tag not in (kind, feature)]
    if extra:
        raise Refusal(
            "unsupported-tags",
            f"Unsupported tags: {', '.join(extra)}. Only #{kind} and #{feature} are allowed.",
        )


def _related(vault: Vault, said: Sequence[str]) -> list[str]:
    """The stems that the references name. Raises Refusal with all that name nothing, or several documents."""
    stems: dict[str, None] = {}
    failures: list[str] = []
    for reference in said:
        found = {document.stem for document in candidates(vault.corpus, reference)}
        if len(found) == 1:
            stems.setdefault(found.pop())
        else:
            failures.append(reference)
    if failures:
        shown = "; ".join(failure or "(empty)" for failure in failures)
        raise Refusal("unresolved-related", f"Cannot resolve related document(s): {shown}", data={"failures": failures})
    return list(stems)


def _template(vault: Vault, kind: str) -> str:
    path = Path(vault.root, FRAMEWORK, "templates", f"{kind}.md")
    data = vault.disk.read(vault.path(path.relative_to(vault.root).as_posix()))
    if data is None:
        raise Refusal(
            "template-missing",
            f"Template unavailable: no template for type {kind!r} at {FRAMEWORK}/templates/{kind}.md",
            "vaultspec-core install --upgrade",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("template-unreadable", f"{FRAMEWORK}/templates/{kind}.md is not UTF-8") from error
