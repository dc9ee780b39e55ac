"""How people say what our verbs are called: the words that mean nothing here, and other words for ours."""

from __future__ import annotations

IGNORED = (
    "a an and are as at be by can do for from how i in is it its me my of on or our that the there this to we what which "
    "with would"
)

SAID_FOR = {
    "add": "author create insert make new scaffold write",
    "adr": "architecture decision record",
    "all": "entire everything suite whole",
    "annotations": "leftover template",
    "archive": "hide retire",
    "body": "content prose text",
    "check": "close complete done fix health mark problem tick validate validator verify",
    "config": "configuration setting",
    "dangling": "broken dead",
    "demote": "downgrade",
    "diff": "difference",
    "doctor": "diagnose health problem",
    "document": "doc file",
    "edit": "change modify open",
    "exec": "evidence ledger record",
    "frontmatter": "metadata",
    "graph": "picture",
    "link": "connect reference relate",
    "list": "find have many search see show what",
    "log": "evidence history record",
    "mcps": "client enrol enroll server",
    "orphans": "lonely nobody unlinked unused",
    "phase": "milestone",
    "placeholders": "leftover",
    "precommit": "commit",
    "promote": "upgrade",
    "query": "find open search still todo unfinished",
    "remove": "delete destroy drop erase",
    "rename": "name",
    "repair": "fix",
    "restore": "bring undo",
    "set": "change overwrite replace write",
    "show": "display inspect print see view",
    "stats": "count many metrics number statistic",
    "status": "open which far inspect orient overview pending progress",
    "step": "task todo",
    "supersede": "obsolete replace successor",
    "tier": "level",
    "trailer": "commit",
    "unarchive": "bring undo",
    "uncheck": "open reopen undo untick",
    "wave": "milestone",
}
"""A word of our verbs, and what else people say for it. A word may stand for several of ours."""
