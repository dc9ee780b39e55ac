"""`vault graph`: documents and links as data (node-link), as a tree of text, as Mermaid or as DOT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from vaultspec_core.commands.opening import open_vault
from vaultspec_core.report import USAGE, Block, Line, Refusal, Report, counted
from vaultspec_core.vault import names
from vaultspec_core.vault.document import Document
from vaultspec_core.vault.frontmatter import split
from vaultspec_core.vault.network import Network, alike, around, build, pagerank
from vaultspec_core.vault.resolve import resolve
from vaultspec_core.vault.vault import Vault
from vaultspec_core.vault.walk import text_of
from vaultspec_core.verb import Call


def graph(call: Call) -> Report:
    """The whole network, or a feature's, or the neighbourhood of one document."""
    vault = open_vault(call)
    vault.corpus.refresh()
    whole = vault.corpus.derived(build)
    shown = _chosen(call, vault, whole)
    metrics = _metrics(shown)
    if call["metrics"]:
        return Report("unchanged", {"metrics": metrics}, [Line(f"{key}: {value}") for key, value in metrics.items()])
    if call["format"]:
        text = "".join(_mermaid(shown) if call["format"] == "mermaid" else _dot(shown))
        return Report("unchanged", {"format": call["format"], "text": text}, [Line(line) for line in text.splitlines()])
    data: dict[str, Any] = {"directed": True, "multigraph": False, "graph": {}}
    ranks = pagerank((*whole.documents, *whole.phantoms), {edge[:2]: None for edge in whole.edges})
    data["nodes"] = list(_nodes(call, vault, whole, shown, ranks))
    data["edges"] = list(_edges(shown))
    data["metrics"] = metrics
    if call["derived"]:
        data |= _derived(call, shown)
    if not shown.documents:
        return Report(
            "unchanged",
            data,
            [Line("No documents.", "dim")],
            hint=("List the features:", "vaultspec-core vault feature list"),
        )
    tree: list[Block] = [Line(line) for line in _tree(shown, vault.corpus.archived)]
    said = f"{counted(len(shown.documents), 'document')}, {counted(len(data['edges']), 'link')}"
    if shown.phantoms:
        said += f", {counted(len(shown.phantoms), 'target')} not in the vault"
    return Report("unchanged", data, [*tree, Line(""), Line(said, "dim")])


def _chosen(call: Call, vault: Vault, whole: Network) -> Network:
    ids: set[str] | None = None
    if call["feature"]:
        tag = names.normal_tag(call["feature"])
        ids = {one for one, document in whole.documents.items() if document.feature == tag}
        ids |= {edge.target for edge in whole.edges if edge.source in ids and edge.target in whole.phantoms}
    depth = call["depth"]
    if depth is not None and (depth < 0 or not call["node"]):
        said = "--depth must not be negative" if depth < 0 else "--depth needs --node"
        raise Refusal("usage", said, "vaultspec-core vault graph --help", exit_code=USAGE)
    if call["node"]:
        document = resolve(vault.corpus, call["node"])
        start = next(one for one, known in whole.documents.items() if known is document)
        near = set(around(whole.neighbours(), start, 1 if depth is None else depth))
        ids = near if ids is None else ids & near
    return whole if ids is None else whole.within(ids)


def _metrics(network: Network) -> dict[str, Any]:
    nodes = len(network.documents) + len(network.phantoms)
    pairs = {edge[:2] for edge in network.edges}
    linked, seen, components = network.neighbours(), set[str](), 0
    for one in linked:
        if one not in seen:
            components += 1
            seen.update(around(linked, one, nodes))
    return {
        "total_nodes": nodes,
        "documents": len(network.documents),
        "phantom_nodes": len(network.phantoms),
        "total_edges": len(pairs),
        "features": len({one.feature for one in network.documents.values() if one.feature}),
        "components": components,
        "isolated_nodes": sum(not linked[one] for one in network.documents),
        "density": round(len(pairs) / (nodes * (nodes - 1)), 6) if nodes > 1 else 0.0,
    }


