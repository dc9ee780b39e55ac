"""`spec rules | skills | agents | system ...`: the user's own Markdown files in `.vaultspec/`."""

from vaultspec_core.verb import DRY_RUN, Flag, Operand, Verb

_RUN = "vaultspec_core.commands.resources"
_NAME = Operand("name", "The name, in kebab-case.")
_KNOWN = Operand("name", "The name of one that is there.")
_FORCE = Flag("--force", "Also overwrite one that is there.")


def _verb(
    kind: str, word: str, summary: str, run: str, example: str = "", *words: Operand | Flag, denied: str | None = None
) -> Verb:
    return Verb(
        ("spec", kind, word),
        summary,
        f"{_RUN}:{run}",
        f"vaultspec-core spec {kind} {word}{example}",
        operands=tuple(one for one in words if isinstance(one, Operand)),
        flags=tuple(one for one in words if isinstance(one, Flag)),
        denied=denied,
    )


def _sync(kind: str) -> Verb:
    return _verb(
        kind,
        "sync",
        f"Say which clients get the {kind} files: none, for no client has a place for them.",
        "sync",
        "",
        Operand("provider", "One client, or `all`.", required=False),
        Flag("--force", "Accepted; there is nothing to overwrite."),
        DRY_RUN,
        denied="is about clients' files",
    )


def _all_of(kind: str, example: str, *more: Flag) -> tuple[Verb, ...]:
    one = kind.removesuffix("s")
    return (
        _verb(kind, "list", f"List the {kind} of the workspace.", "list_resources"),
        _verb(kind, "show", f"Print one of the {kind}.", "show", f" {example}", _KNOWN),
        _verb(
            kind,
            "add",
            f"Add one of the {kind}.",
            "add",
            f' {example} --body "Say what and why."',
            _NAME,
            Flag("--body", "The text.", value="TEXT"),
            *more,
            Flag("--from-file", "Take the bytes of this file instead.", value="FILE", path=True),
            _FORCE,
            DRY_RUN,
        ),
        _verb(
            kind,
            "edit",
            f"Open one of the {kind} in an editor.",
            "edit",
            f" {example}",
            _KNOWN,
            denied="starts an editor",
        ),
        _verb(
            kind,
            "remove",
            f"Delete one of the {kind}.",
            "remove",
            f" {example} --yes",
            _KNOWN,
            Flag("--yes", "Do not ask."),
            Flag("--force", "The same as --yes."),
        ),
        _verb(
            kind,
            "rename",
            f"Rename one of the {kind}, and the name in its frontmatter.",
            "rename",
            f" {example} {example}-two",
            Operand("old_name", "The name of one that is there."),
            Operand("new_name", "The new name, in kebab-case."),
        ),
        _verb(
            kind,
            "restore",
            f"Say that no {one} is shipped from which one could be restored.",
            "restore",
            f" {example}.md",
            Operand("filename", "The name of the file."),
        ),
        _verb(kind, "status", f"Count the {kind} and say who gets them.", "status"),
        _sync(kind),
    )


_DESCRIPTION = Flag("--description", "When it applies, in one line.", value="TEXT")

VERBS = (
    *_all_of("rules", "no-globals"),
    *_all_of("skills", "write-tests", _DESCRIPTION),
    *_all_of("agents", "reviewer", _DESCRIPTION),
    _verb("system", "show", "Print the files of the system prompt.", "show"),
    _sync("system"),
)
