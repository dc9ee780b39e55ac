"""Our hooks in `prek.toml`: one marked block at the end of the file, written only on request.

A block at the end only adds a `[[repos]]` table, so that it can neither capture nor split anything of the user's.
"""

from __future__ import annotations

from vaultspec_core.report import Refusal

from .precommit import HOOKS

BEGIN = "# >>> vaultspec-managed hooks (do not edit this block) >>>"
END = "# <<< vaultspec-managed hooks <<<"


def block(prefix: str) -> str:
    """The block's text: what to put into prek.toml."""
    rows = []
    for hook in HOOKS:
        scope = 'types = ["markdown"]' if hook.id == "vault-fix" else "always_run = true"
        rows.append(
            f'  {{ id = "{hook.id}", name = "{hook.name}", entry = "{prefix} {hook.command}", language = "system", '
            f"{scope}, pass_filenames = false }},"
        )
    return "\n".join([BEGIN, "[[repos]]", 'repo = "local"', "hooks = [", *rows, "]", END, ""])


def migrated(data: bytes, prefix: str) -> bytes:
    """The file with our block, in its place or at the end. Raises Refusal `prek-kept`: unparseable, or our hooks stand there by hand."""
    import tomllib

    try:
        text = data.decode("utf-8")
        before = tomllib.loads(text.replace("\r\n", "\n").lstrip("\ufeff"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _kept(f"it is not TOML ({error})", "unparseable") from error
    newline = "\r\n" if "\r\n" in text else "\n"
    new = block(prefix).replace("\n", newline)
    start, end = text.find(BEGIN), text.find(END)
    if start >= 0 and end > start:
        stop = end + len(END) + (len(newline) if text.startswith(newline, end + len(END)) else 0)
        result = text[:start] + new + text[stop:]
    elif start >= 0 or end >= 0:
        raise _kept("the marks of vaultspec's block are half", "conflicting")
    else:
        if hook_ids(before) & {hook.id for hook in HOOKS}:
            raise _kept("it holds hooks of vaultspec's names outside the marked block", "conflicting")
        gap = "" if not text or text.endswith(newline * 2) else newline if text.endswith(newline) else newline * 2
        result = text + gap + new
    after = tomllib.loads(result.replace("\r\n", "\n").lstrip("\ufeff"))
    if _foreign(after) != _foreign(before):
        raise _kept("the block cannot be placed without changing something else", "conflicting")
    return result.encode("utf-8")


def hook_ids(document: dict[str, object]) -> set[str]:
    """The ids of every hook in the parsed file."""
    repos = document.get("repos")
    found = [repo for repo in repos if isinstance(repo, dict)] if isinstance(repos, list) else []
    return {str(hook.get("id")) for repo in found for hook in repo.get("hooks", []) if isinstance(hook, dict)}


def _foreign(document: dict[str, object]) -> dict[str, object]:
    repos = document.get("repos")
    ours = {hook.id for hook in HOOKS}
    kept = [repo for repo in repos if not (hook_ids({"repos": [repo]}) & ours)] if isinstance(repos, list) else []
    return {**document, "repos": kept}


def _kept(reason: str, status: str) -> Refusal:
    return Refusal(
        "prek-kept", f"prek.toml left as it is: {reason}", "Put the printed block in by hand.", data={"status": status}
    )
