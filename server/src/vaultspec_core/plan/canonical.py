"""Write what a plan leaves to be guessed: the display path that each row and heading means, and the tier of a plan that names none."""

from __future__ import annotations

from vaultspec_core.plan.draft import Draft
from vaultspec_core.plan.faults import due_paths
from vaultspec_core.plan.model import Step
from vaultspec_core.plan.steps import with_path


def canonical(text: str) -> str:
    """The plan with its paths and tier written out; every other byte stays, and a second time changes nothing.

    Raises Refusal `plan-guard`, or that of a frontmatter that cannot be edited.
    """
    draft = Draft(text)
    for part, due in due_paths(draft.plan):
        if part.path != due:
            line = draft.lines[part.line]
            new = with_path(line, due) if isinstance(part, Step) else line.replace(f"`{part.path}`", f"`{due}`", 1)
            draft.lines.replace(part.line, new)
            draft.put(part._replace(path=due), part)
    if draft.plan.declared is None:
        draft.set_tier(draft.plan.shape)
    return draft.finish().text