def _nodes(
    call: Call, vault: Vault, whole: Network, shown: Network, ranks: Mapping[str, float]
) -> Iterator[dict[str, Any]]:
    """The nodes that are shown, with their links in the whole vault."""
    out, into = whole.ends()
    for one in (*shown.documents, *shown.phantoms):
        document, sources = shown.documents.get(one), into.get(one, [])
        said = {"path": None, "phantom": True} if document is None else _document(call, vault, document)
        links = {"out_links": out.get(one, []), "in_links": sources, "in_degree": len(sources)}
        yield {"id": one, "name": document.stem if document else one, **said, **links, "pagerank": round(ranks[one], 6)}


def _document(call: Call, vault: Vault, document: Document) -> dict[str, Any]:
    text = text_of(vault.root, document)
    front = split(text)
    body = text[front.body_start :]
    said = {
        "path": document.relative,
        "phantom": False,
        "doc_type": document.type,
        "feature": document.feature,
        "date": document.date,
        "modified": document.modified,
        "title": document.title,
        "tags": list(document.tags),
        "frontmatter": front.fields,
        "word_count": len(body.split()),
    }
    return {**said, "body": body} if call["body"] else said


def _edges(network: Network) -> Iterator[dict[str, Any]]:
    counts = Counter(edge[:2] for edge in network.edges)
    kinds: dict[tuple[str, str], list[str]] = {}
    for edge in network.edges:
        kinds.setdefault((edge.source, edge.target), []).append(edge.kind)
    for (source, target), count in counts.items():
        kind = kinds[source, target][0]
        yield {"source": source, "target": target, "kind": kind, "multiplicity": count, "weight": float(count)}


def _derived(call: Call, network: Network) -> dict[str, Any]:
    pairs = alike(network)
    first, limit = call["derived_offset"] or 0, call["derived_limit"]
    if first < 0 or (limit is not None and limit < 0):
        raise Refusal("usage", "--derived-limit and --derived-offset must not be negative", exit_code=USAGE)
    page = pairs[first:] if limit is None else pairs[first : first + limit]
    following = first + len(page)
    more = following < len(pairs)
    return {
        "derived_edges": [
            {"source": a, "target": b, "kind": "shared-links", "weight": weight} for a, b, weight in page
        ],
        "derived_edges_returned": len(page),
        "derived_edges_total": len(pairs),
        "derived_edges_truncated": more,
        "derived_edges_next_offset": following if more else None,
    }


def _tree(network: Network, archived: Collection[str]) -> Iterator[str]:
    """Documents by feature and what each links to, in characters that every terminal has."""
    targets: dict[str, dict[str, None]] = {}
    for edge in network.edges:
        targets.setdefault(edge.source, {})[edge.target] = None
    features: dict[str, list[str]] = {}
    for one, document in network.documents.items():
        features.setdefault(document.feature or "(no feature)", []).append(one)
    for feature, members in sorted(features.items()):
        yield feature
        for number, one in enumerate(members):
            last = number + 1 == len(members)
            yield f"{'`--' if last else '|--'} {one}"
            for target in targets.get(one, ()):
                where = "archived" if names.stem_of(target).casefold() in archived else "not in the vault"
                mark = f"  ({where})" if target in network.phantoms else ""
                yield f"{'   ' if last else '|  '} -> {target}{mark}"


def _mermaid(network: Network) -> Iterator[str]:
    numbers = {one: f"n{number}" for number, one in enumerate((*network.documents, *network.phantoms))}
    yield "graph LR\n"
    for one, name in numbers.items():
        shown = one.replace("#", "#35;").replace('"', "#quot;").replace("\n", " ")
        yield f'  {name}("{shown}")\n' if one in network.phantoms else f'  {name}["{shown}"]\n'
    for source, target in dict.fromkeys(edge[:2] for edge in network.edges):
        yield f"  {numbers[source]} --> {numbers[target]}\n"


def _dot(network: Network) -> Iterator[str]:
    yield "digraph vault {\n  rankdir=LR;\n"
    for one in (*network.documents, *network.phantoms):
        yield f"  {_quoted(one)}{' [style=dashed]' if one in network.phantoms else ''};\n"
    for source, target in dict.fromkeys(edge[:2] for edge in network.edges):
        yield f"  {_quoted(source)} -> {_quoted(target)};\n"
    yield "}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
